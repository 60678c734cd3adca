/* own_folder.c - see own_folder.h. */
#define _XOPEN_SOURCE 700 /* realpath, mkdtemp */
#include "lib/files/own_folder.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"

enum { TRIES = 5 };

static const char *const prefixes[OWN_FOLDER_KINDS] = {
	[OWN_FOLDER_WORK] = "presto-work-",
	[OWN_FOLDER_PROBE] = "presto-probe-",
};

static const char random_part[] = "XXXXXX";
static const char old_file[] = "presto-sync-";

/* A prefix, followed by the characters that mkdtemp or mkstemp chose. */
static bool is_name(const char *name, const char *prefix)
{
	const size_t len = strlen(prefix);
	size_t random = 0;

	if (strncmp(name, prefix, len) != 0)
		return false;
	while (isalnum((unsigned char)name[len + random]))
		random++;
	return random == sizeof(random_part) - 1 && !name[len + random];
}

bool own_folder_is_name(const char *name, enum own_folder_kind kind)
{
	return is_name(name, prefixes[kind]);
}

bool own_folder_is_old_file(const char *name)
{
	return is_name(name, old_file);
}

/* Begin and end of the mark's first line; the host stands between them. */
static const char goes_begin[] = "Made by presto on host ";
static const char goes_end[] = "; presto removes it, with all that is in it.";
static const char stays[] = "Made by presto profile --keep: it stays.";

bool own_folder_may_go(const char *text, bool is_shared)
{
	const size_t begin = sizeof(goes_begin) - 1;
	char host[9];

	temporary_host(host);
	return strncmp(text, goes_begin, begin) == 0 &&
	       strlen(text + begin) >= strlen(host) &&
	       strcmp(text + begin + strlen(host), goes_end) == 0 &&
	       (!is_shared || strncmp(text + begin, host, strlen(host)) == 0);
}

static void set_text(bool keep, char text[LOCK_TEXT])
{
	char host[9];

	temporary_host(host);
	if (keep)
		snprintf(text, LOCK_TEXT, "%s", stays);
	else
		snprintf(text, LOCK_TEXT, "%s%s%s", goes_begin, host, goes_end);
}

/* Locks and writes the mark; makes it if it is missing. */
static int write_mark(
    const char *dir, bool keep, struct lock *lock, struct error *err)
{
	char *mark = path_join(dir, OWN_FOLDER_MARK, err);
	char text[LOCK_TEXT];
	int rc = mark ? lock_take(lock, mark, err) : -1;

	set_text(keep, text);
	if (rc == 0 && lock_write(lock, text, err)) {
		lock_release(lock);
		rc = -1;
	}
	free(mark);
	return rc;
}

/* The path is absolute: a session may be resumed from another folder. */
static char *name_template(
    const char *parent, enum own_folder_kind kind, struct error *err)
{
	char *real = realpath(parent, NULL), name[64];
	char *dir;

	if (!real) {
		error_errno(err, "make a folder in", parent);
		return NULL;
	}
	snprintf(name, sizeof(name), "%s%s", prefixes[kind], random_part);
	dir = path_join(real, name, err);
	free(real);
	return dir;
}

static char *try_new(const char *parent, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err)
{
	char *dir = name_template(parent, kind, err);
	struct lock none = LOCK_INIT;
	struct error ignored;

	if (!dir)
		return NULL;
	if (!mkdtemp(dir))
		error_errno(err, "make a folder in", parent);
	else if (write_mark(dir, keep, lock, err) == 0)
		return dir;
	else
		own_folder_remove(dir, &none, &ignored);
	free(dir);
	return NULL;
}

/* Another process may sweep a folder without a locked mark: then try again. */
char *own_folder_new(const char *parent, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err)
{
	char *dir = NULL;

	*lock = (struct lock)LOCK_INIT;
	for (int i = 0; !dir && i < TRIES; i++)
		dir = try_new(parent, kind, keep, lock, err);
	return dir;
}

static bool has_mark(const char *dir)
{
	struct error ignored;
	char *mark = path_join(dir, OWN_FOLDER_MARK, &ignored);
	struct stat status;
	const bool has =
	    mark && lstat(mark, &status) == 0 && S_ISREG(status.st_mode);

	free(mark);
	return has;
}

static int error_of_others(const char *dir, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "%s is not a work folder of presto: left alone; move it away, or "
	    "remove it",
	    dir);
}

