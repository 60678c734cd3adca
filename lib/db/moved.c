/*
 * moved.c - see results.h: a database removed or replaced while it is open.
 *
 * SQLite would go on writing into the removed file, and lose everything when it
 * is closed.  The connection still reads all of it, with its log.  So its bytes
 * are written to a new file, which is used from there on.
 */
#define _XOPEN_SOURCE 700 /* fsync, lstat */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/files/path.h"
#include "lib/files/temporary.h"

enum { NAMES_MOST = 1000 };

/* "PATH" and `end`; owned by the caller. */
static char *name_beside(const char *path, const char *end, struct error *err)
{
	struct buf name = BUF_INIT;

	if (buf_printf(&name, err, "%s%s", path, end))
		return NULL;
	return (char *)name.data;
}

static int look_at_side(const char *path, const char *end, struct stat *status)
{
	struct error ignored;
	char *name = name_beside(path, end, &ignored);
	const int rc = name ? lstat(name, status) : -1;

	free(name);
	return rc;
}

void results_note_place(struct results *results)
{
	struct stat status;

	for (size_t i = 0; i < SIDE_FILES; i++)
		if (look_at_side(results->path, side_names[i], &status) == 0)
			results->side[i] =
			    (struct side_file){ .device = status.st_dev,
				    .inode = status.st_ino };
}

const char *results_moved_from(const struct results *results)
{
	return results->moved_from;
}

/* ---- writing it anew ---- */

/*
 * Removes the log of the removed database: SQLite would take it for the log of
 * a new one with the same name.  Other files with these names belong to others.
 */
static void remove_own_side_files(const struct results *results)
{
	struct error ignored;
	struct stat status;

	for (size_t i = 0; i < SIDE_FILES; i++) {
		const struct side_file *side = &results->side[i];
		char *name =
		    name_beside(results->path, side_names[i], &ignored);

		if (name && lstat(name, &status) == 0 &&
		    status.st_ino == side->inode &&
		    status.st_dev == side->device)
			unlink(name);
		free(name);
	}
}

/* True if there is no file, and none that SQLite would take for its log. */
static bool is_free(const char *path)
{
	struct stat status;

	for (size_t i = 0; i < SIDE_FILES; i++)
		if (look_at_side(path, side_names[i], &status) == 0)
			return false;
	return lstat(path, &status) && errno == ENOENT;
}

/* "DIR/presto-2.db" for "DIR/presto.db" and 2; owned by the caller. */
static char *numbered(const char *path, int number, struct error *err)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	struct buf name = BUF_INIT;
	const char *end = dot && dot != base ? dot : base + strlen(base);

	if (number == 1 ? buf_printf(&name, err, "%s", path)
	                : buf_printf(&name, err, "%.*s-%d%s", (int)(end - path),
	                      path, number, end))
		return NULL;
	return (char *)name.data;
}

/* 1: the bytes are safe at `path`; 0: there is another file. */
static int write_new(const char *path, struct span bytes, struct error *err)
{
	struct temporary file = TEMPORARY_INIT;
	char *dir;
	int rc = -1;

	if (!is_free(path))
		return 0;
	dir = path_dir(path, err);
	if (dir && path_make_dirs(dir, err) == 0 &&
	    temporary_begin(&file, path, err) == 0 &&
	    temporary_write(&file, bytes, err) == 0)
		rc = temporary_publish_new(&file, err);
	temporary_end(&file);
	if (rc > 0 && path_sync_dir(dir, err))
		rc = -1;
	free(dir);
	return rc;
}

/* Writes it where it was, or beside that; results->path is the new place. */
static int write_anew(
    struct results *results, struct span bytes, struct error *err)
{
	for (int i = 1; i < NAMES_MOST; i++) {
		char *path = numbered(results->path, i, err);
		const int rc = path ? write_new(path, bytes, err) : -1;

		if (rc > 0) {
			free(results->moved_from);
			results->moved_from = results->path;
			results->path = path;
			return 0;
		}
		free(path);
		if (rc < 0)
			return -1;
	}
	errno = EEXIST;
	return error_errno(err, "write", results->path);
}

static int move(struct results *results, struct error *err)
{
	sqlite3_int64 len = 0;
	unsigned char *data = sqlite3_serialize(results->db, "main", &len, 0);
	const struct span bytes = { .data = data, .len = (size_t)len };
	int rc;

	if (!data)
		return results_error(results, "read it", err);
	results_disconnect(results);
	remove_own_side_files(results);
	rc = write_anew(results, bytes, err);
	sqlite3_free(data);
	if (rc || results_connect(results, true, err) ||
	    results_prepare(results, err))
		return -1;
	results_note_place(results);
	return 0;
}

/* SQLite takes a look that fails once for a removal, so it looks twice. */
static bool has_moved(const struct results *results)
{
	for (int i = 0; i < 2; i++) {
		int moved = 0;

		if (sqlite3_file_control(results->db, "main",
		        SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK ||
		    !moved)
			return false;
	}
	return true;
}

/* Writes the database anew if it is not at its path any more. */
static int stay(struct results *results, struct error *err)
{
	if (results->is_reader || !results->db || !has_moved(results))
		return 0;
	if (move(results, err))
		return error_prefix(err,
		    "the result database was removed or replaced while presto "
		    "ran, and cannot be written anew");
	return 0;
}

sqlite3_stmt *results_writer(
    struct results *results, enum statement which, struct error *err)
{
	if (stay(results, err))
		return NULL;
	if (!results->stmt[which])
		error_set(err, ERROR_SYSTEM, "%s: it is not open any more",
		    results->path);
	return results->stmt[which];
}
