/*
 * spool.h - the bytes of an object while it is written: an unnamed temporary
 * file, which is gone with the process.
 *
 * So a large object takes no memory, its bytes can be changed and read before
 * it is complete, and a part can be sent again after a failure.
 *
 * The folder is $TMPDIR, else the first of /tmp and /var/tmp that is on a disk.
 * If all there is lies in memory (tmpfs), SPOOL_LEAVES bytes of memory stay
 * available: a larger object is then an error.
 */
#ifndef LIB_MEDIA_S3_SPOOL_H
#define LIB_MEDIA_S3_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum { SPOOL_LEAVES = 256 << 20, SPOOL_FOLDER = 256 };

struct spool {
	int fd;
	uint64_t bytes;
	char folder[SPOOL_FOLDER]; /* for messages; a long name is cut */
	bool is_in_memory;
	uint64_t checked; /* bytes when the memory was looked at last */
};

int spool_open(struct spool *spool, struct error *err);
void spool_close(struct spool *spool);

int spool_append(struct spool *spool, struct span bytes, struct error *err);
/* ERROR_LIMIT if so many more bytes would take what SPOOL_LEAVES leaves. */
int spool_check_memory(const struct spool *spool, uint64_t available,
    uint64_t more, struct error *err);
/* Changes bytes that are there; ERROR_DATA behind the end. */
int spool_write_at(
    struct spool *spool, uint64_t offset, struct span bytes, struct error *err);
/* Returns how many bytes were read, fewer than `len` only at the end; or -1. */
int64_t spool_read(const struct spool *spool, uint64_t offset, void *data,
    size_t len, struct error *err);

/* A part of it in memory, until spool_unmap. */
struct spool_view {
	void *base;
	size_t mapped;
	struct span bytes;
};

int spool_map(const struct spool *spool, uint64_t offset, size_t len,
    struct spool_view *view, struct error *err);
void spool_unmap(struct spool_view *view);

#endif
