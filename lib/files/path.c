/* path.c - see path.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/input.h"
#include "lib/files/path.h"
#include "lib/files/url.h"

enum { READ_STEP = 1 << 16 };

static char *copy_bytes(const char *text, size_t len, struct error *err)
{
	char *copy = strndup(text, len);

	if (!copy)
		error_memory(err, len + 1);
	return copy;
}

char *path_join(const char *dir, const char *name, struct error *err)
{
	const size_t dir_len = strlen(dir), name_len = strlen(name);
	const bool slash = dir_len && dir[dir_len - 1] != '/';
	char *path;

	if (*name == '/' || !dir_len || url_is(name))
		return copy_bytes(name, name_len, err);
	path = malloc(dir_len + name_len + 2);
	if (!path) {
		error_memory(err, dir_len + name_len + 2);
		return NULL;
	}
	memcpy(path, dir, dir_len);
	path[dir_len] = '/';
	memcpy(path + dir_len + (slash ? 1 : 0), name, name_len + 1);
	return path;
}

/* Returns the length without trailing slashes; 1 for the root. */
static size_t trim_slashes(const char *path, size_t len)
{
	while (len > 1 && path[len - 1] == '/')
		len--;
	return len;
}

char *path_dir(const char *path, struct error *err)
{
	const size_t root = url_root(path);
	size_t len = root ? url_path_len(path) : strlen(path);

	len = trim_slashes(path, len);
	while (len > root && path[len - 1] != '/')
		len--;
	if (!len)
		return copy_bytes(".", 1, err);
	return copy_bytes(path, trim_slashes(path, len), err);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	/* A query may have slashes. */
	if (url_is(path))
		for (slash = path + url_path_len(path); *slash != '/'; slash--)
			;
	return slash ? slash + 1 : path;
}

char *path_absolute(const char *path, struct error *err)
{
	const char *name = *path ? path : ".";
	char *resolved;

	if (url_is(path))
		return copy_bytes(path, strlen(path), err);
	resolved = realpath(name, NULL);
	if (!resolved)
		error_errno(err, "find", name);
	return resolved;
}

bool path_exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0;
}

bool path_is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int make_dir(const char *path, struct error *err)
{
	struct stat status;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return error_errno(err, "make folder", path);
	if (stat(path, &status))
		return error_errno(err, "make folder", path);
	if (S_ISDIR(status.st_mode))
		return 0;
	errno = ENOTDIR;
	return error_errno(err, "make folder", path);
}

int path_make_dirs(const char *path, struct error *err)
{
	const size_t len = trim_slashes(path, strlen(path));
	char *part;
	int rc;

	if (url_is(path))
		return error_set(err, ERROR_USAGE,
		    "cannot make folder %s: it must be a local path", path);
	part = copy_bytes(path, len, err);
	rc = part ? 0 : -1;
	for (size_t i = 1; rc == 0 && i < len; i++) {
		if (part[i] != '/' || part[i - 1] == '/')
			continue;
		part[i] = '\0';
		rc = make_dir(part, err);
		part[i] = '/';
	}
	if (rc == 0)
		rc = make_dir(part, err);
	free(part);
	return rc;
}

/* Reads until the end; `hint` is the size that fstat reports. */
static int read_all(int fd, const char *path, size_t limit, size_t hint,
    struct buf *out, struct error *err)
{
	const size_t start = out->len;
	size_t room = hint + 1; /* one more byte shows the end at once */
	char size[UNITS_TEXT];
	ssize_t got;

	for (;;) {
		if (out->cap - out->len < room &&
		    buf_reserve(out, out->len + room, err))
			return -1;
		got = read(fd, out->data + out->len, out->cap - out->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, "read", path);
		if (got == 0)
			return 0;
		out->len += (size_t)got;
		if (out->len - start > limit)
			return error_set(err, ERROR_LIMIT,
			    "read %s: larger than %s", path,
			    units_bytes((double)limit, size));
		if (out->len == out->cap)
			room = out->len - start + READ_STEP;
		else
			room = 1;
	}
}

/* Reads the open file `fd` and closes it. */
static int read_open(int fd, const struct stat *status, const char *path,
    size_t limit, struct buf *out, struct error *err)
{
	const size_t start = out->len;
	size_t hint = 0;
	int rc;

	if (S_ISREG(status->st_mode) && status->st_size > 0)
		hint = (uintmax_t)status->st_size < limit
		           ? (size_t)status->st_size
		           : limit;
	rc = read_all(fd, path, limit, hint, out, err);
	if (rc)
		out->len = start;
	close(fd);
	return rc;
}

int path_read(
    const char *path, size_t limit, struct buf *out, struct error *err)
{
	struct stat status;
	const int fd = input_open(path, O_RDONLY, &status, err);

	return fd < 0 ? -1 : read_open(fd, &status, path, limit, out, err);
}

int path_read_text(const char *path, size_t limit, struct buf *out,
    bool *is_pipe, struct error *err)
{
	struct stat status;
	const int fd = input_open_text(path, &status, err);

	*is_pipe = fd >= 0 && S_ISFIFO(status.st_mode);
	return fd < 0 ? -1 : read_open(fd, &status, path, limit, out, err);
}

int path_sync_dir(const char *path, struct error *err)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return error_errno(err, "sync", path);
	/* Some file systems (FUSE, 9p) have no sync for folders. */
	if (fsync(fd) && errno != EINVAL && errno != ENOTSUP)
		rc = error_errno(err, "sync", path);
	close(fd);
	return rc;
}

int path_rename(const char *from, const char *to, struct error *err)
{
	if (rename(from, to))
		return error_errno(err, "rename", from);
	return 0;
}

int path_free_bytes(const char *path, uint64_t *bytes, struct error *err)
{
	struct statvfs system;
	char *at;
	int rc;

	if (url_is(path))
		return error_set(
		    err, ERROR_USAGE, "%s: it must be a local path", path);
	at = copy_bytes(path, strlen(path), err);
	while (at) {
		char *above;

		rc = statvfs(at, &system);
		if (rc == 0 || errno != ENOENT || strcmp(at, ".") == 0 ||
		    strcmp(at, "/") == 0)
			break;
		above = path_dir(at, err);
		free(at);
		at = above;
	}
	if (!at)
		return -1;
	rc = statvfs(at, &system);
	if (rc)
		rc = error_errno(err, "ask for the free space of", at);
	else
		*bytes = (uint64_t)system.f_bavail * system.f_frsize;
	free(at);
	return rc;
}
