/* probe_files.c - see probe_files.h. */
#define _GNU_SOURCE /* sync_file_range */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/base/stop.h"
#include "lib/base/units.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/measure/storage/probe_files.h"
#include "lib/measure/storage/residency.h"

enum { WRITE_BYTES = 8 << 20 };

/* Writes files of noise until a deadline. */
struct writer {
	const struct probe_plan *plan;
	unsigned char *noise; /* WRITE_BYTES, incompressible */
	uint64_t number; /* number of the last page, so that all pages differ */
	uint64_t deadline_ns;
};

void probe_large_path(
    const struct probe_files *files, unsigned number, char *path)
{
	snprintf(path, PROBE_PATH, "%s/large.%u", files->dir, number);
}

static void small_path(const struct probe_files *files, unsigned layout,
    uint64_t number, char *path)
{
	snprintf(path, PROBE_PATH, "%s/small.%u.%" PRIu64 ".%" PRIu64,
	    files->dir, layout, number % layout, number / layout);
}

void probe_small_path(
    const struct probe_files *files, uint64_t number, char *path)
{
	small_path(files, files->layout, number, path);
}

static bool is_late(const struct writer *writer)
{
	return clock_now(&clock_monotonic) >= writer->deadline_ns;
}

/* Makes all pages differ, since some file systems store equal pages once. */
static void stamp(struct writer *writer, size_t len)
{
	for (size_t at = 0; at + sizeof(writer->number) <= len;
	     at += PROBE_REQUEST) {
		writer->number++;
		memcpy(writer->noise + at, &writer->number, sizeof(uint64_t));
	}
}

static int write_full(int fd, const unsigned char *data, size_t len,
    const char *path, struct error *err)
{
	while (len) {
		const ssize_t put = write(fd, data, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_errno(err, "write", path);
		data += put;
		len -= (size_t)put;
	}
	return 0;
}

/* Writes up to `bytes`; *written is less when time is up. */
static int write_noise(struct writer *writer, int fd, const char *path,
    uint64_t bytes, uint64_t *written, struct error *err)
{
	*written = 0;
	while (*written < bytes) {
		const size_t len = bytes - *written < WRITE_BYTES
		                       ? (size_t)(bytes - *written)
		                       : WRITE_BYTES;

		if (*written && is_late(writer))
			break;
		stamp(writer, len);
		if (stop_check(writer->plan->stop, err) ||
		    write_full(fd, writer->noise, len, path, err))
			return -1;
		/* Data in memory is not written yet: waits for it. */
		sync_file_range(fd, (off_t)*written, (off_t)len,
		    SYNC_FILE_RANGE_WRITE |
		        (bytes > WRITE_BYTES ? SYNC_FILE_RANGE_WAIT_AFTER : 0));
		*written += len;
	}
	return 0;
}

static int write_file(struct writer *writer, const char *path, uint64_t bytes,
    uint64_t *written, struct error *err)
{
	const int fd =
	    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int rc;

	if (fd < 0)
		return error_errno(err, "write", path);
	rc = write_noise(writer, fd, path, bytes, written, err);
	if (close(fd) && rc == 0)
		rc = error_errno(err, "write", path);
	return rc;
}

/* Sets the deadline to `share` of the plan's time for writing. */
static void set_deadline(struct writer *writer, double share)
{
	writer->deadline_ns = clock_now(&clock_monotonic) +
	                      (uint64_t)(1e9 * share * writer->plan->write_s);
}

/* Makes the large files, all as long as the shortest. */
static int make_large(
    struct writer *writer, struct probe_files *files, struct error *err)
{
	const unsigned count = files->large_count;
	uint64_t bytes = writer->plan->large_bytes / count, written;
	const uint64_t unit = bytes < PROBE_READ ? PROBE_REQUEST : PROBE_READ;
	char path[PROBE_PATH];

	bytes = bytes < unit ? unit : bytes / unit * unit;
	for (unsigned i = 0; i < count; i++) {
		set_deadline(writer, 0.6 / count);
		probe_large_path(files, i, path);
		if (write_file(writer, path, bytes, &written, err))
			return -1;
		bytes = written;
	}
	for (unsigned i = 0; i < count; i++) {
		probe_large_path(files, i, path);
		if (truncate(path, (off_t)bytes))
			return error_errno(err, "cut", path);
	}
	files->large_bytes = bytes;
	return 0;
}

/* Makes the small files, at least one for each thread. */
static int make_small(
    struct writer *writer, struct probe_files *files, struct error *err)
{
	const struct probe_plan *plan = writer->plan;
	const unsigned least = files->large_count;
	const uint64_t most = plan->files > least ? plan->files : least;
	char path[PROBE_PATH];
	uint64_t written;

	files->small_bytes = plan->file_bytes;
	files->layout = 1;
	set_deadline(writer, 0.4);
	for (uint64_t i = 0; i < most && (i < least || !is_late(writer)); i++) {
		probe_small_path(files, i, path);
		if (write_file(writer, path, files->small_bytes, &written, err))
			return -1;
		files->small_count = i + 1;
	}
	return 0;
}

static int check_room(const struct probe_plan *plan, struct error *err)
{
	const double need =
	    1.05 * ((double)plan->large_bytes +
	               (double)plan->files * (double)plan->file_bytes);
	char needed[UNITS_TEXT], free_text[UNITS_TEXT];
	uint64_t room;

	if (path_free_bytes(plan->dir, &room, err))
		return -1;
	if (need <= (double)room)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "%s: %s are free, the probe needs %s; it takes less with fewer "
	    "or smaller files",
	    plan->dir, units_bytes((double)room, free_text),
	    units_bytes(need, needed));
}

