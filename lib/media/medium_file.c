/* medium_file.c - see medium.h: files, counted, timed and throttled. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/cached.h"
#include "lib/media/medium_ops.h"

typedef int open_how(struct medium_file *file, struct error *err);

/* Returns the start of a request; 0: not timed. */
static uint64_t time_begin(const struct medium *medium)
{
	return atomic_load_explicit(&medium->is_timed, memory_order_relaxed)
	           ? clock_now(&clock_monotonic)
	           : 0;
}

static void time_end(uint64_t began_ns, atomic_uint_fast64_t *sum)
{
	if (began_ns)
		atomic_fetch_add_explicit(sum,
		    clock_now(&clock_monotonic) - began_ns,
		    memory_order_relaxed);
}

/* Counts a request and reserves its turn. */
static struct turn request_begin(struct medium_file *file, uint64_t len)
{
	struct medium *medium = file->medium;

	if (!file->backend->counts_itself)
		atomic_fetch_add_explicit(
		    &medium->counts.requests, 1, memory_order_relaxed);
	return throttle_request(medium->throttle,
	    throttle_now(medium->throttle), len, &file->stream_free_ns);
}

/* ---- opening and closing ---- */

static struct medium_file *file_at(const struct place *place,
    struct medium *medium, const char *path, struct error *err)
{
	struct medium_file *file =
	    memory_zeroed(place->backend->file_bytes, err);

	if (!file)
		return NULL;
	file->path = strdup(path);
	if (!file->path) {
		free(file);
		error_memory(err, strlen(path));
		return NULL;
	}
	file->backend = place->backend;
	file->state = place->state;
	file->medium = medium;
	file->counts = &medium->counts;
	atomic_init(&file->stream_free_ns, 0);
	return file;
}

static struct medium_file *file_new(
    struct medium *medium, const char *path, struct error *err)
{
	struct place place;

	if (medium_place(medium, path, &place, err))
		return NULL;
	return file_at(&place, medium, path, err);
}

/* The cache, if there is one, is in front of a far file. */
static struct medium_file *file_new_to_read(
    struct medium *medium, const char *path, struct error *err)
{
	struct cached *cached = NULL;
	struct medium_file *file;
	struct place place;

	if (medium_is_far(medium, path) && medium_cached(medium, &cached, err))
		return NULL;
	if (!cached)
		return file_new(medium, path, err);
	place = (struct place){ &backend_cached, cached };
	file = file_at(&place, medium, path, err);
	if (!file)
		cached_leave(cached);
	return file;
}

static void file_free(struct medium_file *file)
{
	file->backend->close(file);
	free(file->path);
	free(file);
}

/* Opens the real file during the emulated time; `how` NULL: it cannot be. */
static int open_slowly(
    struct medium_file *file, open_how *how, struct error *err)
{
	struct medium *medium = file->medium;
	char text[URL_TEXT];
	struct turn turn;

	if (!how)
		return error_set(err, ERROR_USAGE,
		    "cannot write %s: %.*s:// is only read",
		    url_text(file->path, text), (int)strcspn(file->path, ":"),
		    file->path);
	turn = throttle_open(medium->throttle, throttle_now(medium->throttle));
	if (how(file, err))
		return -1;
	atomic_fetch_add_explicit(&medium->opened, 1, memory_order_relaxed);
	throttle_wait(medium->throttle, &turn);
	return 0;
}

struct medium_file *medium_open(
    struct medium *medium, const char *path, struct error *err)
{
	const uint64_t began = time_begin(medium);
	struct medium_file *file = file_new_to_read(medium, path, err);

	if (file && open_slowly(file, file->backend->open, err)) {
		file_free(file);
		file = NULL;
	}
	time_end(began, &medium->open_ns);
	return file;
}

struct medium_file *medium_open_far(
    struct medium *medium, const char *path, struct error *err)
{
	struct medium_file *file = file_new(medium, path, err);

	if (!file || file->backend->open(file, err) == 0)
		return file;
	file_free(file);
	return NULL;
}

void medium_close_far(struct medium_file *file)
{
	if (file)
		file_free(file);
}

struct medium_file *medium_begin(
    struct medium *medium, const char *path, struct error *err)
{
	struct medium_file *file = file_new(medium, path, err);

	medium_forget(medium, path);
	if (file && open_slowly(file, file->backend->begin, err)) {
		file_free(file);
		file = NULL;
	}
	return file;
}

struct medium_file *medium_create(
    struct medium *medium, const char *path, struct error *err)
{
	struct medium_file *file = file_new(medium, path, err);

	medium_forget(medium, path);
	if (file && open_slowly(file, file->backend->create, err)) {
		file_free(file);
		file = NULL;
	}
	return file;
}

int medium_publish(struct medium_file *file, struct error *err)
{
	const int rc = file->backend->publish(file, err);

	/* It may have been opened, and noted, while it was written. */
	medium_forget(file->medium, file->path);
	return rc;
}

int medium_publish_new(struct medium_file *file, struct error *err)
{
	const int rc = file->backend->publish_new(file, err);

	medium_forget(file->medium, file->path);
	return rc;
}

int medium_publish_over(
    struct medium_file *file, const char *version, struct error *err)
{
	int rc;

