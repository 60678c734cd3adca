/* read_at.h - reads a part of an open file, however many calls that takes. */
#ifndef LIB_MEDIA_BACKENDS_READ_AT_H
#define LIB_MEDIA_BACKENDS_READ_AT_H

#include <stddef.h>
#include <stdint.h>

struct error;

/*
 * Reads up to `len` bytes, fewer only at the end; returns how many, or -1 with
 * "cannot read PATH: ...".
 */
int64_t read_at(int fd, const char *path, uint64_t offset, void *data,
    size_t len, struct error *err);

#endif
