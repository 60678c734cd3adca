/* input.c - see input.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/input.h"

enum { PIPE_FILE_SYSTEM = 0x50495045 }; /* file system of anonymous pipes */

static const struct kind {
	mode_t type;
	const char *name;
} kinds[] = {
	{ S_IFDIR, "a folder" },
	{ S_IFIFO, "a pipe (FIFO)" },
	{ S_IFSOCK, "a socket" },
	{ S_IFCHR, "a device" },
	{ S_IFBLK, "a block device" },
};

static int check(const char *path, const struct stat *status, struct error *err)
{
	const mode_t type = status->st_mode & S_IFMT;
	const char *name = "something else";

	if (type == S_IFREG)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].type == type)
			name = kinds[i].name;
	return error_set(
	    err, ERROR_DATA, "%s is %s, not a file: name a file", path, name);
}

int input_check_path(const char *path, struct error *err)
{
	struct stat status;

	return stat(path, &status) ? 0 : check(path, &status, err);
}

/* Opens without waiting, neither for a writer nor for a modem. */
static int open_now(
    const char *path, int flags, struct stat *status, struct error *err)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const int why = errno;

	if (fd < 0 && input_check_path(path, err))
		return -1; /* such as a socket, which cannot be opened */
	/* Another process holds a lease on the file: wait for it. */
	if (fd < 0 && why == EWOULDBLOCK)
		fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
	else
		errno = why;
	if (fd < 0)
		return error_errno(err, "open", path);
	if (fstat(fd, status) == 0)
		return fd;
	error_errno(err, "look at", path);
	close(fd);
	return -1;
}

int input_open(
    const char *path, int flags, struct stat *status, struct error *err)
{
	const int fd = open_now(path, flags, status, err);

	if (fd < 0 || check(path, status, err) == 0)
		return fd;
	close(fd);
	return -1;
}

/* An anonymous pipe has a writer, or is at its end. */
static bool has_name(int fd)
{
	struct statfs system;

	return fstatfs(fd, &system) || system.f_type != PIPE_FILE_SYSTEM;
}

/* Makes later reads wait for the writer. */
static int wait_for_writer(int fd, const char *path, struct error *err)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	const int flags = fcntl(fd, F_GETFL);

	if (has_name(fd) && poll(&ready, 1, INPUT_WAIT_MS) == 0)
		return error_set(err, ERROR_DATA,
		    "%s is a pipe (FIFO) that nobody writes to: name a file, "
		    "or write to it first",
		    path);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		return error_errno(err, "read", path);
	return 0;
}

int input_open_text(const char *path, struct stat *status, struct error *err)
{
	const int fd = open_now(path, O_RDONLY, status, err);

	if (fd < 0)
		return -1;
	if (S_ISFIFO(status->st_mode) ? wait_for_writer(fd, path, err) == 0
	                              : check(path, status, err) == 0)
		return fd;
	close(fd);
	return -1;
}
