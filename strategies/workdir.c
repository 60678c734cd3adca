/* workdir.c - see workdir.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/path.h"
#include "strategies/workdir.h"

static const char mark_name[] = ".presto-work";
static const char mark_text[] =
    "Made by presto profile; removed by it, with all that is in it.\n";

/* Writes the mark, and locks it: 0 and *lock. */
static int write_mark(const char *dir, int *lock, struct error *err)
{
	char *mark = path_join(dir, mark_name, err);
	int rc = -1;

	if (mark && path_write(mark, span_text(mark_text), err) == 0) {
		*lock = path_lock(mark, err);
		rc = *lock < 0 ? -1 : 0;
	}
	free(mark);
	return rc;
}

/* Locks the mark that is there: 1 and *lock, or 0 when there is no mark. */
static int lock_mark(const char *dir, int *lock, struct error *err)
{
	char *mark = path_join(dir, mark_name, err);
	int rc = -1;

	if (mark && !path_exists(mark)) {
		rc = 0;
	} else if (mark) {
		*lock = path_lock(mark, err);
		rc = *lock < 0 ? -1 : 1;
	}
	free(mark);
	return rc;
}

/* Absolute, so that a session can be resumed from another folder. */
static char *name_template(const char *parent, struct error *err)
{
	char *real = realpath(parent, NULL);
	char *dir;

	if (!real) {
		error_errno(err, "find", parent);
		return NULL;
	}
	dir = path_join(real, "presto-work-XXXXXX", err);
	free(real);
	return dir;
}

char *workdir_new(const char *parent, int *lock, struct error *err)
{
	char *dir;

	if (path_make_dirs(parent, err))
		return NULL;
	dir = name_template(parent, err);
	if (!dir)
		return NULL;
	if (!mkdtemp(dir)) {
		error_errno(err, "make a folder in", parent);
	} else if (write_mark(dir, lock, err) == 0) {
		return dir;
	}
	free(dir);
	return NULL;
}

int workdir_remove(const char *dir, struct error *err)
{
	char *mark;
	bool ours;

	if (!path_exists(dir))
		return 0;
	mark = path_join(dir, mark_name, err);
	if (!mark)
		return -1;
	ours = path_exists(mark);
	free(mark);
	if (!ours)
		return error_set(err, ERROR_DATA,
		    "%s is not a work folder of presto: left alone", dir);
	return path_remove_tree(dir, err);
}

int workdir_renew(const char *dir, bool keep, int *lock, struct error *err)
{
	const int locked = lock_mark(dir, lock, err);

	if (locked < 0 || (locked > 0 && keep))
		return locked < 0 ? -1 : 0;
	/* The lock goes with the mark; a new one is taken at once. */
	if (workdir_remove(dir, err) || path_make_dirs(dir, err))
		return -1;
	path_unlock(*lock);
	*lock = -1;
	return write_mark(dir, lock, err);
}

bool workdir_in_use(const char *dir)
{
	struct error ignored = ERROR_INIT;
	char *mark = path_join(dir, mark_name, &ignored);
	const bool in_use = mark && path_is_locked(mark);

	free(mark);
	return in_use;
}

char *workdir_data(const char *dir, const char *label, struct error *err)
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
