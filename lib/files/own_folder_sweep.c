/*
 * own_folder_sweep.c - removes what killed processes left; see
 * own_folder_sweep.h.
 *
 * A folder or file is removed only if it has a name of presto's, belongs to the
 * user, is not a link, and is not locked by a living process.  A folder with
 * content must also have a mark that permits it; the sweep holds its lock until
 * the mark is gone.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/lock.h"
#include "lib/files/own_folder.h"
#include "lib/files/own_folder_sweep.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary_sweep.h"

/* Size of old files: a few zeros, written to measure the time of a sync. */
enum { OLD_BYTES = 4096 };

struct sweep {
	const char *parent;
	int fd; /* the open folder */
	own_folder_tell *tell;
	void *arg;
	bool is_shared;
	struct swept swept; /* counts and sizes of removed files */
};

static void say(const struct sweep *sweep, const char *text)
{
	if (sweep->tell)
		sweep->tell(sweep->arg, text);
}

static void tell_error(const struct sweep *sweep, const struct error *why)
{
	char text[sizeof(why->text) + 64];

	snprintf(text, sizeof(text),
	    "%s; a run that was killed left it: remove it", why->text);
	say(sweep, text);
}

static void tell_folder(
    const struct sweep *sweep, const char *dir, uint64_t bytes)
{
	char size[UNITS_TEXT], text[SWEPT_TEXT];

	snprintf(text, sizeof(text),
	    "removed %s (%s), left by a run that was killed", dir,
	    units_bytes((double)bytes, size));
	say(sweep, text);
}

static void tell_files(const struct sweep *sweep)
{
	char text[SWEPT_TEXT];

	swept_words(&sweep->swept, sweep->parent, text);
	if (sweep->swept.count)
		say(sweep, text);
}

/* ---- folders ---- */

/*
 * May the folder be removed when its process is dead?  An empty one may, even
 * if it is to be kept: its process was killed before it wrote anything.
 */
static bool may_go(const struct sweep *sweep, const char *dir, const char *text)
{
	struct error ignored;
	char name[256];

	if (own_folder_may_go(text, sweep->is_shared))
		return true;
	return !sweep->is_shared &&
	       path_find_any(dir, OWN_FOLDER_MARK, name, &ignored) == 0 &&
	       !*name;
}

/* Returns 0: removed; 1: it must stay, or another process uses it. */
static int clear_if_dead(const struct sweep *sweep, const char *dir,
    const char *mark, uint64_t *bytes, struct error *err)
{
	struct error ignored = ERROR_INIT;
	char text[LOCK_TEXT];
	struct lock lock;
	int rc = 1;

	/* Check without the lock first, since this leaves no trace. */
	lock_peek(mark, text);
	if (!may_go(sweep, dir, text) || lock_is_held(mark) ||
	    lock_take(&lock, mark, &ignored))
		return 1;
	if (may_go(sweep, dir, lock.text))
		rc = own_folder_clear(dir, &lock, bytes, err);
	lock_release(&lock);
	return rc;
}

static void sweep_marked(
    const struct sweep *sweep, const char *dir, const char *mark)
{
	struct error err = ERROR_INIT;
	uint64_t bytes = 0;
	const int rc = clear_if_dead(sweep, dir, mark, &bytes, &err);

	if (rc == 0)
		tell_folder(sweep, dir, bytes);
	else if (rc < 0)
		tell_error(sweep, &err);
}

static void sweep_folder(
    const struct sweep *sweep, const char *name, const struct stat *status)
{
	struct error ignored;
	char *dir = path_join(sweep->parent, name, &ignored);
	char *mark = dir ? path_join(dir, OWN_FOLDER_MARK, &ignored) : NULL;
	struct stat of_mark;

	if (mark && lstat(mark, &of_mark) == 0) {
		if (S_ISREG(of_mark.st_mode) && of_mark.st_uid == geteuid())
			sweep_marked(sweep, dir, mark);
	} else if (mark && errno == ENOENT &&
	           (status->st_mode & 07777) == 0700 && rmdir(dir) == 0) {
		tell_folder(sweep, dir, 0);
	}
	free(mark);
	free(dir);
}

/* ---- files ---- */

static bool has_zeros_only(int fd)
{
	char bytes[OLD_BYTES + 1];
	const ssize_t got = read(fd, bytes, sizeof(bytes));

	for (ssize_t i = 0; i < got; i++)
		if (bytes[i])
			return false;
	return got >= 0 && got <= OLD_BYTES;
}

static void sweep_old_file(
    struct sweep *sweep, const char *name, const struct stat *status)
{
	const int fd = openat(
	    sweep->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	if (has_zeros_only(fd) && unlinkat(sweep->fd, name, 0) == 0) {
		sweep->swept.count++;
		sweep->swept.bytes += (uint64_t)status->st_size;
	}
	close(fd);
}

static void sweep_temporary(struct sweep *sweep)
{
	struct error err = ERROR_INIT;

	if (temporary_sweep(sweep->parent, false, &sweep->swept, &err))
		tell_error(sweep, &err);
}

static void sweep_entry(struct sweep *sweep, const char *name)
{
	struct stat status;
	bool is_folder = false;

	for (int kind = 0; kind < OWN_FOLDER_KINDS; kind++)
		is_folder |=
		    own_folder_is_name(name, (enum own_folder_kind)kind);
	if ((!is_folder && !own_folder_is_old_file(name)) ||
	    fstatat(sweep->fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    status.st_uid != geteuid())
		return;
	if (is_folder && S_ISDIR(status.st_mode))
		sweep_folder(sweep, name, &status);
	else if (!is_folder && S_ISREG(status.st_mode) &&
	         status.st_size <= OLD_BYTES && !sweep->is_shared)
		sweep_old_file(sweep, name, &status);
}

void own_folder_sweep(const char *parent, own_folder_tell *tell, void *arg)
{
	struct sweep sweep = { .parent = parent, .tell = tell, .arg = arg };
	const struct dirent *entry;
	DIR *open = opendir(parent);

	if (!open)
		return; /* whoever writes there reports the error */
	sweep.fd = dirfd(open);
	sweep.is_shared = temporary_is_shared(sweep.fd);
	while ((entry = readdir(open)))
		sweep_entry(&sweep, entry->d_name);
	sweep_temporary(&sweep);
	tell_files(&sweep);
	closedir(open);
}
