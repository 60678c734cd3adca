/*
 * record_file.h - the records of a TFRecord file, one after the other,
 * compressed by gzip or zlib or not.  Messages begin with the file's path and
 * the number of the record, from 0.
 */
#ifndef DATASETS_RECORDS_RECORD_FILE_H
#define DATASETS_RECORDS_RECORD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct medium;
struct record_file;

enum { RECORD_BYTES_MAX = INT32_MAX }; /* of a record, with what frames it */

/* `path` is borrowed while it is open. */
struct record_file *record_file_open(
    struct medium *medium, const char *path, struct error *err);
void record_file_close(struct record_file *file); /* NULL is fine */

bool record_file_is_compressed(const struct record_file *file);
uint64_t record_file_bytes(const struct record_file *file); /* as stored */
/* Where the next record begins, in what is not compressed. */
uint64_t record_file_offset(const struct record_file *file);

/*
 * Appends the next record as it is, framed, or skips it (NULL), of which only
 * the length is looked at: 1, 0 at the end, -1.
 */
int record_file_next(
    struct record_file *file, struct buf *out, struct error *err);

#endif
