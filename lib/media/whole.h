/* whole.h - reads and writes whole files of a medium. */
#ifndef LIB_MEDIA_WHOLE_H
#define LIB_MEDIA_WHOLE_H

#include <stddef.h>

#include "lib/base/bytes.h"
#include "lib/media/backends/backend.h"

struct error;
struct medium;

/*
 * Appends a whole file of at most `limit` bytes to `out`, as path_read does:
 * ERROR_LIMIT for a larger one.
 */
int medium_read_whole(struct medium *medium, const char *path, size_t limit,
    struct buf *out, struct error *err);
/*
 * The same for a file that need not be there: 1; 0: nothing has this path; -1:
 * it cannot be read, or the storage does not answer.
 */
int medium_read_any(struct medium *medium, const char *path, size_t limit,
    struct buf *out, struct error *err);
/* Replaces the whole file, synced, or leaves the old one: as path_write. */
int medium_write_whole(struct medium *medium, const char *path,
    struct span bytes, struct error *err);
/* The same if nothing has the path yet: 1; 0: something has it. */
int medium_write_new(struct medium *medium, const char *path, struct span bytes,
    struct error *err);

/*
 * Far files that several processes write.  medium_status_now is
 * medium_get_status, and what is read of the file afterwards is no older, also
 * where far files are kept on the disk.  medium_write_over replaces the file if
 * it still has this version: 1; 0: it has another one, or is not there.
 */
int medium_status_now(struct medium *medium, const char *path,
    struct medium_status *status, struct error *err);
int medium_write_over(struct medium *medium, const char *path,
    struct span bytes, const char *version, struct error *err);

#endif
