/*
 * record_file.h - reads the records of a TFRecord file in order; the file may
 * be compressed with gzip or zlib. Messages begin with the file's path and the
 * number of the record, from 0.
 */
#ifndef DATASETS_RECORDS_RECORD_FILE_H
#define DATASETS_RECORDS_RECORD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct medium;
struct record_file;

/* most bytes of a record with its frame */
enum { RECORD_BYTES_MAX = INT32_MAX };

/* `path` is borrowed while the file is open. */
struct record_file *record_file_open(
    struct medium *medium, const char *path, struct error *err);
void record_file_close(struct record_file *file); /* NULL is fine */

bool record_file_is_compressed(const struct record_file *file);
/* Returns the offset of the next record; uncompressed files only. */
uint64_t record_file_offset(const struct record_file *file);

/*
 * Appends the next record with its frame to `out`. NULL: skips it, and looks
 * only at its length. Returns 1, 0 at the end, -1.
 */
int record_file_next(
    struct record_file *file, struct buf *out, struct error *err);

#endif
