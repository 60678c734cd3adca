/*
 * inflate.h - a file that was compressed by gzip or zlib, from its beginning to
 * its end (wraps zlib).
 */
#ifndef DATASETS_ARCHIVES_INFLATE_H
#define DATASETS_ARCHIVES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;
struct inflater;
struct medium_file;

/* Do these first bytes of a file look like one of the two forms? */
bool inflate_knows(struct span bytes);

/* The file is borrowed. */
struct inflater *inflater_new(struct medium_file *file, struct error *err);
void inflater_free(struct inflater *inflater); /* NULL is fine */
/*
 * The next `len` bytes, or as many as there are: sets *got.  ERROR_DATA for
 * what is damaged or cut short.
 */
int inflater_read(struct inflater *inflater, void *data, size_t len,
    size_t *got, struct error *err);

/*
 * Did it fail at the beginning of another stream?  Then all streams before are
 * whole, and bytes that are none follow, which gzip ignores.
 */
bool inflater_is_behind(const struct inflater *inflater);

#endif
