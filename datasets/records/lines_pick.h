/*
 * lines_pick.h - reads lines by number, for readers that are permuted
 * (lib/sample/reader.h).
 *
 * A chunk has one part for each line; its item is the line's number in its
 * file.
 */
#ifndef DATASETS_RECORDS_LINES_PICK_H
#define DATASETS_RECORDS_LINES_PICK_H

#include <stdbool.h>

#include "datasets/records/lines_scan.h"
#include "lib/sample/reader.h"

/* The set and the medium must outlive the picker. */
void *lines_picker_open(const struct lines_set *set, struct medium *medium,
    size_t key_bytes, struct error *err);
/* Functions of reader_ops; `unpacked` gets key_bytes for each line. */
int lines_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void lines_picker_close(void *picker);

#endif