	if (!file->backend->publish_over)
		return error_set(err, ERROR_USAGE,
		    "%.300s: only objects of an object store have versions",
		    file->path);
	rc = file->backend->publish_over(file, version, err);
	medium_forget(file->medium, file->path);
	return rc;
}

void medium_close(struct medium_file *file)
{
	struct medium *medium;
	uint64_t began;

	if (!file)
		return;
	medium = file->medium;
	began = time_begin(medium);
	file_free(file);
	time_end(began, &medium->open_ns);
}

uint64_t medium_size(const struct medium_file *file)
{
	return file->size;
}

const char *medium_path(const struct medium_file *file)
{
	return file->path;
}

/* ---- reading ---- */

/* Returns how many bytes of a request the file has. */
static uint64_t bytes_there(
    const struct medium_file *file, uint64_t offset, size_t len)
{
	const uint64_t left = offset < file->size ? file->size - offset : 0;

	return len < left ? len : left;
}

static int64_t read_now(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	const struct turn turn =
	    request_begin(file, bytes_there(file, offset, len));
	const int64_t done = file->backend->read(file, offset, data, len, err);

	if (done < 0)
		return -1;
	if (!file->backend->counts_itself)
		atomic_fetch_add_explicit(&file->counts->bytes_read,
		    (uint64_t)done, memory_order_relaxed);
	throttle_wait(file->medium->throttle, &turn);
	return done;
}

int64_t medium_read(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	const uint64_t began = time_begin(file->medium);
	const int64_t n = read_now(file, offset, data, len, err);

	time_end(began, &file->medium->read_ns);
	return n;
}

int medium_read_full(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	const int64_t n = medium_read(file, offset, data, len, err);
	char text[URL_TEXT];

	if (n < 0)
		return -1;
	if ((size_t)n != len)
		return error_set(err, ERROR_DATA,
		    "%s: ends at byte %" PRIu64 ", %zu bytes too early",
		    url_is(file->path) ? url_text(file->path, text)
		                       : file->path,
		    offset + (uint64_t)n, len - (size_t)n);
	return 0;
}

/* Counts a request for bytes that are in memory. */
static void count_cached(struct medium_file *file, uint64_t now_ns, size_t len)
{
	struct medium *medium = file->medium;
	struct turn turn;

	atomic_fetch_add_explicit(
	    &medium->counts.bytes_read, len, memory_order_relaxed);
	atomic_fetch_add_explicit(
	    &medium->counts.requests, 1, memory_order_relaxed);
	turn = throttle_request(
	    medium->throttle, now_ns, len, &file->stream_free_ns);
	throttle_wait(medium->throttle, &turn);
}

bool medium_is_same(const struct medium_file *a, const struct medium_file *b)
{
	return a && b && a->backend == b->backend && a->backend->is_same &&
	       a->backend->is_same(a, b);
}

bool medium_map(struct medium_file *file, uint64_t offset, size_t len,
    struct mapping *mapping, unsigned char **data)
{
	const uint64_t now_ns = throttle_now(file->medium->throttle);
	const uint64_t began = time_begin(file->medium);

	if (!file->backend->map ||
	    !file->backend->map(file, offset, len, mapping, data))
		return false;
	count_cached(file, now_ns, len);
	time_end(began, &file->medium->read_ns);
	return true;
}

void medium_widen(struct medium_file *file, size_t bytes)
{
	if (file->backend->widen)
		file->backend->widen(file, bytes);
}

bool medium_note(struct medium_file *file, uint64_t offset, size_t len,
    struct late_read *late)
{
	const uint64_t now_ns = throttle_now(file->medium->throttle);

	if (!file->backend->note ||
	    !file->backend->note(file, offset, len, late))
		return false;
	count_cached(file, now_ns, len);
	return true;
}

int medium_slurp(
    struct medium *medium, const char *path, struct buf *out, struct error *err)
{
	struct medium_file *file = medium_open(medium, path, err);
	int rc = -1;

	if (!file)
		return -1;
	/* One byte more, so that the buffer of an empty file is not NULL. */
	if (buf_reserve(out, out->len + file->size + 1, err) == 0 &&
	    medium_read_full(file, 0, out->data + out->len, file->size, err) ==
	        0) {
		out->len += file->size;
		rc = 0;
	}
	medium_close(file);
	return rc;
}

/* ---- writing ---- */

int medium_write(
    struct medium_file *file, const void *data, size_t len, struct error *err)
{
	const struct turn turn = request_begin(file, len);

	if (file->backend->write(file, data, len, err))
		return -1;
	file->size += len;
	throttle_wait(file->medium->throttle, &turn);
	return 0;
}

int medium_write_at(struct medium_file *file, uint64_t offset, const void *data,
    size_t len, struct error *err)
{
	const struct turn turn = request_begin(file, len);

	if (!file->backend->write_at)
		return error_set(err, ERROR_USAGE,
		    "%s: written bytes cannot be changed there", file->path);
	if (file->backend->write_at(file, offset, data, len, err))
		return -1;
	throttle_wait(file->medium->throttle, &turn);
	return 0;
}

int medium_sync(struct medium_file *file, struct error *err)
{
	const struct turn turn = request_begin(file, 0);

	if (file->backend->sync && file->backend->sync(file, err))
		return -1;
	throttle_wait(file->medium->throttle, &turn);
	return 0;
}
