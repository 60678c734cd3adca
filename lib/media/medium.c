/*
 * medium.c - see medium.h: the medium itself with its counters, and names and
 * folders.
 */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/temporary.h"
#include "lib/media/medium_ops.h"
#include "lib/media/memory_files.h"

static struct medium *medium_new(
    const struct storage_limits *limits, struct error *err)
{
	struct medium *medium = memory_zeroed(sizeof(*medium), err);

	if (!medium)
		return NULL;
	atomic_init(&medium->bytes_read, 0);
	atomic_init(&medium->requests, 0);
	atomic_init(&medium->opened, 0);
	atomic_init(&medium->is_timed, false);
	if (!limits)
		return medium;
	medium->limits = *limits;
	medium->throttle = throttle_new(limits, err);
	if (!medium->throttle) {
		free(medium);
		return NULL;
	}
	return medium;
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
	medium->memory = memory_files_new(dir, err);
	if (medium->memory)
		return medium;
	medium_free(medium);
	return NULL;
}

void medium_free(struct medium *medium)
{
	if (!medium)
		return;
	memory_files_free(medium->memory);
	throttle_free(medium->throttle);
	free(medium);
}

void medium_set_warm(struct medium *medium, bool warm)
{
	if (medium->throttle)
		throttle_set_warm(medium->throttle, warm);
}

void medium_hurry(struct medium *medium, bool begin)
{
	if (medium->throttle)
		throttle_hurry(medium->throttle, begin);
}

const struct storage_limits *medium_limits(const struct medium *medium)
{
	return &medium->limits;
}

uint64_t medium_bytes_read(const struct medium *medium)
{
	return atomic_load(&medium->bytes_read);
}

uint64_t medium_requests(const struct medium *medium)
{
	return atomic_load(&medium->requests);
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

/* ---- names and folders ---- */

bool medium_is_memory(const struct medium *medium)
{
	return medium->memory != NULL;
}

uint64_t medium_bytes_held(const struct medium *medium)
{
	return medium->memory ? memory_files_bytes(medium->memory) : 0;
}

bool medium_exists(const struct medium *medium, const char *path)
{
	return medium->memory ? memory_files_find(medium->memory, path, NULL)
	                      : path_exists(path);
}

int medium_make_dirs(
    const struct medium *medium, const char *path, struct error *err)
{
	return medium->memory ? 0 : path_make_dirs(path, err);
}

int medium_rename(const struct medium *medium, const char *from, const char *to,
    struct error *err)
{
	return medium->memory
	           ? memory_files_rename(medium->memory, from, to, err)
	           : path_rename(from, to, err);
}

int medium_sync_dir(
    const struct medium *medium, const char *path, struct error *err)
{
	return medium->memory ? 0 : path_sync_dir(path, err);
}

char *medium_temporary_folder(
    struct medium *medium, const char *dir, struct error *err)
{
	struct buf path = BUF_INIT;

	if (!medium->memory)
		return temporary_folder(dir, err);
	if (buf_printf(&path, err, "%s/temporary-%u", dir,
	        atomic_fetch_add(&medium->folders, 1)) == 0)
		return (char *)path.data;
	buf_release(&path);
	return NULL;
}
