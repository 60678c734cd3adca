/*
 * object_state.h - the inside of an object (object.h); for use in
 * lib/media/http only.
 */
#ifndef LIB_MEDIA_HTTP_OBJECT_STATE_H
#define LIB_MEDIA_HTTP_OBJECT_STATE_H

#include <pthread.h>

#include "lib/media/backends/fork_lock.h"
#include "lib/media/http/ahead.h"
#include "lib/media/http/object.h"

/*
 * Reads that follow each other are answered from a window of blocks.  Block i
 * has the bytes from base + i * block_bytes on.  It is kept until all of it was
 * read, or until the reads are WINDOW_BEHIND blocks further.
 */
enum {
	WINDOW_BLOCK = 1 << 20,      /* bytes, at least */
	WINDOW_BLOCK_MOST = 8 << 20, /* bytes */
	WINDOW_BYTES = 64 << 20,     /* for one object */
	WINDOW_BEHIND = 4,           /* blocks */
	WINDOW_GAP = 256 << 10,      /* bytes that may be skipped */
};

struct block;

struct window {
	bool is_open;
	uint64_t base;
	size_t block_bytes;
	uint64_t next_block; /* the first one that was not asked for */
	uint64_t front;      /* the block where reads are */
	struct block *blocks;
	size_t count;
	unsigned missed; /* reads elsewhere, one after the other */
	/* Measured: time of a request, as short as they are; rate of reads. */
	double request_ns, bytes_per_ns;
	uint64_t rated_ns, rated_at; /* when, and up to which byte */
	/* Blocks to have ahead; 0: only those of the read that opened it. */
	size_t target;
	uint64_t end_block; /* the last one of that read */
};

struct object {
	atomic_uint users; /* the opener, and jobs that fetch blocks */
	atomic_bool closed;
	struct http_pool *pool;
	const struct object_address *address;
	char *path; /* owned */
	/* Set by object_open: */
	uint64_t size;
	char etag[HTTP_VERSION_TEXT], modified[HTTP_VERSION_TEXT];
	char version[HTTP_VERSION_TEXT]; /* answer_version */
	struct buf head; /* the first bytes; of a small object all */

	struct fork_lock lock; /* protects what follows: object_lock */
	pthread_cond_t filled;
	uint64_t last_end; /* end of the read that was last */
	unsigned followed; /* reads that began there, one after the other */
	struct window window;
};

/* Reads a range of an open object with one request, into `data`. */
int object_fetch(struct object *object, uint64_t offset, void *data, size_t len,
    struct error *err);
/*
 * Takes the lock.  The child of a fork begins without a window, and leaves the
 * blocks to its parent's threads.
 */
void object_lock(struct object *object);
void object_unlock(struct object *object);
/* Drops a user; the last one frees the object. */
void object_drop(struct object *object);

/* Is a read best answered from the window, which then is open?  Locks. */
bool window_wants(struct object *object, uint64_t offset, size_t len);
/*
 * Reads from the window; returns how many bytes.  0: it does not have the first
 * byte, and cannot get it; -1: `err` is set.
 */
int64_t window_read(struct object *object, uint64_t offset, void *data,
    size_t len, struct error *err);
/* Tells how long a request took, for how much is read ahead. */
void window_note(struct object *object, uint64_t request_ns);
/* Forgets all blocks that no thread fills.  Nobody else uses the object. */
void window_clear(struct object *object);

#endif
