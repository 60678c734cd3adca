/* tar_find.c - see tar_find.h. */
#include "datasets/archives/tar_find.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/files/listing.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "lib/files/path.h"

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

static int find_in_folder(
    struct tar_set *set, const char *dir, const char *match, struct error *err)
{
	struct listing listing = LISTING_INIT;
	int rc = listing_scan(&listing, dir, match, err);

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

static int find_by_pattern(
    struct tar_set *set, const char *pattern, struct error *err)
{
	const size_t before = set->count;
	glob_t found = { .gl_pathc = 0 };
	const int why = glob(pattern, GLOB_NOSORT, NULL, &found);
	int rc = 0;

	if (why && why != GLOB_NOMATCH)
		rc = error_set(err, ERROR_SYSTEM, "cannot be searched");
	for (size_t i = 0; rc == 0 && i < found.gl_pathc; i++) {
		struct stat st;

		if (stat(found.gl_pathv[i], &st) || !S_ISREG(st.st_mode) ||
		    listing_passes_by(&set->passed, pattern, found.gl_pathv[i]))
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

/* State while the paths of a list are visited. */
struct find {
	struct tar_set *set;
	const char *match;
};

static int find_one(void *arg, const char *path, struct error *err)
{
	const struct find *find = arg;
	const size_t before = find->set->count;
	struct stat st;
	int rc;

	if (stat(path, &st) == 0)
		rc = S_ISDIR(st.st_mode)
		         ? find_in_folder(find->set, path, find->match, err)
		         : add_archive(find->set, path_join("", path, err),
		               (uint64_t)st.st_size, err);
	else if (errno != ENOENT && errno != ENOTDIR)
		rc = error_errno(err, "open", path);
	else
		rc = find_by_pattern(find->set, path, err);
	return rc ? -1 : find->set->count == before;
}

int tar_find_archives(
    struct tar_set *set, const char *path, const char *match, struct error *err)
{
	struct find find = { .set = set, .match = match };
	const int rc = braces_each(path, find_one, &find, err);

	return rc > 0
	           ? error_set(err, ERROR_SYSTEM, "no such archive or folder")
	           : rc;
}
