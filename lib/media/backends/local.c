/* local.c - the backend of local files: see backend.h. */
#define _GNU_SOURCE /* sync_file_range */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/input.h"
#include "lib/files/late_read.h"
#include "lib/files/mapping.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"
#include "lib/media/backends/backend.h"
#include "lib/media/backends/read_at.h"

/*
 * Written data is sent to the disk in parts of this size.  The kernel alone
 * would begin when a tenth of the memory is dirty, for most shards at the sync:
 * the disk would idle until then, and a thread would wait for it.
 */
enum { SENT_BYTES = 8 << 20, SENT_ALIGN = 4096 };

struct local_file {
	struct medium_file base;
	int fd;
	bool is_open;               /* fd is valid */
	uint64_t end;               /* bytes written so far */
	uint64_t sent;              /* bytes already sent to the disk */
	struct temporary temporary; /* the file behind fd, until it is closed */
	struct mapping_file mapped; /* for reading */
};

static struct local_file *local_of(struct medium_file *file)
{
	return (struct local_file *)file;
}

static struct local_file *local_init(struct medium_file *base)
{
	struct local_file *file = local_of(base);

	file->fd = -1;
	file->mapped = (struct mapping_file)MAPPING_FILE_INIT;
	file->temporary = (struct temporary)TEMPORARY_INIT;
	file->is_open = true;
	return file;
}

static int local_open(struct medium_file *base, struct error *err)
{
	struct local_file *file = local_init(base);
	struct stat status;

	file->fd = input_open(base->path, O_RDONLY, &status, err);
	if (file->fd < 0)
		return -1;
	base->size = (uint64_t)status.st_size;
	file->mapped.fd = file->fd;
	file->mapped.path = base->path;
	file->mapped.size = base->size;
	return 0;
}

static int local_begin(struct medium_file *base, struct error *err)
{
	struct local_file *file = local_init(base);

	if (temporary_begin(&file->temporary, base->path, err))
		return -1;
	file->fd = file->temporary.fd;
	return 0;
}

