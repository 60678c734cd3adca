/* local.c - local files, throttled if asked: see medium.h. */
#define _GNU_SOURCE /* sync_file_range */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/input.h"
#include "lib/files/late_read.h"
#include "lib/files/mapping.h"
#include "lib/files/temporary.h"
#include "lib/media/medium_ops.h"
#include "lib/media/memory_files.h"

/*
 * Written data is sent to the disk in parts of this size.  The kernel alone
 * would begin when a tenth of the memory is dirty, for most shards at the sync:
 * the disk would idle until then, and a thread would wait for it.
 */
enum { SENT_BYTES = 8 << 20, SENT_ALIGN = 4096 };

/* Used in place of flags of open: a file that gets its path later. */
enum { TEMPORARY = -1 };

/* The flags of a file that has its path at once; in memory, when it is synced.
 */
enum { CREATED = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW };

struct medium_file {
	struct medium *medium;
	int fd;
	uint64_t size;
	uint64_t sent; /* bytes already sent to the disk */
	char *path;
	struct temporary temporary; /* the file behind fd, until medium_close */
	struct mapping_file mapped; /* for reading */
	_Atomic double stream_free_ns; /* see throttle_request */
	/* In memory: where it begins behind fd; while it is written: its bytes.
	 */
	uint64_t base;
	struct buf written;
	bool is_created; /* its path was given already */
};

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

	atomic_fetch_add_explicit(&medium->requests, 1, memory_order_relaxed);
	return throttle_request(medium->throttle,
	    throttle_now(medium->throttle), len, &file->stream_free_ns);
}

static int open_in_memory(
    struct medium_file *file, int flags, struct error *err)
{
	struct memory_files *memory = file->medium->memory;
	struct memory_part part;

	file->is_created = flags == CREATED;
	if (flags != O_RDONLY)
		return 0;
	if (!memory_files_find(memory, file->path, &part))
		return error_set(
		    err, ERROR_SYSTEM, "%s is not in memory", file->path);
	file->fd = memory_files_open(memory, err);
	file->base = part.offset;
	file->size = part.bytes;
	return file->fd < 0 ? -1 : 0;
}

static int open_to_read(struct medium_file *file, struct error *err)
{
	struct stat status;

	if (file->medium->memory) {
		if (open_in_memory(file, O_RDONLY, err))
			return -1;
	} else {
		file->fd = input_open(file->path, O_RDONLY, &status, err);
		if (file->fd < 0)
			return -1;
		file->size = (uint64_t)status.st_size;
	}
	file->mapped.fd = file->fd;
	file->mapped.path = file->path;
	file->mapped.size = file->base + file->size;
	return 0;
}

/* Opens the real file, during the emulated time. */
static int open_now(struct medium_file *file, int flags, struct error *err)
{
	if (flags == O_RDONLY)
		return open_to_read(file, err);
	if (file->medium->memory)
		return open_in_memory(file, flags, err);
	if (flags == TEMPORARY) {
		if (temporary_begin(&file->temporary, file->path, err))
			return -1;
		file->fd = file->temporary.fd;
		return 0;
	}
	file->fd = open(file->path, flags | O_CLOEXEC, 0666);
	return file->fd < 0 ? error_errno(err, "open", file->path) : 0;
}

static struct medium_file *file_open(
    struct medium *medium, const char *path, int flags, struct error *err)
{
	struct medium_file *file = calloc(1, sizeof(*file));
	struct turn turn;

	if (!file || !(file->path = strdup(path))) {
		free(file);
		error_memory(err, sizeof(*file));
		return NULL;
	}
	file->medium = medium;
	atomic_init(&file->stream_free_ns, 0);
	file->mapped = (struct mapping_file)MAPPING_FILE_INIT;
	file->fd = -1;
	file->temporary = (struct temporary)TEMPORARY_INIT;
	turn = throttle_open(medium->throttle, throttle_now(medium->throttle));
	if (open_now(file, flags, err)) {
		medium_close(file);
		return NULL;
	}
	atomic_fetch_add_explicit(&medium->opened, 1, memory_order_relaxed);
	throttle_wait(medium->throttle, &turn);
	return file;
}

struct medium_file *medium_open(
    struct medium *medium, const char *path, struct error *err)
{
	const uint64_t began = time_begin(medium);
	struct medium_file *file = file_open(medium, path, O_RDONLY, err);

	time_end(began, &medium->open_ns);
	return file;
}

struct medium_file *medium_begin(
    struct medium *medium, const char *path, struct error *err)
{
	return file_open(medium, path, TEMPORARY, err);
}

int medium_publish(struct medium_file *file, struct error *err)
{
	if (file->medium->memory)
		return memory_files_put(file->medium->memory, file->path,
		    buf_span(&file->written), err);
	return temporary_publish(&file->temporary, err);
}

struct medium_file *medium_create(
    struct medium *medium, const char *path, struct error *err)
{
	return file_open(medium, path, CREATED, err);
}

