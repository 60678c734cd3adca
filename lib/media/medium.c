/*
 * medium.c - see medium.h: the medium itself, its backends and its counters.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/backends/memory.h"
#include "lib/media/cached.h"
#include "lib/media/medium_ops.h"

/* The backends of URLs. */
static const struct backend *const far_backends[] = {
#define BACKEND(name) &backend_##name,
#include "lib/media/backends/far.def"
#undef BACKEND
	NULL,
};

_Static_assert(ARRAY_LEN(far_backends) <= FAR_BACKENDS_MOST, "raise it");

static struct medium *medium_new(
    const struct storage_limits *limits, struct error *err)
{
	struct medium *medium = memory_zeroed(sizeof(*medium), err);

	if (!medium)
		return NULL;
	medium->near = &backend_local;
	fork_lock_init(&medium->lock);
	for (size_t i = 0; i < FAR_BACKENDS_MOST; i++)
		atomic_init(&medium->far_state[i], NULL);
	atomic_init(&medium->counts.bytes_read, 0);
	atomic_init(&medium->counts.requests, 0);
	atomic_init(&medium->opened, 0);
	atomic_init(&medium->is_timed, false);
	if (!limits)
		return medium;
	medium->limits = *limits;
	medium->throttle = throttle_new(limits, err);
	if (medium->throttle)
		return medium;
	medium_free(medium);
	return NULL;
}

struct medium *medium_new_local(struct error *err)
{
	return medium_new(NULL, err);
}

struct medium *medium_new_emulated(
    const struct storage_limits *limits, struct error *err)
{
	return medium_new(limits, err);
}

struct medium *medium_new_memory(const char *dir, struct error *err)
{
	struct medium *medium = medium_new(NULL, err);

	if (!medium)
		return NULL;
	medium->near = &backend_memory;
	medium->near_state = memory_state_new(dir, err);
	if (medium->near_state)
		return medium;
	medium_free(medium);
	return NULL;
}

void medium_free(struct medium *medium)
{
	if (!medium)
		return;
	cached_leave(medium->cached);
	free(medium->keep_dir);
	if (medium->near_state)
		medium->near->state_free(medium->near_state);
	for (size_t i = 0; far_backends[i]; i++)
		if (medium->far_state[i])
			far_backends[i]->state_free(medium->far_state[i]);
	throttle_free(medium->throttle);
	fork_lock_destroy(&medium->lock);
	free(medium);
}

/* ---- backends ---- */

/* Finds the number of the backend of a URL; that of NULL: there is none. */
static size_t find_far(const char *path)
{
	size_t i = 0;

	while (far_backends[i] && !far_backends[i]->takes(path))
		i++;
	return i;
}

static void *make_state(struct medium *medium, size_t i, struct error *err)
{
	void *state;

	fork_lock_take(&medium->lock);
	state = medium->far_state[i];
	if (!state) {
		state = far_backends[i]->state_new(&medium->counts, err);
		medium->far_state[i] = state;
		if (state && far_backends[i]->hurry)
			for (unsigned n = 0; n < medium->hurried; n++)
				far_backends[i]->hurry(state, true);
	}
	fork_lock_give(&medium->lock);
	return state;
}

int medium_place(struct medium *medium, const char *path, struct place *place,
    struct error *err)
{
	char text[URL_TEXT];
	size_t i;

	*place = (struct place){ medium->near, medium->near_state };
	if (medium->near != &backend_local || !url_is(path))
		return 0;
	i = find_far(path);
	place->backend = far_backends[i];
	if (!place->backend)
		return error_set(err, ERROR_USAGE,
		    "%s: this presto reads no such URLs", url_text(path, text));
	place->state = medium->far_state[i];
	if (!place->state)
		place->state = make_state(medium, i, err);
	return place->state ? 0 : -1;
}

/* ---- keeping far files ---- */

