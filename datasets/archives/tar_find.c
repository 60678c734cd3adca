/* tar_find.c - see tar_scan.h: which archives, and which fields. */
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/archives/tar_scan.h"
#include "datasets/files/listing.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "lib/files/path.h"

/* Takes over `path`, also when it fails. */
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

/* What other programs are writing; so did earlier versions of presto. */
static bool is_unfinished(const char *name)
{
	const size_t len = strlen(name);

	return len > 4 && strcmp(name + len - 4, ".tmp") == 0;
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

/* What a path of a list adds to. */
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

/* The field's name in "mask.png"; "" when it has none, as in "png". */
static void named_field(const char *extension, char name[ENDING_MAX])
{
	const char *dot = strrchr(extension, '.');
	const size_t len = dot ? (size_t)(dot - extension) : 0;

	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)extension[i];

		name[i] = c < 0x80 && isalnum(c) ? (char)c : '_';
	}
	name[len] = '\0';
}

/* How well an extension fits `data`: the greatest wins. */
static int data_rank(const char *extension)
{
	char name[ENDING_MAX];

	named_field(extension, name);
	if (strcmp(name, "data") == 0)
		return 3;
	if (*name)
		return 0;
	return strcmp(extension, "json") == 0 || strcmp(extension, "txt") == 0
	           ? 1
	           : 2;
}

static unsigned find_data(const char (*extensions)[ENDING_MAX], unsigned count)
{
	unsigned best = 0;

	for (unsigned i = 1; i < count; i++)
		if (data_rank(extensions[i]) > data_rank(extensions[best]))
			best = i;
	return best;
}

int tar_guess_fields(struct field_rules *rules, struct schema *schema,
    const char (*extensions)[ENDING_MAX], unsigned count, struct error *err)
{
	const unsigned data = find_data(extensions, count);
	const bool is_named = count > 1 && data_rank(extensions[data]) == 0;

	if (!is_named &&
	    field_rules_add(rules, schema, "data", extensions[data], err))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		char name[ENDING_MAX];

		if (i == data && !is_named)
			continue;
		named_field(extensions[i], name);
		if (schema_find(schema, *name ? name : extensions[i]) >= 0)
			return error_set(err, ERROR_DATA,
			    "its member .%s would be a second field '%s'; "
			    "give 'fields = ...'",
			    extensions[i], *name ? name : extensions[i]);
		if (field_rules_add(rules, schema, *name ? name : extensions[i],
		        extensions[i], err))
			return error_prefix(
			    err, "give 'fields = ...', because");
	}
	return 0;
}
