/*
 * lock.c - see lock.h.
 *
 * Locks of open file descriptions are used if the kernel has them.  POSIX locks
 * belong to the process: they are lost as soon as it closes any descriptor of
 * the file, even one that was only read from.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "lib/files/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/input.h"
#include "lib/files/lock_held.h"

enum {
	FILE_TEXT = LOCK_TEXT + HOLDER_TEXT + 16,
	PATIENCE = 50, /* milliseconds a new holder has to write its name */
};

static const char held_by[] = "held by ";

/* Locks or unlocks against other processes; returns 0 or -1 like fcntl. */
static int try_fcntl(
    int fd, int of_description, int of_process, short type, struct flock *lock)
{
	*lock = (struct flock){ .l_type = type, .l_whence = SEEK_SET };
	if (fcntl(fd, of_description, lock) == 0)
		return 0;
	if (errno != EINVAL)
		return -1;
	*lock = (struct flock){ .l_type = type, .l_whence = SEEK_SET };
	return fcntl(fd, of_process, lock);
}

/* ---- the holder ---- */

/* Reads the whole file, terminated; -1 and "" if it cannot be read. */
static int read_text(int fd, char text[FILE_TEXT])
{
	ssize_t got;

	do
		got = pread(fd, text, FILE_TEXT - 1, 0);
	while (got < 0 && errno == EINTR);
	text[got > 0 ? got : 0] = '\0';
	return got < 0 ? -1 : 0;
}

/* Finds the second line; NULL: not written yet. */
static char *find_holder(char *text)
{
	char *line = strchr(text, '\n');
	char *end = line ? strchr(++line, '\n') : NULL;

	if (!end || strncmp(line, held_by, strlen(held_by)) != 0)
		return NULL;
	*end = '\0';
	for (char *c = line; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return line + strlen(held_by);
}

/* The line of a killed process stays until the next holder writes. */
static int error_held(int fd, const char *path, struct error *err)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	char text[FILE_TEXT], *holder = NULL;

	for (int i = 0; i < PATIENCE; i++) {
		holder = read_text(fd, text) ? NULL : find_holder(text);
		if (holder && !holder_has_ended(holder))
			break;
		nanosleep(&moment, NULL);
	}
	return error_set(err, ERROR_SYSTEM,
	    "%s is in use by another presto%s%s; wait until it has ended, or "
	    "stop it",
	    path, holder ? ": " : "", holder ? holder : "");
}

/* ---- taking it ---- */

