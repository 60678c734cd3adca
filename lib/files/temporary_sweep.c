/* temporary_sweep.c - removes files of killed processes; see temporary_sweep.h.
 */
#define _GNU_SOURCE /* BTRFS_SUPER_MAGIC and others are Linux's */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"
#include "lib/files/temporary_sweep.h"

struct sweep {
	const char *dir;
	int fd;         /* the open folder */
	bool own;       /* the caller uses the folder alone */
	bool is_shared; /* hosts share it: remove only files of this host */
	char host[9];
	struct swept *swept;
};

bool temporary_is_shared(int fd)
{
	static const long local[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,
		BTRFS_SUPER_MAGIC, TMPFS_MAGIC, RAMFS_MAGIC,
		OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, MSDOS_SUPER_MAGIC,
		0x2fc12fc1 /* ZFS */, 0xca451a4e /* bcachefs */ };
	struct statfs system;

	if (fstatfs(fd, &system))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(local); i++)
		if (system.f_type == local[i])
			return false;
	return true;
}

static bool is_of(const char *name, const char *host)
{
	return strncmp(strchr(name, '-') + 1, host, strlen(host)) == 0;
}

/* Has the file no living process?  Then this process holds it until closed. */
static bool is_left(const struct sweep *sweep, int fd, const char *name,
    const struct stat *status)
{
	const int locked = lock_file(fd);
	struct stat now;

	if (locked == 0 || (locked < 0 && !sweep->own))
		return false;
	return fstat(fd, &now) == 0 && now.st_ino == status->st_ino &&
	       fstatat(sweep->fd, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       now.st_ino == status->st_ino;
}

static int sweep_file(struct sweep *sweep, const char *name,
    const struct stat *status, struct error *err)
{
	const int fd = openat(
	    sweep->fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return 0;
	if (is_left(sweep, fd, name, status)) {
		if (unlinkat(sweep->fd, name, 0)) {
			error_errno(err, "remove", name);
			rc = error_prefix(err, "%s", sweep->dir);
		} else {
			sweep->swept->bytes += status->st_nlink == 1
			                           ? (uint64_t)status->st_size
			                           : 0;
			sweep->swept->count++;
		}
	}
	close(fd);
	return rc;
}

static int sweep_folder(
    struct sweep *sweep, const char *name, struct error *err)
{
	char *path = path_join(sweep->dir, name, err);
	int rc = -1;

	if (path)
		rc = path_remove_content(path, NULL, &sweep->swept->bytes, err);
	if (rc == 0)
		rc = path_remove_tree(path, err);
	if (rc == 0)
		sweep->swept->count++;
	free(path);
	return rc;
}

static int sweep_entry(struct sweep *sweep, const char *name, struct error *err)
{
	struct stat status;

	if (!temporary_is_name(name) ||
	    (sweep->is_shared && !is_of(name, sweep->host)) ||
	    fstatat(sweep->fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    status.st_uid != geteuid())
		return 0;
	if (S_ISREG(status.st_mode))
		return sweep_file(sweep, name, &status, err);
	if (S_ISDIR(status.st_mode) && sweep->own)
		return sweep_folder(sweep, name, err);
	return 0;
}

int temporary_sweep(
    const char *dir, bool own, struct swept *swept, struct error *err)
{
	struct sweep sweep = { .dir = dir, .own = own, .swept = swept };
	const struct dirent *entry;
	DIR *open = opendir(dir);
	int rc = 0;

	if (!open)
		return errno == ENOENT ? 0
		                       : error_errno(err, "open folder", dir);
	sweep.fd = dirfd(open);
	sweep.is_shared = temporary_is_shared(sweep.fd);
	temporary_host(sweep.host);
	while (rc == 0 && (entry = readdir(open)))
		rc = sweep_entry(&sweep, entry->d_name, err);
	closedir(open);
	return rc;
}

void swept_words(
    const struct swept *swept, const char *dir, char text[SWEPT_TEXT])
{
	char size[UNITS_TEXT];

	snprintf(text, SWEPT_TEXT,
	    "removed %llu temporary file%s (%s) in %s, left by a run that was "
	    "killed",
	    (unsigned long long)swept->count, swept->count == 1 ? "" : "s",
	    units_bytes((double)swept->bytes, size), dir);
}
