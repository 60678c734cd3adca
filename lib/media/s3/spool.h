/*
 * spool.h - the bytes of an object while it is written: an unnamed temporary
 * file in $TMPDIR, which is gone with the process.
 *
 * So a large object takes no memory, its bytes can be changed and read before
 * it is complete, and a part can be sent again after a failure.
 */
#ifndef LIB_MEDIA_S3_SPOOL_H
#define LIB_MEDIA_S3_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct spool {
	int fd;
	uint64_t bytes;
};

int spool_open(struct spool *spool, struct error *err);
void spool_close(struct spool *spool);

int spool_append(struct spool *spool, struct span bytes, struct error *err);
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
