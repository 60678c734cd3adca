/* connect.c - see database.h: opens the file, even if it is read-only. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/files/input.h"
#include "lib/files/path.h"

/*
 * The address of a file that cannot change.  SQLite needs one to read a WAL
 * database in a folder that may not be written.  Owned by the caller.
 */
static char *immutable_address(const char *path)
{
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	int rc = buf_printf(&out, &err, "file:");

	for (const char *c = path; rc == 0 && *c; c++)
		rc = strchr("%?#", *c)
		         ? buf_printf(&out, &err, "%%%02x", (unsigned)*c)
		         : buf_append(&out, c, 1, &err);
	if (rc == 0)
		rc = buf_printf(&out, &err, "?immutable=1");
	if (rc)
		buf_release(&out);
	return (char *)out.data;
}

/* False if SQLite would have to write beside the file, and may not. */
static bool can_read(sqlite3 *db)
{
	const int rc =
	    sqlite3_exec(db, "PRAGMA user_version", NULL, NULL, NULL);

	return rc != SQLITE_CANTOPEN && rc != SQLITE_READONLY;
}

/* SQLite would wait for ever for the writer of a pipe. */
static int check_files(const char *path, struct error *err)
{
	struct buf name = BUF_INIT;
	int rc = input_check_path(path, err);

	for (size_t i = 0; rc == 0 && i < SIDE_FILES; i++) {
		name.len = 0;
		rc = buf_printf(&name, err, "%s%s", path, side_names[i]);
		if (rc == 0)
			rc = input_check_path((const char *)name.data, err);
	}
	buf_release(&name);
	return rc;
}

int results_check_access(const char *path, bool create, struct error *err)
{
	struct stat s;
	const bool is_there = stat(path, &s) == 0;
	char *dir;
	int rc = 0;

	if (is_there && S_ISDIR(s.st_mode))
		return error_set(err, ERROR_USAGE,
		    "%s is a folder, not a result database", path);
	if (check_files(path, err))
		return -1;
	if (is_there && access(path, create ? R_OK | W_OK : R_OK))
		return error_errno(err, create ? "write" : "read", path);
	if (!create)
		return 0;
	dir = path_dir(path, err);
	if (!dir)
		return -1;
	if (access(dir, W_OK | X_OK)) {
		rc = error_errno(err, "write into folder", dir);
		error_prefix(err, "%s", path);
	}
	free(dir);
	return rc;
}

int results_connect(struct results *results, bool create, struct error *err)
{
	const int flags =
	    create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
	           : SQLITE_OPEN_READWRITE; /* SQLite falls back to read-only */
	int rc = sqlite3_open_v2(results->path, &results->db, flags, NULL);
	char *address;

	if (rc == SQLITE_OK && !create && !can_read(results->db)) {
		sqlite3_close(results->db);
		results->db = NULL;
		address = immutable_address(results->path);
		if (!address)
			return error_memory(err, strlen(results->path));
		rc = sqlite3_open_v2(address, &results->db,
		    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
		free(address);
	}
	if (rc != SQLITE_OK)
		return error_set(err, ERROR_SYSTEM, "cannot open %s: %s",
		    results->path,
		    results->db ? sqlite3_errmsg(results->db)
		                : sqlite3_errstr(rc));
	sqlite3_busy_timeout(results->db, BUSY_TIMEOUT_MS);
	return 0;
}

void results_disconnect(struct results *results)
{
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		sqlite3_finalize(results->stmt[i]);
		results->stmt[i] = NULL;
	}
	sqlite3_close(results->db);
	results->db = NULL;
}