void medium_close(struct medium_file *file)
{
	uint64_t began;

	if (!file)
		return;
	began = time_begin(file->medium);
	mapping_file_release(&file->mapped);
	if (file->fd >= 0 && file->fd != file->temporary.fd)
		close(file->fd);
	temporary_end(&file->temporary);
	buf_release(&file->written);
	time_end(began, &file->medium->open_ns);
	free(file->path);
	free(file);
}

uint64_t medium_size(const struct medium_file *file)
{
	return file->size;
}

const char *medium_path(const struct medium_file *file)
{
	return file->path;
}

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
	/* Behind a file in memory there are others. */
	const size_t there =
	    file->medium->memory ? (size_t)bytes_there(file, offset, len) : len;
	size_t done = 0;

	if (file->written.data && there > 0) {
		memcpy(data, file->written.data + offset, there);
		done = there;
	}
	while (done < there) {
		const ssize_t n = pread(file->fd, (char *)data + done,
		    there - done, (off_t)(file->base + offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "read", file->path);
		if (n == 0)
			break;
		done += (size_t)n;
	}
	atomic_fetch_add_explicit(
	    &file->medium->bytes_read, done, memory_order_relaxed);
	throttle_wait(file->medium->throttle, &turn);
	return (int64_t)done;
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

	if (n < 0)
		return -1;
	if ((size_t)n != len)
		return error_set(err, ERROR_DATA,
		    "%s: ends at byte %" PRIu64 ", %zu bytes too early",
		    file->path, offset + (uint64_t)n, len - (size_t)n);
	return 0;
}

/* Counts a request for bytes that are in memory. */
static void count_cached(struct medium_file *file, uint64_t now_ns, size_t len)
{
	struct medium *medium = file->medium;
	struct turn turn;

	atomic_fetch_add_explicit(
	    &medium->bytes_read, len, memory_order_relaxed);
	atomic_fetch_add_explicit(&medium->requests, 1, memory_order_relaxed);
	turn = throttle_request(
	    medium->throttle, now_ns, len, &file->stream_free_ns);
	throttle_wait(medium->throttle, &turn);
}

bool medium_map(struct medium_file *file, uint64_t offset, size_t len,
    struct mapping *mapping, unsigned char **data)
{
	const uint64_t now_ns = throttle_now(file->medium->throttle);
	const uint64_t began = time_begin(file->medium);

	if (!mapping_make(
	        mapping, &file->mapped, file->base + offset, len, data))
		return false;
	count_cached(file, now_ns, len);
	time_end(began, &file->medium->read_ns);
	return true;
}

void medium_widen(struct medium_file *file, size_t bytes)
{
	mapping_file_widen(&file->mapped, bytes);
}

bool medium_note(struct medium_file *file, uint64_t offset, size_t len,
    struct late_read *late)
{
	const uint64_t now_ns = throttle_now(file->medium->throttle);

	if (!late_read_note(late, file->fd, file->base + offset, len))
		return false;
	count_cached(file, now_ns, len);
	return true;
}

/* Starts the transfer without waiting for it. */
static void send_to_disk(struct medium_file *file)
{
	const uint64_t whole = file->size - file->size % SENT_ALIGN;

	if (whole - file->sent < SENT_BYTES)
		return;
#ifdef SYNC_FILE_RANGE_WRITE
	sync_file_range(file->fd, (off_t)file->sent,
	    (off_t)(whole - file->sent), SYNC_FILE_RANGE_WRITE);
#endif
	file->sent = whole;
}

int medium_write(
    struct medium_file *file, const void *data, size_t len, struct error *err)
{
	const struct turn turn = request_begin(file, len);
	const char *at = data;
	size_t left = len;

	if (file->medium->memory) {
		if (buf_append(&file->written, data, len, err))
			return -1;
		left = 0;
	}
	while (left > 0) {
		const ssize_t n = write(file->fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "write", file->path);
		at += n;
		left -= (size_t)n;
	}
	file->size += len;
	if (!file->medium->memory)
		send_to_disk(file);
	throttle_wait(file->medium->throttle, &turn);
	return 0;
}

int medium_write_at(struct medium_file *file, uint64_t offset, const void *data,
    size_t len, struct error *err)
{
	const struct turn turn = request_begin(file, len);
	size_t done = 0;

	if (file->medium->memory) {
		memcpy(file->written.data + offset, data, len);
		done = len;
	}
	while (done < len) {
		const ssize_t n = pwrite(file->fd, (const char *)data + done,
		    len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "write", file->path);
		done += (size_t)n;
	}
	throttle_wait(file->medium->throttle, &turn);
	return 0;
}

int medium_sync(struct medium_file *file, struct error *err)
{
	const struct turn turn = request_begin(file, 0);

	if (file->medium->memory) {
		if (file->is_created && medium_publish(file, err))
			return -1;
	} else if (fsync(file->fd))
		return error_errno(err, "sync", file->path);
	throttle_wait(file->medium->throttle, &turn);
	return 0;
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
