/* tar_find.c - see tar_find.h. */
#include "datasets/archives/tar_find.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/files/far_listing.h"
#include "datasets/files/listing.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "lib/files/glob.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"

/* Adds an archive; takes over `path`, also on failure. */
static int add_archive(
    struct tar_set *set, char *path, uint64_t bytes, struct error *err)
{
	struct tar_archive *archives =
	    path ? array_grow(set->archives, &set->capacity, set->count + 1,
	               sizeof(*archives), err)
	         : NULL;

	if (!archives) {
		free(path);
		return -1;
	}
	set->archives = archives;
	archives[set->count++] = (struct tar_archive){
		.path = path,
		.bytes = bytes,
	};
	return 0;
}

/* Is another program, or an earlier presto, still writing the file? */
static bool is_unfinished(const char *name)
{
	return span_ends_with(span_text(name), ".tmp");
}

/* State while the paths of a list are visited. */
struct find {
	struct tar_set *set;
	struct medium *medium;
	const char *match;
};

static int find_in_folder(
    const struct find *find, const char *dir, struct error *err)
{
	struct listing listing = LISTING_INIT;
	struct tar_set *set = find->set;
	int rc = listing_scan(&listing, find->medium, dir, find->match, err);

	for (size_t i = 0; rc == 0 && i < listing.count; i++) {
		const char *name = listing_name(&listing, i);

		if (!is_unfinished(name))
			rc = add_archive(set, path_join(dir, name, err),
			    listing.files[i].bytes, err);
	}
	passed_by_move(&set->passed, &listing.passed);
	listing_release(&listing);
	return rc;
}

static int compare_archives(const void *a, const void *b)
{
	return strcmp(((const struct tar_archive *)a)->path,
	    ((const struct tar_archive *)b)->path);
}

/* A search for far archives, in the folder before the first wildcard. */
struct far_pattern {
	const struct find *find;
	struct far_listing listing;
	char *folder;     /* owned */
	const char *rest; /* the pattern below it */
};

/* Leaves out hidden folders, and those of presto's, which no pattern names. */
static bool leave_out(void *arg, const char *name)
{
	const struct far_pattern *pattern = arg;
	struct error ignored = ERROR_INIT;
	char *path;

	if (*path_base(name) == '.')
		return true;
	if (!far_listing_is_made(&pattern->listing, name))
		return false;
	path = path_join(pattern->folder, name, &ignored);
	if (path)
		passed_by_add(&pattern->find->set->passed, path);
	free(path);
	return true;
}

static int take_far(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const struct far_pattern *pattern = arg;

	/* A pattern without a folder would match in all of them. */
	if (*path_base(name) == '.' || !glob_matches(pattern->rest, name) ||
	    (!strchr(pattern->rest, '/') && strchr(name, '/')))
		return 0;
	return add_archive(pattern->find->set,
	    path_join(pattern->folder, name, err), bytes, err);
}

static int find_by_far_pattern(
    const struct find *find, const char *path, struct error *err)
{
	struct far_pattern pattern = { .find = find,
		.listing = FAR_LISTING_INIT };
	size_t len = strcspn(path, "*?");
	int rc;

	/* A query of HTTP begins with '?', and HTTP cannot be listed. */
	if (!path[len] || *path == 'h')
		return 0;
	while (len > url_root(path) && path[len - 1] != '/')
		len--;
	pattern.rest = path + len;
	pattern.folder = strndup(path, len > url_root(path) ? len - 1 : len);
	if (!pattern.folder)
		return error_memory(err, len);
	rc = far_listing_take(
	    &pattern.listing, find->medium, pattern.folder, err);
	if (rc == 0)
		rc = far_listing_each_but(
		    &pattern.listing, leave_out, take_far, &pattern, err);
	far_listing_release(&pattern.listing);
	free(pattern.folder);
	return rc;
}

static int find_by_pattern(
    const struct find *find, const char *pattern, struct error *err)
{
	struct tar_set *set = find->set;
	const size_t before = set->count;
	glob_t found = { .gl_pathc = 0 };
	const int why = glob(pattern, GLOB_NOSORT, NULL, &found);
	int rc = 0;

	if (why && why != GLOB_NOMATCH)
		rc = error_set(err, ERROR_SYSTEM, "cannot be searched");
	for (size_t i = 0; rc == 0 && i < found.gl_pathc; i++) {
		struct stat st;

		if (stat(found.gl_pathv[i], &st) || !S_ISREG(st.st_mode) ||
		    listing_passes_by(
		        &set->passed, find->medium, pattern, found.gl_pathv[i]))
			continue;
		rc = add_archive(set, path_join("", found.gl_pathv[i], err),
		    (uint64_t)st.st_size, err);
	}
	globfree(&found);
	if (rc == 0 && set->count > before)
		qsort(set->archives + before, set->count - before,
		    sizeof(*set->archives), compare_archives);
	return rc;
}

static int find_one(void *arg, const char *path, struct error *err)
{
	const struct find *find = arg;
	const size_t before = find->set->count;
	struct medium_status status;
	int rc;

	if (medium_get_status(find->medium, path, &status, err))
		return -1;
	if (status.kind == MEDIUM_FOLDER)
		rc = find_in_folder(find, path, err);
	else if (status.kind == MEDIUM_FILE)
		rc = add_archive(
		    find->set, path_join("", path, err), status.bytes, err);
	else
		rc = url_is(path) ? find_by_far_pattern(find, path, err)
		                  : find_by_pattern(find, path, err);
	return rc ? -1 : find->set->count == before;
}

int tar_find_archives(struct tar_set *set, struct medium *medium,
    const char *path, const char *match, struct error *err)
{
	struct find find = { set, medium, match };
	const int rc = braces_each(path, find_one, &find, err);

	return rc > 0 ? listing_error_missing(
	                    medium, path, "no such archive or folder", err)
	              : rc;
}
