/* path_write.c - writes files completely or not at all; see path_write.h. */
#define _GNU_SOURCE /* PROC_SUPER_MAGIC is Linux's */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/files/temporary.h"

enum { LINKS_MOST = 40, LINK_BYTES = 4096 };
/* Time for the reader of a pipe to start, as in a script. */
enum { OUTPUT_WAIT_MS = 1000, WAIT_STEP_MS = 10 };

int path_write_open(
    int fd, const char *path, struct span bytes, struct error *err)
{
	while (bytes.len) {
		const ssize_t put = write(fd, bytes.data, bytes.len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_errno(err, "write", path);
		bytes.data += put;
		bytes.len -= (size_t)put;
	}
	if (fsync(fd) && errno != EINVAL) /* a pipe cannot be synced */
		return error_errno(err, "sync", path);
	return 0;
}

int temporary_write(
    struct temporary *temporary, struct span bytes, struct error *err)
{
	return path_write_open(temporary->fd, temporary->path, bytes, err);
}

int path_write(const char *path, struct span bytes, struct error *err)
{
	struct temporary temporary = TEMPORARY_INIT;
	char *dir = path_dir(path, err);
	int rc = -1;

	if (dir && temporary_begin(&temporary, path, err) == 0 &&
	    temporary_write(&temporary, bytes, err) == 0 &&
	    temporary_publish(&temporary, err) == 0)
		rc = path_sync_dir(dir, err);
	temporary_end(&temporary);
	free(dir);
	return rc;
}

/* ---- a path that the user gave ---- */

/* Opens the output.  For a reader of a pipe it waits OUTPUT_WAIT_MS at most. */
static int open_output(const char *path, struct error *err)
{
	const struct timespec pause = { .tv_nsec = WAIT_STEP_MS * 1000000L };
	int fd = -1;

	for (int ms = 0; ms <= OUTPUT_WAIT_MS; ms += WAIT_STEP_MS) {
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 || errno != ENXIO)
			break;
		nanosleep(&pause, NULL);
	}
	if (fd < 0 && errno == ENXIO)
		return error_set(err, ERROR_DATA,
		    "%s is a pipe (FIFO) that nobody reads: name a file, or "
		    "start its reader first",
		    path);
	if (fd < 0)
		return error_errno(err, "write", path);
	if (fcntl(fd, F_SETFL, O_WRONLY) == 0)
		return fd;
	error_errno(err, "write", path);
	close(fd);
	return -1;
}

/* Overwrites the existing file; never creates one. */
static int write_into(const char *path, struct span bytes, struct error *err)
{
	const int fd = open_output(path, err);
	int rc;

	if (fd < 0)
		return -1;
	rc = path_write_open(fd, path, bytes, err);
	if (close(fd) && rc == 0)
		rc = error_errno(err, "write", path);
	return rc;
}

/* /dev/stdout leads into /proc: such a target is written to, not replaced. */
static bool is_of_proc(const char *dir)
{
	struct statfs system;

	return statfs(dir, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/*
 * Applies the kernel's rule of protected_symlinks: in a sticky folder that all
 * may write to, a link must belong to the user or to the folder's owner.
 */
static int check_link(const char *dir, const char *path,
    const struct stat *link, struct error *err)
{
	struct stat folder;

	if (stat(dir, &folder))
		return error_errno(err, "look at", dir);
	if (!(folder.st_mode & S_ISVTX) || !(folder.st_mode & S_IWOTH) ||
	    link->st_uid == geteuid() || link->st_uid == folder.st_uid)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s is a link of another user in a folder that all may write to: "
	    "choose another name, or remove the link",
	    path);
}

/* Replaces *path by the target of the link. */
static int follow(char **path, const char *dir, struct error *err)
{
	char target[LINK_BYTES];
	const ssize_t len = readlink(*path, target, sizeof(target) - 1);
	char *next;

	if (len < 0)
		return error_errno(err, "read link", *path);
	target[len] = '\0';
	next = path_join(dir, target, err);
	if (!next)
		return -1;
	free(*path);
	*path = next;
	return 0;
}

/*
 * Follows the links at the end of *path.  Returns 1 if *path is to be replaced
 * or created, 0 if it is to be written to.
 */
static int resolve(char **path, struct error *err)
{
	struct stat status;

	for (int i = 0; i < LINKS_MOST; i++) {
		char *dir;
		int rc;

		if (lstat(*path, &status))
			return errno == ENOENT
			           ? 1
			           : error_errno(err, "write", *path);
		if (!S_ISLNK(status.st_mode))
			return S_ISREG(status.st_mode) ||
			       S_ISDIR(status.st_mode);
		dir = path_dir(*path, err);
		if (!dir)
			return -1;
		rc = is_of_proc(dir) ? 1 : check_link(dir, *path, &status, err);
		if (rc == 0)
			rc = follow(path, dir, err);
		free(dir);
		if (rc)
			return rc < 0 ? -1 : 0;
	}
	errno = ELOOP;
	return error_errno(err, "write", *path);
}

int path_write_output(const char *path, struct span bytes, struct error *err)
{
	char *at = strdup(path);
	int rc;

	if (!at)
		return error_memory(err, strlen(path) + 1);
	rc = resolve(&at, err);
	if (rc == 0)
		rc = write_into(at, bytes, err);
	else if (rc > 0)
		rc = path_write(at, bytes, err);
	free(at);
	return rc;
}
