/* workdir.c - see workdir.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/lock.h"
#include "lib/base/path.h"
#include "lib/made.h"
#include "strategies/workdir.h"

static const char mark_text[] =
    "Made by presto profile; removed by it, with all that is in it.";

/* Makes the mark, locks and writes it. */
static int write_mark(const char *dir, struct lock *lock, struct error *err)
{
	char *mark = path_join(dir, MADE_WORK_MARK, err);
	int rc = mark ? lock_take(lock, mark, err) : -1;

	if (rc == 0)
		rc = lock_write(lock, mark_text, err);
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
	dir = path_join(real, MADE_WORK "XXXXXX", err);
	free(real);
	return dir;
}

char *workdir_new(const char *parent, struct lock *lock, struct error *err)
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

/* ERROR_DATA of a folder that is there without the mark. */
static int check_mark(const char *dir, struct error *err)
{
	char *mark = path_join(dir, MADE_WORK_MARK, err);
	int rc = mark ? 0 : -1;

	if (mark && !path_exists(mark))
		rc = error_set(err, ERROR_DATA,
		    "%s is not a work folder of presto: left alone", dir);
	free(mark);
	return rc;
}

int workdir_remove(const char *dir, struct error *err)
{
	if (!path_exists(dir))
		return 0;
	return check_mark(dir, err) ? -1 : path_remove_tree(dir, err);
}

int workdir_take(const char *dir, struct lock *lock, struct error *err)
{
	if (path_exists(dir) ? check_mark(dir, err) : path_make_dirs(dir, err))
		return -1;
	return write_mark(dir, lock, err);
}

int workdir_empty(const char *dir, struct error *err)
{
	return check_mark(dir, err)
	           ? -1
	           : path_remove_content(dir, MADE_WORK_MARK, err);
}

bool workdir_in_use(const char *dir)
{
	struct error ignored = ERROR_INIT;
	char *mark = path_join(dir, MADE_WORK_MARK, &ignored);
	const bool in_use = mark && lock_is_held(mark);

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