/* Removes the permissions of others, which earlier versions may have given. */
static int close_to_others(const char *dir, struct error *err)
{
	const int fd =
	    open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	int rc = 0;

	if (fd < 0)
		return errno == ENOTDIR || errno == ELOOP
		           ? error_of_others(dir, err)
		           : error_errno(err, "open folder", dir);
	if (fstat(fd, &status) ||
	    ((status.st_mode & 07777) != 0700 && fchmod(fd, 0700)))
		rc = error_errno(err, "restrict access to", dir);
	close(fd);
	return rc;
}

/* Checks that the folder has the mark or a name of presto's. */
static int check_ours(
    const char *dir, enum own_folder_kind kind, struct error *err)
{
	struct stat status;

	if (lstat(dir, &status))
		return error_errno(err, "look at", dir);
	if (S_ISDIR(status.st_mode) &&
	    (has_mark(dir) || (status.st_uid == geteuid() &&
	                          own_folder_is_name(path_base(dir), kind))))
		return 0;
	return error_of_others(dir, err);
}

static int make_again(
    const char *dir, enum own_folder_kind kind, struct error *err)
{
	char *parent;
	int rc;

	if (!own_folder_is_name(path_base(dir), kind))
		return error_of_others(dir, err);
	parent = path_dir(dir, err);
	rc = parent ? path_make_dirs(parent, err) : -1;
	free(parent);
	if (rc == 0 && mkdir(dir, 0700) && errno != EEXIST)
		rc = error_errno(err, "make folder", dir);
	return rc;
}

int own_folder_take(const char *dir, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err)
{
	struct stat status;
	const bool is_there = lstat(dir, &status) == 0;

	*lock = (struct lock)LOCK_INIT;
	if ((is_there ? check_ours(dir, kind, err)
	              : make_again(dir, kind, err)) ||
	    close_to_others(dir, err))
		return -1;
	return write_mark(dir, keep, lock, err);
}

int own_folder_empty(const char *dir, struct error *err)
{
	return has_mark(dir)
	           ? path_remove_content(dir, OWN_FOLDER_MARK, NULL, err)
	           : error_of_others(dir, err);
}

/*
 * The mark is removed after everything else.  It is closed before the folder is
 * removed, since NFS keeps an open file under another name.
 */
int own_folder_clear(
    const char *dir, struct lock *lock, uint64_t *bytes, struct error *err)
{
	if (path_remove_content(dir, OWN_FOLDER_MARK, bytes, err))
		return -1;
	if (lock->fd < 0)
		return path_remove_tree(dir, err);
	if (lock_remove(lock, err))
		return -1;
	/* Without the mark another process may take the folder. */
	if (rmdir(dir) && errno != ENOENT && !has_mark(dir))
		return error_errno(err, "remove", dir);
	return 0;
}

int own_folder_remove(const char *dir, struct lock *lock, struct error *err)
{
	int rc = 0;

	if (has_mark(dir))
		rc = own_folder_clear(dir, lock, NULL, err);
	else if (rmdir(dir) && errno != ENOENT)
		rc = error_of_others(dir, err);
	lock_release(lock);
	return rc;
}

bool own_folder_in_use(const char *dir)
{
	struct error ignored = ERROR_INIT;
	char *mark = path_join(dir, OWN_FOLDER_MARK, &ignored);
	const bool in_use = mark && lock_is_held(mark);

	free(mark);
	return in_use;
}

char *own_folder_as_given(
    const char *parent, const char *dir, struct error *err)
{
	char *real = realpath(parent, NULL);
	char *there = real ? path_join(real, path_base(dir), err) : NULL;
	const bool is_same = there && strcmp(there, dir) == 0;
	char *given = is_same && strcmp(parent, ".") != 0
	                  ? path_join(parent, path_base(dir), err)
	                  : strdup(is_same ? path_base(dir) : dir);

	free(there);
	free(real);
	if (!given)
		error_memory(err, strlen(dir));
	return given;
}

char *own_folder_below(const char *dir, const char *label, struct error *err)
{
	char *name = strdup(label);
	char *path = NULL;

	if (!name) {
		error_memory(err, strlen(label));
		return NULL;
	}
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '-';
		else if (*at == ':' || *at == '+')
			*at = '_';
	path = path_join(dir, name, err);
	free(name);
	return path;
}
