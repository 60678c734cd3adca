/*
 * place.h - small files in the folder that the parts of a job write into, which
 * may be at S3.
 */
#ifndef STRATEGIES_PARTS_PLACE_H
#define STRATEGIES_PARTS_PLACE_H

#include "lib/base/bytes.h"

struct error;
struct medium;

/* Appends the file DIR/NAME: 1; 0: there is none. */
int place_read(struct medium *medium, const char *dir, const char *name,
    struct buf *out, struct error *err);
/*
 * Writes the whole file, or leaves the old one. ERROR_LIMIT for more bytes than
 * place_read takes, 1 GiB.
 */
int place_write(struct medium *medium, const char *dir, const char *name,
    struct span bytes, struct error *err);
/* The same if there is no such file yet: 1; 0: there is one. */
int place_write_new(struct medium *medium, const char *dir, const char *name,
    struct span bytes, struct error *err);
/* Removes a file; 0 if there is none. */
int place_remove(struct medium *medium, const char *dir, const char *name,
    struct error *err);

#endif
