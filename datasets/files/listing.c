/* listing.c - see listing.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/far_listing.h"
#include "datasets/files/listing.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "lib/files/glob.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/url.h"
#include "lib/folder/made.h"
#include "lib/media/medium.h"

/* Most files of a folder that are opened to see whether presto wrote them. */
enum { OPENED_MOST = 64 };

struct scan {
	struct listing *listing;
	struct medium *medium;
	const char *dir;
	const struct far_listing *far; /* of a far folder; else NULL */
	struct glob_list patterns;
	uint64_t seen;   /* files seen, matching or not */
	uint64_t opened; /* files opened to see whether presto wrote them */
};

static bool is_hidden(const char *name)
{
	return name[0] == '.' || strstr(name, "/.") != NULL;
}

int listing_add(struct listing *listing, const char *name, uint64_t bytes,
    struct error *err)
{
	struct listed_file *files = array_grow(listing->files,
	    &listing->capacity, listing->count + 1, sizeof(*files), err);

	if (!files)
		return -1;
	listing->files = files;
	files[listing->count] = (struct listed_file){
		.name = listing->names.len,
		.bytes = bytes,
	};
	if (buf_append(&listing->names, name, strlen(name) + 1, err))
		return -1;
	listing->count++;
	return 0;
}

/* ---- presto's own output ---- */

/* Returns the length of a pattern before its first wildcard. */
static size_t literal_len(const char *pattern)
{
	return strcspn(pattern, "*?[{");
}

/* Does the pattern contain the name of this folder? */
static bool names_folder(const char *pattern, const char *name)
{
	const size_t len = strlen(name);

	return literal_len(pattern) > len && pattern[len] == '/' &&
	       memcmp(pattern, name, len) == 0;
}

static bool is_asked_for(const struct scan *scan, const char *name)
{
	const char *pattern = NULL;

	while ((pattern = glob_list_next(&scan->patterns, pattern)))
		if (names_folder(pattern, name))
			return true;
	return false;
}

/* If memory is short, the file counts as the user's. */
static bool is_made(struct scan *scan, const char *name, bool is_folder)
{
	struct error ignored = ERROR_INIT;
	char *path = path_join(scan->dir, name, &ignored);
	const bool is =
	    path && (!is_folder     ? made_is_file(scan->medium, path)
	                : scan->far ? far_listing_is_made(scan->far, name)
	                            : made_is_folder(scan->medium, path));

	if (is)
		passed_by_add(&scan->listing->passed, path);
	free(path);
	return is;
}

/* If there are many, only files named like presto's are opened. */
static bool is_made_file(struct scan *scan, const char *name)
{
	const char *base = path_base(name);

	if (!made_may_be_file(name) ||
	    (scan->opened >= OPENED_MOST && !strstr(base, "presto") &&
	        !strstr(base, "report")))
		return false;
	scan->opened++;
	return is_made(scan, name, false);
}

static bool leave_out(void *arg, const char *name)
{
	struct scan *scan = arg;

	return is_hidden(name) ||
	       (!is_asked_for(scan, name) && is_made(scan, name, true));
}

bool listing_passes_by(struct passed_by *passed, struct medium *medium,
    const char *pattern, const char *path)
{
	struct error ignored = ERROR_INIT;
	size_t plain = literal_len(pattern);
	char *dir = path_dir(path, &ignored);
	bool is = false;

	while (plain && pattern[plain - 1] != '/')
		plain--;
	/* A pattern without a folder means the current one, which is taken. */
	while (!is && dir && strlen(dir) > plain && strcmp(dir, ".") != 0) {
		char *above = path_dir(dir, &ignored);

		is = made_is_folder(medium, dir);
		if (is)
			passed_by_add(passed, dir);
		if (above && strcmp(above, dir) == 0) {
			free(above);
			above = NULL;
		}
		free(dir);
		dir = above;
	}
	free(dir);
	return is;
}

static int visit(void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct scan *scan = arg;

	if (is_hidden(name))
		return 0;
	scan->seen++;
	if (!glob_list_matches(&scan->patterns, name) ||
	    is_made_file(scan, name))
		return 0;
	return listing_add(scan->listing, name, bytes, err);
}

/* The same from one listing of a far folder, or from one that is known. */
static int scan_far(struct scan *scan, struct error *err)
{
	const struct listing *listing = scan->listing;
	struct far_listing far = FAR_LISTING_INIT;
	int rc = listing->known
	             ? far_listing_take_known(
	                   &far, listing->known, listing->known_each, err)
	             : far_listing_take(&far, scan->medium, scan->dir, err);

	scan->far = &far;
	if (rc == 0)
		rc = far_listing_each_but(&far, leave_out, visit, scan, err);
	scan->far = NULL;
	far_listing_release(&far);
	return rc;
}

int listing_error_missing(struct medium *medium, const char *path,
    const char *text, struct error *err)
{
	struct medium_file *file;

	if (!url_is(path))
		return error_set(err, ERROR_SYSTEM, "%s", text);
	file = medium_open(medium, path, err);
	if (!file)
		return -1;
	medium_close(file);
	return error_set(err, ERROR_SYSTEM, "%s", text);
}