static int make_folder(
    const struct probe_plan *plan, struct probe_files *files, struct error *err)
{
	files->dir = own_folder_new(
	    plan->dir, OWN_FOLDER_PROBE, false, &files->lock, err);
	if (!files->dir)
		return -1;
	if (strlen(files->dir) + 80 > PROBE_PATH)
		return error_set(
		    err, ERROR_USAGE, "%s: the path is too long", plan->dir);
	return 0;
}

/*
 * Unsynced data is certainly in the page cache. If it does not show there, the
 * page cache cannot be inspected.
 */
static int find_blind(
    struct probe_files *files, const unsigned char *noise, struct error *err)
{
	char *path = path_join(files->dir, "look", err);
	const int fd =
	    path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
	         : -1;
	double percent = 0;
	int rc = -1;

	if (path && fd < 0)
		error_errno(err, "write", path);
	if (fd >= 0) {
		rc = write_full(fd, noise, PROBE_READ, path, err);
		if (rc == 0)
			rc = residency_of_folder(files->dir, &percent, err);
		close(fd);
		unlink(path);
	}
	files->blind = percent < 50;
	free(path);
	return rc;
}

int probe_files_make(
    const struct probe_plan *plan, struct probe_files *files, struct error *err)
{
	struct random random = random_stream(1, 0, 0, 0);
	struct writer writer = { .plan = plan };
	int rc;

	*files = (struct probe_files){ .large_count = 1, .lock = LOCK_INIT };
	for (unsigned i = 0; i < plan->thread_count; i++)
		if (plan->threads[i] > files->large_count)
			files->large_count = plan->threads[i];
	if (check_room(plan, err) || make_folder(plan, files, err))
		return -1;
	writer.noise = malloc(WRITE_BYTES);
	if (!writer.noise)
		return error_memory(err, WRITE_BYTES);
	random_fill(&random, writer.noise, WRITE_BYTES);
	rc = find_blind(files, writer.noise, err);
	if (rc == 0)
		rc = make_large(&writer, files, err);
	if (rc == 0)
		rc = make_small(&writer, files, err);
	free(writer.noise);
	return rc;
}

int probe_files_arrange(
    struct probe_files *files, unsigned layout, struct error *err)
{
	char from[PROBE_PATH], to[PROBE_PATH];

	for (uint64_t i = 0; layout != files->layout && i < files->small_count;
	     i++) {
		small_path(files, files->layout, i, from);
		small_path(files, layout, i, to);
		if (path_rename(from, to, err))
			return -1;
	}
	files->layout = layout;
	return 0;
}

int probe_files_remove(struct probe_files *files, struct error *err)
{
	int rc = 0;

	if (files->dir)
		rc = own_folder_remove(files->dir, &files->lock, err);
	free(files->dir);
	files->dir = NULL;
	return rc;
}