static int local_create(struct medium_file *base, struct error *err)
{
	struct local_file *file = local_init(base);

	file->fd = open(base->path,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return file->fd < 0 ? error_errno(err, "open", base->path) : 0;
}

static void local_close(struct medium_file *base)
{
	struct local_file *file = local_of(base);

	if (!file->is_open)
		return;
	mapping_file_release(&file->mapped);
	if (file->fd >= 0 && file->fd != file->temporary.fd)
		close(file->fd);
	temporary_end(&file->temporary);
}

static int64_t local_read(struct medium_file *base, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	return read_at(local_of(base)->fd, base->path, offset, data, len, err);
}

static bool local_is_same(
    const struct medium_file *a, const struct medium_file *b)
{
	struct stat of_a, of_b;

	return fstat(((const struct local_file *)a)->fd, &of_a) == 0 &&
	       fstat(((const struct local_file *)b)->fd, &of_b) == 0 &&
	       of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool local_map(struct medium_file *base, uint64_t offset, size_t len,
    struct mapping *mapping, unsigned char **data)
{
	return mapping_make(
	    mapping, &local_of(base)->mapped, offset, len, data);
}

static void local_widen(struct medium_file *base, size_t bytes)
{
	mapping_file_widen(&local_of(base)->mapped, bytes);
}

static bool local_note(struct medium_file *base, uint64_t offset, size_t len,
    struct late_read *late)
{
	return late_read_note(late, local_of(base)->fd, offset, len);
}

/* ---- writing ---- */

/* Starts the transfer without waiting for it. */
static void send_to_disk(struct local_file *file)
{
	const uint64_t whole = file->end - file->end % SENT_ALIGN;

	if (whole - file->sent < SENT_BYTES)
		return;
#ifdef SYNC_FILE_RANGE_WRITE
	sync_file_range(file->fd, (off_t)file->sent,
	    (off_t)(whole - file->sent), SYNC_FILE_RANGE_WRITE);
#endif
	file->sent = whole;
}

static int local_write(
    struct medium_file *base, const void *data, size_t len, struct error *err)
{
	struct local_file *file = local_of(base);
	const char *at = data;
	size_t left = len;

	while (left > 0) {
		const ssize_t n = write(file->fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "write", base->path);
		at += n;
		left -= (size_t)n;
	}
	file->end += len;
	send_to_disk(file);
	return 0;
}

static int local_write_at(struct medium_file *base, uint64_t offset,
    const void *data, size_t len, struct error *err)
{
	const int fd = local_of(base)->fd;
	size_t done = 0;

	while (done < len) {
		const ssize_t n = pwrite(fd, (const char *)data + done,
		    len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, "write", base->path);
		done += (size_t)n;
	}
	return 0;
}

static int local_sync(struct medium_file *base, struct error *err)
{
	return fsync(local_of(base)->fd) ? error_errno(err, "sync", base->path)
	                                 : 0;
}

static int local_publish(struct medium_file *base, struct error *err)
{
	return temporary_publish(&local_of(base)->temporary, err);
}

static int local_publish_new(struct medium_file *base, struct error *err)
{
	return temporary_publish_new(&local_of(base)->temporary, err);
}

/* ---- names and folders ---- */

static int local_get_status(void *state, const char *path,
    struct medium_status *status, struct error *err)
{
	struct stat is;

	UNUSED(state);
	if (stat(path, &is)) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		return error_errno(err, "look at", path);
	}
	if (S_ISDIR(is.st_mode)) {
		status->kind = MEDIUM_FOLDER;
		return 0;
	}
	status->kind = MEDIUM_FILE;
	status->bytes = S_ISREG(is.st_mode) ? (uint64_t)is.st_size : 0;
	snprintf(status->version, sizeof(status->version), "%jd.%09ld",
	    (intmax_t)is.st_mtim.tv_sec, (long)is.st_mtim.tv_nsec);
	return 0;
}

struct listing {
	medium_visit *visit;
	void *arg;
};

static int visit_local(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const struct listing *listing = arg;
	const struct medium_status status = { .kind = MEDIUM_FILE,
		.bytes = bytes };

	return listing->visit(listing->arg, name, &status, err);
}

static int local_list(void *state, const char *folder, medium_visit *visit,
    void *arg, struct error *err)
{
	struct listing listing = { visit, arg };

	UNUSED(state);
	return path_each(folder, visit_local, &listing, err);
}

static int local_remove(void *state, const char *path, struct error *err)
{
	UNUSED(state);
	if (unlink(path) && errno != ENOENT)
		return error_errno(err, "remove", path);
	return 0;
}

static int local_make_dirs(void *state, const char *path, struct error *err)
{
	UNUSED(state);
	return path_make_dirs(path, err);
}

static int local_rename(
    void *state, const char *from, const char *to, struct error *err)
{
	UNUSED(state);
	return path_rename(from, to, err);
}

static int local_sync_dir(void *state, const char *path, struct error *err)
{
	UNUSED(state);
	return path_sync_dir(path, err);
}

static char *local_temporary_folder(
    void *state, const char *dir, struct error *err)
{
	UNUSED(state);
	return temporary_folder(dir, err);
}

const struct backend backend_local = {
	.file_bytes = sizeof(struct local_file),
	.open = local_open,
	.begin = local_begin,
	.create = local_create,
	.close = local_close,
	.read = local_read,
	.is_same = local_is_same,
	.map = local_map,
	.widen = local_widen,
	.note = local_note,
	.write = local_write,
	.write_at = local_write_at,
	.sync = local_sync,
	.publish = local_publish,
	.publish_new = local_publish_new,
	.get_status = local_get_status,
	.list = local_list,
	.remove = local_remove,
	.make_dirs = local_make_dirs,
	.rename = local_rename,
	.sync_dir = local_sync_dir,
	.temporary_folder = local_temporary_folder,
};
