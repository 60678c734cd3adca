/* lock_held.c - see lock_held.h. */
#include "lib/files/lock_held.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"

enum { NAME = 4096 };

/* ---- who holds a lock ---- */

/* One word of printable characters, as a line of a file can hold it. */
static void own_host(char host[HOST_NAME])
{
	host_name(host);
	for (char *c = host; *c; c++)
		if (*c <= ' ' || *c > '~')
			*c = '?';
}

void holder_line(char line[HOLDER_TEXT])
{
	char host[HOST_NAME], since[CLOCK_TEXT];

	own_host(host);
	clock_date(time(NULL), since);
	snprintf(line, HOLDER_TEXT, "process %ld on %s since %s UTC",
	    (long)getpid(), host, since);
}

bool holder_has_ended(const char *line)
{
	char host[HOST_NAME], there[HOST_NAME];
	long pid;

	own_host(host);
	return sscanf(line, "process %ld on %255s", &pid, there) == 2 &&
	       strcmp(host, there) == 0 && pid > 0 && kill((pid_t)pid, 0) &&
	       errno == ESRCH;
}

/* ---- the file beside ---- */

bool held_is_needed(int error_number)
{
	return error_number == ENOLCK || error_number == EOPNOTSUPP ||
	       error_number == ENOSYS;
}

/* Creates a file with one line: 1; 0: it is there; -1. */
static int create(const char *name, const char *line)
{
	const int fd =
	    open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	const size_t len = strlen(line);
	ssize_t put;

	if (fd < 0)
		return errno == EEXIST ? 0 : -1;
	put = write(fd, line, len);
	if (put >= 0 && (size_t)put < len)
		errno = ENOSPC;
	if (close(fd) == 0 && put == (ssize_t)len)
		return 1;
	unlink(name);
	return -1;
}

/* Reads the line of a holder; "" where nobody has written one. */
static void read_line(const char *name, char line[HOLDER_TEXT])
{
	const int fd = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	const ssize_t got = fd < 0 ? -1 : read(fd, line, HOLDER_TEXT - 1);

	line[got > 0 ? got : 0] = '\0';
	for (char *c = line; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (fd >= 0)
		close(fd);
}

/*
 * Replaces the file of a process that has ended: 1; 0: another did.  A file
 * whose name is of that holder lets one process at a time do so, and it looks
 * again before it does.
 */
static int take_over(const char *name, const char *ended, const char *line)
{
	char taken[NAME + 32], now[HOLDER_TEXT], other[NAME + 64];
	int rc = 0;

	snprintf(taken, sizeof(taken), "%s-%016" PRIx64 ".taken", name,
	    hash_bytes(ended, strlen(ended), 0));
	if (create(taken, line) <= 0)
		return 0;
	read_line(name, now);
	if (strcmp(now, ended) == 0) {
		snprintf(other, sizeof(other), "%s.%ld", taken, (long)getpid());
		if (create(other, line) > 0)
			rc = rename(other, name) == 0;
		if (!rc)
			unlink(other);
	}
	unlink(taken);
	return rc;
}

static bool name_beside(const char *path, char name[NAME])
{
	const int len = snprintf(name, NAME, "%s" HELD_SUFFIX, path);

	errno = ENAMETOOLONG;
	return len > 0 && len < NAME;
}

static int error_held(
    const char *path, const char *name, const char *holder, struct error *err)
{
	return error_set(err, ERROR_SYSTEM,
	    "%s is in use by another presto: %s; wait until it has ended. Its "
	    "file system has no locks: if that process was killed, remove %s",
	    path, *holder ? holder : "unknown", name);
}

int held_take(const char *path, struct error *err)
{
	char name[NAME], line[HOLDER_TEXT], holder[HOLDER_TEXT];
	int rc;

	if (!name_beside(path, name))
		return error_errno(err, "lock", path);
	holder_line(line);
	rc = create(name, line);
	if (rc < 0)
		return error_errno(err, "lock", path);
	if (rc > 0)
		return 0;
	read_line(name, holder);
	if (holder_has_ended(holder) && take_over(name, holder, line))
		return 0;
	return error_held(path, name, holder, err);
}

void held_give(const char *path)
{
	char name[NAME];

	if (name_beside(path, name))
		unlink(name);
}

bool held_is(const char *path)
{
	char name[NAME], holder[HOLDER_TEXT];

	if (!name_beside(path, name) || access(name, F_OK))
		return false;
	read_line(name, holder);
	return !holder_has_ended(holder);
}