/* Does the name still lead to the open file?  1, 0, or -1: unknown. */
static int is_named(int fd, const char *path)
{
	struct stat open, named;

	if (fstat(fd, &open))
		return -1;
	if (lstat(path, &named))
		return errno == ENOENT ? 0 : -1;
	return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

static int check_regular(int fd, const char *path, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_errno(err, "lock", path);
	if (S_ISREG(status.st_mode))
		return 0;
	return error_set(err, ERROR_SYSTEM,
	    "cannot lock %s: it is not a regular file; remove it", path);
}

int lock_file(int fd)
{
	struct flock lock;

	if (try_fcntl(fd, F_OFD_SETLK, F_SETLK, F_WRLCK, &lock) == 0)
		return 1;
	return errno == EACCES || errno == EAGAIN ? 0 : -1;
}

void lock_file_end(int fd)
{
	struct flock lock;

	try_fcntl(fd, F_OFD_SETLK, F_SETLK, F_UNLCK, &lock);
}

/* Locks the open file, else its name: 0 or -1. */
static int hold(int fd, const char *path, bool *by_name, struct error *err)
{
	const int got = lock_file(fd);

	if (got > 0)
		return 0;
	if (got == 0)
		return error_held(fd, path, err);
	if (!held_is_needed(errno))
		return error_errno(err, "lock", path);
	*by_name = true;
	return held_take(path, err);
}

/* Returns 1: *fd is locked and has this name; 0: the name has moved on. */
static int try_once(const char *path, int *fd, bool *by_name, struct error *err)
{
	int rc = -1;

	*by_name = false;

	*fd = open(
	    path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	if (*fd < 0)
		return error_errno(err, "lock", path);
	if (check_regular(*fd, path, err) == 0 &&
	    hold(*fd, path, by_name, err) == 0) {
		rc = is_named(*fd, path);
		if (rc < 0)
			error_errno(err, "lock", path);
		if (rc <= 0 && *by_name)
			held_give(path);
	}
	if (rc <= 0)
		close(*fd);
	return rc;
}

/* Writes both lines at once: after a kill the old or the new ones are there. */
static int write_lines(struct lock *lock, bool sync)
{
	char text[FILE_TEXT], line[HOLDER_TEXT];
	ssize_t put;
	int len;

	holder_line(line);
	len = snprintf(
	    text, sizeof(text), "%s\n%s%s\n", lock->text, held_by, line);
	put = pwrite(lock->fd, text, (size_t)len, 0);
	if (put >= 0 && put < len)
		errno = ENOSPC; /* for the case that only a part was written */
	return put < len || ftruncate(lock->fd, len) ||
	               (sync && fsync(lock->fd))
	           ? -1
	           : 0;
}

/* Copies the first line of a file's text. */
static void take_first_line(const char *text, char line[LOCK_TEXT])
{
	size_t len = strcspn(text, "\n");

	if (len >= LOCK_TEXT)
		len = LOCK_TEXT - 1;
	memcpy(line, text, len);
	line[len] = '\0';
}

/* Keeps the first line that the holder before has written. */
static int keep_text(struct lock *lock)
{
	char text[FILE_TEXT];

	if (read_text(lock->fd, text))
		return -1;
	take_first_line(text, lock->text);
	return 0;
}

static void forget(struct lock *lock)
{
	if (lock->fd >= 0) {
		close(lock->fd);
		if (lock->by_name)
			held_give(lock->path);
	}
	free(lock->path);
	*lock = (struct lock)LOCK_INIT;
}

int lock_take(struct lock *lock, const char *path, struct error *err)
{
	int rc;

	*lock = (struct lock)LOCK_INIT;
	lock->path = strdup(path);
	if (!lock->path)
		return error_memory(err, strlen(path) + 1);
	do
		rc = try_once(path, &lock->fd, &lock->by_name, err);
	while (rc == 0);
	if (rc < 0) {
		lock->fd = -1;
	} else if (keep_text(lock)) {
		/* The file may have a first line, so it must stay. */
		rc = error_errno(err, "read", path);
	}
	if (rc < 0) {
		forget(lock);
		return -1;
	}
	/* On a full disk others are not told who holds the lock. */
	write_lines(lock, false);
	return 0;
}

int lock_write(struct lock *lock, const char *text, struct error *err)
{
	char before[LOCK_TEXT];

	memcpy(before, lock->text, LOCK_TEXT);
	snprintf(lock->text, sizeof(lock->text), "%s", text);
	if (write_lines(lock, true) == 0)
		return 0;
	error_errno(err, "write", lock->path);
	/* A partial line must not stay: it would be read as another text. */
	memcpy(lock->text, before, LOCK_TEXT);
	write_lines(lock, false);
	return -1;
}

void lock_release(struct lock *lock)
{
	if (lock->fd >= 0 && lock->path && !lock->text[0] &&
	    is_named(lock->fd, lock->path) > 0)
		unlink(lock->path);
	forget(lock);
}

int lock_remove(struct lock *lock, struct error *err)
{
	const int named = is_named(lock->fd, lock->path);
	int rc = 0;

	if (named < 0 || (named > 0 && unlink(lock->path)))
		rc = error_errno(err, "remove", lock->path);
	forget(lock);
	return rc;
}

void lock_peek(const char *path, char line[LOCK_TEXT])
{
	const int fd =
	    open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[FILE_TEXT] = "";

	if (fd >= 0) {
		read_text(fd, text);
		close(fd);
	}
	take_first_line(text, line);
}

bool lock_is_held(const char *path)
{
	struct error ignored = ERROR_INIT;
	struct stat status;
	const int fd = input_open(path, O_RDONLY, &status, &ignored);
	struct flock lock;
	bool is = false;

	if (fd < 0)
		return false;
	if (try_fcntl(fd, F_OFD_GETLK, F_GETLK, F_WRLCK, &lock) == 0)
		is = lock.l_type != F_UNLCK;
	else if (held_is_needed(errno))
		is = held_is(path);
	close(fd);
	return is;
}
