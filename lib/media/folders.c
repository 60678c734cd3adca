/* folders.c - see folders.h. */
#include "lib/media/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/names.h"
#include "lib/files/temporary.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"

/* Are its folders only the beginnings of names? */
static bool is_listed(const struct medium *medium, const char *dir)
{
	return medium_is_memory(medium) || url_is(dir);
}

/* ---- names ---- */

/* Names of the folder itself, each terminated, once. */
struct entries {
	struct names known;
	struct buf text; /* the newest name; it moves */
	char **copies;   /* owned; the names of `known` */
	size_t capacity;
};

/* Adds what stands before the first slash of a file's name. */
static int add_entry(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	struct entries *entries = arg;
	const struct span first = { (const unsigned char *)name,
		strcspn(name, "/") };
	const size_t count = entries->known.count;
	char **copies;
	char *copy;

	UNUSED(status);
	if (first.len == 0 || names_find(&entries->known, first) >= 0)
		return 0;
	copies = array_grow(entries->copies, &entries->capacity, count + 1,
	    sizeof(*copies), err);
	if (!copies)
		return -1;
	entries->copies = copies;
	copy = strndup(name, first.len);
	if (!copy)
		return error_memory(err, first.len + 1);
	copies[count] = copy;
	return names_number(&entries->known, span_text(copy), err) < 0 ? -1 : 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int each_listed_name(struct medium *medium, const char *dir,
    path_name_visit *visit, void *arg, struct error *err)
{
	struct entries entries = { .known = NAMES_INIT };
	int rc = medium_list(medium, dir, add_entry, &entries, err);
	const size_t count = entries.known.count;

	if (rc == 0 && count)
		qsort(entries.copies, count, sizeof(char *), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (rc == 0)
			rc = visit(arg, entries.copies[i], err);
		free(entries.copies[i]);
	}
	free(entries.copies);
	names_release(&entries.known);
	return rc;
}

int medium_each_name(struct medium *medium, const char *dir,
    path_name_visit *visit, void *arg, struct error *err)
{
	return is_listed(medium, dir)
	           ? each_listed_name(medium, dir, visit, arg, err)
	           : path_each_name(dir, visit, arg, err);
}

/* The search for any file. */
struct search {
	const char *except;
	char *name; /* MEDIUM_NAME bytes */
	bool found;
};

/* Ends the listing at the first file: -1 and `found`. */
static int take_any(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	struct search *search = arg;

	UNUSED(status);
	if ((search->except && strcmp(name, search->except) == 0) ||
	    temporary_is_name(name))
		return 0;
	snprintf(search->name, MEDIUM_NAME, "%s", name);
	search->found = true;
	return error_set(err, ERROR_INTERRUPTED, "found");
}

int medium_find_any(struct medium *medium, const char *dir, const char *except,
    char name[MEDIUM_NAME], struct error *err)
{
	struct search search = { .except = except, .name = name };
	struct error why = ERROR_INIT;

	if (!is_listed(medium, dir))
		return path_find_any(dir, except, name, err);
	name[0] = '\0';
	if (medium_list(medium, dir, take_any, &search, &why) == 0 ||
	    search.found)
		return 0;
	*err = why;
	return -1;
}

/* ---- files ---- */

/* A visitor of path_tree.h, for the files of a listing. */
struct files {
	path_visit *visit;
	void *arg;
};

static int visit_file(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	const struct files *files = arg;

	return files->visit(files->arg, name, status->bytes, err);
}

int medium_each_file(struct medium *medium, const char *dir, path_visit *visit,
    void *arg, struct error *err)
{
	struct files files = { visit, arg };

	return is_listed(medium, dir)
	           ? medium_list(medium, dir, visit_file, &files, err)
	           : path_each(dir, visit, arg, err);
}

static int add_bytes(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	uint64_t *sum = arg;

	UNUSED(name);
	UNUSED(err);
	*sum += bytes;
	return 0;
}

static int keep_name(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	struct buf *names = arg;

	UNUSED(status);
	return buf_append(names, name, strlen(name) + 1, err);
}

static int remove_below(
    struct medium *medium, const char *dir, const char *name, struct error *err)
{
	char *path = path_join(dir, name, err);
	const int rc = path ? medium_remove(medium, path, err) : -1;

	free(path);
	return rc;
}

int medium_remove_tree(
    struct medium *medium, const char *dir, struct error *err)
{
	struct buf names = BUF_INIT;
	int rc;

	if (!is_listed(medium, dir))
		return path_remove_tree(dir, err);
	rc = medium_list(medium, dir, keep_name, &names, err);
	for (size_t at = 0; rc == 0 && at < names.len;) {
		const char *name = (const char *)names.data + at;

		rc = remove_below(medium, dir, name, err);
		at += strlen(name) + 1;
	}
	buf_release(&names);
	return rc;
}

int medium_folder_bytes(
    struct medium *medium, const char *dir, uint64_t *bytes, struct error *err)
{
	if (!is_listed(medium, dir))
		return path_bytes(dir, bytes, err);
	*bytes = 0;
	return medium_each_file(medium, dir, add_bytes, bytes, err);
}
