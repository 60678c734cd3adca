/* inflate.h - reads a file compressed with gzip or zlib (wraps zlib). */
#ifndef DATASETS_ARCHIVES_INFLATE_H
#define DATASETS_ARCHIVES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;
struct inflater;
struct medium_file;

/* Do the first bytes of a file look like gzip or zlib? */
bool inflate_knows(struct span bytes);

/* Borrows the file. */
struct inflater *inflater_new(struct medium_file *file, struct error *err);
void inflater_free(struct inflater *inflater); /* NULL is fine */
/* Reads `len` bytes or the rest; sets *got. ERROR_DATA for damage. */
int inflater_read(struct inflater *inflater, void *data, size_t len,
    size_t *got, struct error *err);

/*
 * Did it fail at the beginning of another stream? Then all streams before are
 * complete, and the rest is garbage, which gzip ignores.
 */
bool inflater_is_behind(const struct inflater *inflater);

#endif