static int check_folder(
    struct medium *medium, const char *dir, struct error *err)
{
	struct medium_status status;

	if (medium_get_status(medium, dir, &status, err))
		return -1;
	if (status.kind == MEDIUM_NOTHING)
		return listing_error_missing(
		    medium, dir, "no such folder", err);
	if (status.kind == MEDIUM_FOLDER)
		return 0;
	return error_set(err, ERROR_USAGE, "not a folder%s",
	    url_is(dir) && *dir == 'h'
	        ? ": a web server lists none; name its files, as in "
	          "train-{000..146}.tar"
	        : "");
}

int listing_scan(struct listing *listing, struct medium *medium,
    const char *dir, const char *patterns, struct error *err)
{
	struct scan scan = { listing, medium, .dir = dir };
	int rc = -1;

	if (check_folder(medium, dir, err) ||
	    glob_list_set(&scan.patterns, patterns, err))
		return -1;
	if (url_is(dir) || listing->known
	        ? scan_far(&scan, err)
	        : path_each_but(dir, leave_out, visit, &scan, err))
		goto done;
	if (listing->count == 0)
		error_set(err, ERROR_USAGE,
		    "no file matches '%s' (%llu file%s looked at%s); change "
		    "the pattern, or the path",
		    patterns, (unsigned long long)scan.seen,
		    scan.seen == 1 ? "" : "s",
		    listing->passed.count
		        ? ", and what presto wrote passed over"
		        : "");
	else
		rc = 0;
done:
	glob_list_release(&scan.patterns);
	return rc;
}

/* State while the paths of a list are visited. */
struct find {
	struct listing *listing;
	struct medium *medium;
	const char *match;
	size_t root_len; /* bytes of the path that are its root, with the '/' */
};

/* Adds the files of a folder; their names begin with the folder's. */
static int add_folder(
    const struct find *find, const char *dir, struct error *err)
{
	struct listing files = LISTING_INIT;
	const char *below = dir + find->root_len;
	int rc = listing_scan(&files, find->medium, dir, find->match, err);

	if (rc)
		error_prefix(err, "%s", dir);
	for (size_t i = 0; rc == 0 && i < files.count; i++) {
		char *name = path_join(below, listing_name(&files, i), err);

		rc = name ? listing_add(
		                find->listing, name, files.files[i].bytes, err)
		          : -1;
		free(name);
	}
	passed_by_move(&find->listing->passed, &files.passed);
	listing_release(&files);
	return rc;
}

static int find_one(void *arg, const char *path, struct error *err)
{
	const struct find *find = arg;
	struct medium_status status;

	if (medium_get_status(find->medium, path, &status, err))
		return -1;
	if (status.kind == MEDIUM_NOTHING)
		return 1;
	if (status.kind == MEDIUM_FOLDER)
		return add_folder(find, path, err);
	return listing_add(
	    find->listing, path + find->root_len, status.bytes, err);
}

/* The folder is the root, so names are relative to it. */
static int find_in_folder(struct listing *listing, struct medium *medium,
    const char *path, const char *match, struct error *err)
{
	listing->root = strdup(path);
	if (!listing->root)
		return error_memory(err, strlen(path));
	return listing_scan(listing, medium, path, match, err);
}

int listing_find(struct listing *listing, struct medium *medium,
    const char *path, const char *match, struct error *err)
{
	const size_t plain = strcspn(path, "{");
	struct find find = { listing, medium, .match = match };
	struct medium_status status = { .kind = MEDIUM_NOTHING };
	int rc;

	/* Some servers answer 403 where nothing is. */
	if (!(url_is(path) && braces_any(path)) &&
	    medium_get_status(medium, path, &status, err))
		return -1;
	if (status.kind == MEDIUM_FOLDER)
		return find_in_folder(listing, medium, path, match, err);
	/* The root ends at the last '/' before any brace. */
	find.root_len = status.kind == MEDIUM_NOTHING ? plain : strlen(path);
	while (find.root_len && path[find.root_len - 1] != '/')
		find.root_len--;
	listing->root = find.root_len > 1 ? strndup(path, find.root_len - 1)
	                                  : strdup(find.root_len ? "/" : ".");
	if (!listing->root)
		return error_memory(err, find.root_len);
	rc = braces_each(path, find_one, &find, err);
	return rc > 0 ? listing_error_missing(
	                    medium, path, "no such file or folder", err)
	              : rc;
}

uint64_t listing_bytes(const struct listing *listing)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < listing->count; i++)
		bytes += listing->files[i].bytes;
	return bytes;
}

const char *listing_name(const struct listing *listing, size_t file)
{
	return (const char *)listing->names.data + listing->files[file].name;
}

char *listing_path(
    const struct listing *listing, size_t file, struct error *err)
{
	return path_join(listing->root, listing_name(listing, file), err);
}

void listing_release(struct listing *listing)
{
	free(listing->root);
	free(listing->files);
	buf_release(&listing->names);
	passed_by_release(&listing->passed);
	*listing = (struct listing)LISTING_INIT;
}
