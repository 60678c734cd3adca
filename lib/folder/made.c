/* made.c - see made.h. */
#include "lib/folder/made.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database_name.h"
#include "lib/db/migrate.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "lib/stores/shard_path.h"

enum {
	HEAD = 1024,             /* bytes that identify a file */
	SQLITE_APPLICATION = 68, /* offset of the application_id */
};

static const char sqlite_magic[] = "SQLite format 3";
static const char page_mark[] = "<meta name=\"generator\" content=\"presto ";

static const char *const databases[] = { ".db", ".sqlite", ".sqlite3" };
static const char *const pages[] = { ".html", ".htm" };

static bool ends_with_any(
    struct span name, const char *const *endings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_ends_with(name, endings[i]))
			return true;
	return false;
}

static bool is_own_name(const char *name)
{
	for (int kind = 0; kind < OWN_FOLDER_KINDS; kind++)
		if (own_folder_is_name(name, (enum own_folder_kind)kind))
			return true;
	return own_folder_is_old_file(name);
}

static const char *const marks[] = { OWN_FOLDER_MARK, MANIFEST_NAME,
	MADE_PARTIAL, MADE_JOB };

static bool has_file(struct medium *medium, const char *dir, const char *name)
{
	struct error ignored = ERROR_INIT;
	char *path = path_join(dir, name, &ignored);
	const bool is_there = path && medium_exists(medium, path);

	free(path);
	return is_there;
}

bool made_is_folder_name(const char *name)
{
	return is_own_name(path_base(name));
}

const char *made_mark(size_t i)
{
	return i < ARRAY_LEN(marks) ? marks[i] : NULL;
}

bool made_is_folder(struct medium *medium, const char *path)
{
	bool is = made_is_folder_name(path);

	for (size_t i = 0; !is && i < ARRAY_LEN(marks); i++)
		is = has_file(medium, path, marks[i]);
	return is;
}

/* The database's name in that of a file beside it. */
static struct span database_name(struct span name)
{
	for (size_t i = 0; i < SIDE_FILES; i++)
		if (span_ends_with(name, side_names[i])) {
			name.len -= strlen(side_names[i]);
			break;
		}
	return name;
}

bool made_may_be_file(const char *name)
{
	const char *base = path_base(name);

	return is_own_name(base) ||
	       ends_with_any(database_name(span_text(base)), databases,
	           ARRAY_LEN(databases)) ||
	       ends_with_any(span_text(base), pages, ARRAY_LEN(pages));
}

/* Reads the first bytes, terminated; returns 0 if the file cannot be read. */
static size_t read_head(
    struct medium *medium, const char *path, char head[HEAD + 1])
{
	struct error ignored = ERROR_INIT;
	struct medium_file *file = medium_open(medium, path, &ignored);
	const int64_t got =
	    file ? medium_read(file, 0, head, HEAD, &ignored) : -1;

	medium_close(file);
	head[got > 0 ? got : 0] = '\0';
	return got > 0 ? (size_t)got : 0;
}

/*
 * Until the first connection is closed, SQLite may keep the application_id, and
 * even the whole file, in its log. So the default name needs no id.
 */
static bool is_database(struct medium *medium, const char *path)
{
	const unsigned id = RESULTS_APPLICATION;
	const char wanted[] = { (char)(id >> 24), (char)(id >> 16 & 0xff),
		(char)(id >> 8 & 0xff), (char)(id & 0xff) };
	char head[HEAD + 1];
	const size_t len = read_head(medium, path, head);
	const bool is_default = strcmp(path_base(path), DATABASE_NAME) == 0;

	if (len == 0)
		return is_default;
	if (len < SQLITE_APPLICATION + sizeof(wanted) ||
	    memcmp(head, sqlite_magic, sizeof(sqlite_magic)) != 0)
		return false;
	return is_default ||
	       memcmp(head + SQLITE_APPLICATION, wanted, sizeof(wanted)) == 0;
}

static bool is_page(struct medium *medium, const char *path)
{
	char head[HEAD + 1];

	return read_head(medium, path, head) > 0 && strstr(head, page_mark);
}

bool made_is_file(struct medium *medium, const char *path)
{
	const char *base = path_base(path);
	char *database;
	bool is;

	if (is_own_name(base))
		return true;
	if (ends_with_any(span_text(base), pages, ARRAY_LEN(pages)))
		return is_page(medium, path);
	database = strndup(
	    path, (size_t)(base - path) + database_name(span_text(base)).len);
	is = database && is_database(medium, database);
	free(database);
	return is;
}
