/*
 * medium_ops.h - the parts of a medium; for use in lib/media only.
 *
 * The medium counts, times and throttles; its backends (backend.h) move the
 * bytes.  medium.c has the medium itself, medium_file.c its files,
 * medium_names.c names and folders, throttle.c the emulated storage,
 * cached.c what is kept of far files.
 */
#ifndef LIB_MEDIA_MEDIUM_OPS_H
#define LIB_MEDIA_MEDIUM_OPS_H

#include "lib/media/backends/fork_lock.h"
#include "lib/media/medium.h"
#include "lib/media/throttle.h"

enum { FAR_BACKENDS_MOST = 4 };

struct cached;

struct medium {
	struct throttle *throttle;  /* NULL: not slowed down */
	const struct backend *near; /* for paths that are no URLs */
	void *near_state;
	/* By their number in far_backends (medium.c); NULL: not used yet. */
	void *_Atomic far_state[FAR_BACKENDS_MOST];
	/*
	 * Protects making them, `hurried` and `cached`: each a single word, so
	 * the child of a fork finds nothing half made.
	 */
	struct fork_lock lock;
	unsigned hurried;      /* calls of medium_hurry that have not ended */
	struct cached *cached; /* keeps far files; NULL: not used yet */
	char *keep_dir;        /* where; owned; NULL: they are not kept */
	uint64_t keep_bytes;
	struct storage_limits limits;
	struct medium_counts counts;
	atomic_uint_fast64_t opened;

	atomic_bool is_timed;
	atomic_uint_fast64_t open_ns, read_ns;
	uint64_t opened_before, requests_before; /* counts when timing began */
};

/* A backend with its state in a medium. */
struct place {
	const struct backend *backend;
	void *state;
};

/* Gets the cache of far files for one more user; NULL: there is none. */
int medium_cached(
    struct medium *medium, struct cached **cached, struct error *err);
/* Forgets what the cache knows of a file that is written anew. */
void medium_forget(struct medium *medium, const char *path);
/* Opens a far file past the cache, which neither counts nor waits for it. */
struct medium_file *medium_open_far(
    struct medium *medium, const char *path, struct error *err);
void medium_close_far(struct medium_file *file); /* NULL is fine */

/* Finds the backend of a path, and makes its state; -1: it cannot be made. */
int medium_place(struct medium *medium, const char *path, struct place *place,
    struct error *err);

#endif
