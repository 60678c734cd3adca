/*
 * lines_pick.h - reads lines by number, for readers that are permuted
 * (lib/sample/reader.h).
 *
 * A chunk has one part for each line; its item is the number of the line in its
 * file.
 */
#ifndef DATASETS_RECORDS_LINES_PICK_H
#define DATASETS_RECORDS_LINES_PICK_H

#include <stdbool.h>

#include "datasets/records/lines_scan.h"
#include "lib/sample/reader.h"

struct lines_picker;

/* The set and the medium must outlive the picker. */
struct lines_picker *lines_picker_new(const struct lines_set *set,
    struct medium *medium, size_t key_bytes, struct error *err);
/*
 * Fills stored and parts, like reader_ops.picker_fetch. `unpacked` gets room
 * for a key of key_bytes for each line.
 */
int lines_pick(struct lines_picker *picker, const struct pick *picks,
    size_t count, struct chunk *chunk, struct error *err);
void lines_picker_free(struct lines_picker *picker); /* NULL is fine */

#endif