int medium_cached(
    struct medium *medium, struct cached **cached, struct error *err)
{
	int rc = 0;

	fork_lock_take(&medium->lock);
	if (!medium->cached && medium->keep_dir) {
		medium->cached = cached_new(
		    medium, medium->keep_dir, medium->keep_bytes, err);
		rc = medium->cached ? 0 : -1;
	}
	*cached = cached_join(medium->cached);
	fork_lock_give(&medium->lock);
	return rc;
}

void medium_forget(struct medium *medium, const char *path)
{
	if (!medium_is_far(medium, path))
		return;
	fork_lock_take(&medium->lock);
	if (medium->cached)
		cached_forget(medium->cached, path);
	fork_lock_give(&medium->lock);
}

int medium_keep(
    struct medium *medium, const char *dir, uint64_t bytes, struct error *err)
{
	char *copy = dir ? strdup(dir) : NULL, *before_dir;
	struct cached *before;

	if (dir && !copy)
		return error_memory(err, strlen(dir));
	fork_lock_take(&medium->lock);
	before = medium->cached;
	before_dir = medium->keep_dir;
	medium->cached = NULL;
	medium->keep_dir = copy;
	medium->keep_bytes = bytes;
	fork_lock_give(&medium->lock);
	cached_leave(before);
	free(before_dir);
	return 0;
}

bool medium_is_far(const struct medium *medium, const char *path)
{
	return medium->near == &backend_local && url_is(path);
}

bool medium_is_memory(const struct medium *medium)
{
	return medium->near == &backend_memory;
}

uint64_t medium_bytes_held(const struct medium *medium)
{
	return medium_is_memory(medium) ? memory_state_bytes(medium->near_state)
	                                : 0;
}

bool medium_drop_held(struct medium *medium)
{
	return medium_is_memory(medium) &&
	       memory_state_drop(medium->near_state);
}

/* ---- emulation and counters ---- */

void medium_set_warm(struct medium *medium, bool warm)
{
	if (medium->throttle)
		throttle_set_warm(medium->throttle, warm);
}

void medium_hurry(struct medium *medium, bool begin)
{
	if (medium->throttle)
		throttle_hurry(medium->throttle, begin);
	/* A state that is made later takes part in what has begun. */
	fork_lock_take(&medium->lock);
	if (begin)
		medium->hurried++;
	else
		medium->hurried--;
	for (size_t i = 0; far_backends[i]; i++)
		if (medium->far_state[i] && far_backends[i]->hurry)
			far_backends[i]->hurry(medium->far_state[i], begin);
	fork_lock_give(&medium->lock);
}

int medium_share_limits(
    struct medium *medium, const char *path, bool create, struct error *err)
{
	if (!medium->throttle)
		return 0;
	return throttle_share(medium->throttle, path, create, err);
}

const struct storage_limits *medium_limits(const struct medium *medium)
{
	return &medium->limits;
}

uint64_t medium_bytes_read(const struct medium *medium)
{
	return atomic_load(&medium->counts.bytes_read);
}

uint64_t medium_requests(const struct medium *medium)
{
	return atomic_load(&medium->counts.requests);
}

uint64_t medium_opened(const struct medium *medium)
{
	return atomic_load(&medium->opened);
}

void medium_set_timed(struct medium *medium, bool timed)
{
	if (timed) {
		atomic_store(&medium->open_ns, 0);
		atomic_store(&medium->read_ns, 0);
		medium->opened_before = medium_opened(medium);
		medium->requests_before = medium_requests(medium);
	}
	atomic_store(&medium->is_timed, timed);
}

struct medium_times medium_get_times(const struct medium *medium)
{
	return (struct medium_times){
		.opened = medium_opened(medium) - medium->opened_before,
		.open_ns = atomic_load(&medium->open_ns),
		.requests = medium_requests(medium) - medium->requests_before,
		.read_ns = atomic_load(&medium->read_ns),
	};
}
