/* temporary.c - see temporary.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "lib/files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/host.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"

/* such as ".presto-0123abcd-0123456789ab.tmp" */
static const char name_begin[] = ".presto-";
static const char name_end[] = ".tmp";
enum { HOST_DIGITS = 8, RANDOM_DIGITS = 12, TRIES = 100 };

/* ---- names ---- */

static bool are_digits(const char *text, size_t count)
{
	return strspn(text, "0123456789abcdef") >= count;
}

bool temporary_is_name(const char *name)
{
	const size_t begin = sizeof(name_begin) - 1;
	const char *host = name + begin, *random = host + HOST_DIGITS + 1;

	return strncmp(name, name_begin, begin) == 0 &&
	       are_digits(host, HOST_DIGITS) && host[HOST_DIGITS] == '-' &&
	       are_digits(random, RANDOM_DIGITS) &&
	       strcmp(random + RANDOM_DIGITS, name_end) == 0;
}

void temporary_host(char text[9])
{
	char host[HOST_NAME];

	host_name(host);
	snprintf(
	    text, 9, "%08" PRIx32, (uint32_t)hash_bytes(host, strlen(host), 0));
}

static int make_name(char name[TEMPORARY_NAME], struct error *err)
{
	char host[9];
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return error_errno(err, "get", "a random number");
	temporary_host(host);
	snprintf(name, TEMPORARY_NAME, "%s%s-%012" PRIx64 "%s", name_begin,
	    host, random >> 16, name_end);
	return 0;
}

char *temporary_path(const char *dir, struct error *err)
{
	char name[TEMPORARY_NAME];

	return make_name(name, err) ? NULL : path_join(dir, name, err);
}

/* Makes a new name in the folder of `path`; owned by the caller. */
static char *name_beside(const char *path, struct error *err)
{
	char *dir = path_dir(path, err);
	char *beside = dir ? temporary_path(dir, err) : NULL;

	free(dir);
	return beside;
}

/* ---- beginning ---- */

/* Without /proc the file could not be named later: refuse it. */
static int open_unnamed(const char *path)
{
	struct error ignored = ERROR_INIT;
	char *dir = path_dir(path, &ignored), self[32];
	int fd = -1;

	if (dir)
		fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	free(dir);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (fd < 0 || access(self, F_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Opens and locks a new file: 1; 0: a sweep removed it before the lock. */
static int open_named(struct temporary *temporary, struct error *err)
{
	struct stat status;

	free(temporary->name);
	temporary->name = name_beside(temporary->path, err);
	if (!temporary->name)
		return -1;
	temporary->fd = open(temporary->name,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (temporary->fd < 0 && errno == EEXIST)
		return 0;
	if (temporary->fd < 0)
		return error_errno(err, "write", temporary->path);
	if (lock_file(temporary->fd) != 0 &&
	    fstat(temporary->fd, &status) == 0 && status.st_nlink > 0)
		return 1;
	close(temporary->fd);
	temporary->fd = -1;
	return 0;
}

static int set_path(
    struct temporary *temporary, const char *path, struct error *err)
{
	*temporary = (struct temporary)TEMPORARY_INIT;
	temporary->path = strdup(path);
	return temporary->path ? 0 : error_memory(err, strlen(path) + 1);
}

static int begin_named(struct temporary *temporary, struct error *err)
{
	for (int i = 0; i < TRIES; i++) {
		const int rc = open_named(temporary, err);

		if (rc != 0)
			return rc < 0 ? -1 : 0;
	}
	errno = EEXIST;
	return error_errno(err, "write", temporary->path);
}

int temporary_begin(
    struct temporary *temporary, const char *path, struct error *err)
{
	if (set_path(temporary, path, err))
		return -1;
	temporary->fd = open_unnamed(path);
	return temporary->fd >= 0 ? 0 : begin_named(temporary, err);
}

int temporary_begin_named(
    struct temporary *temporary, const char *path, struct error *err)
{
	if (set_path(temporary, path, err))
		return -1;
	return begin_named(temporary, err);
}

/* ---- the end ---- */

/* Gives an unnamed file a name that does not exist yet. */
static int link_to(const struct temporary *temporary, const char *path)
{
	char self[32];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", temporary->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Only a file with a name can replace another file. */
static int take_name(struct temporary *temporary, struct error *err)
{
	int rc = -1;

	if (temporary->name)
		return 0;
	lock_file(temporary->fd);
	errno = EEXIST;
	for (int i = 0; rc && errno == EEXIST && i < TRIES; i++) {
		free(temporary->name);
		temporary->name = name_beside(temporary->path, err);
		if (!temporary->name)
			return -1;
		rc = link_to(temporary, temporary->name);
	}
	if (rc == 0)
		return 0;
	free(temporary->name);
	temporary->name = NULL;
	return error_errno(err, "write", temporary->path);
}

static void forget_name(struct temporary *temporary)
{
	free(temporary->name);
	temporary->name = NULL;
}

static void forget_path(struct temporary *temporary)
{
	free(temporary->path);
	temporary->path = NULL;
}

int temporary_publish(struct temporary *temporary, struct error *err)
{
	if (!temporary->name && link_to(temporary, temporary->path) == 0) {
		forget_path(temporary);
		return 0;
	}
	if (take_name(temporary, err))
		return -1;
	if (rename(temporary->name, temporary->path))
		return error_errno(err, "write", temporary->path);
	forget_name(temporary);
	forget_path(temporary);
	return 0;
}

/* For file systems without hard links: FAT, some of FUSE. */
static int rename_new(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	errno = EEXIST;
	return path_exists(to) ? -1 : rename(from, to);
}

int temporary_publish_new(struct temporary *temporary, struct error *err)
{
	const char *path = temporary->path;
	int rc;

	if (!temporary->name) {
		rc = link_to(temporary, path);
	} else {
		rc = link(temporary->name, path);
		if (rc && errno != EEXIST)
			rc = rename_new(temporary->name, path);
		else if (rc == 0)
			unlink(temporary->name);
	}
	if (rc)
		return errno == EEXIST ? 0 : error_errno(err, "write", path);
	forget_name(temporary);
	forget_path(temporary);
	return 1;
}

void temporary_end(struct temporary *temporary)
{
	if (temporary->name && temporary->fd >= 0)
		unlink(temporary->name);
	if (temporary->fd >= 0)
		close(temporary->fd);
	forget_name(temporary);
	forget_path(temporary);
	temporary->fd = -1;
}

char *temporary_folder(const char *dir, struct error *err)
{
	for (int i = 0; i < TRIES; i++) {
		char *path = temporary_path(dir, err);

		if (!path || mkdir(path, 0777) == 0)
			return path;
		free(path);
		if (errno != EEXIST)
			break;
	}
	error_errno(err, "make a folder in", dir);
	return NULL;
}
