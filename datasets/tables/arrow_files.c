/* arrow_files.c - see arrow_files.h. */
#include "datasets/tables/arrow_files.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/files/source_plan.h"
#include "datasets/tables/table.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/whole.h"
#include "lib/syntax/json.h"

#define STATE_NAME  "state.json"
#define CACHE_BEGIN "cache-"

enum { STATE_MAX = 64 << 20 };

enum mark { UNDECIDED, TAKEN, LEFT_OUT };

/* The files of a listing that are being chosen from. */
struct choice {
	struct listing *listing;
	struct medium *medium;
	unsigned char *marks; /* enum mark; [listing->count]; owned */
	size_t next;          /* where the next name is looked for first */
};

/* Returns the bytes of the folder in front of a file's name, with its '/'. */
static size_t folder_len(const char *name)
{
	return (size_t)(path_base(name) - name);
}

static bool is_in_folder(const char *name, const char *folder, size_t len)
{
	return folder_len(name) == len && memcmp(name, folder, len) == 0;
}

static bool is_state(const char *name)
{
	return strcmp(path_base(name), STATE_NAME) == 0;
}

static bool is_cache(const char *name)
{
	return strncmp(path_base(name), CACHE_BEGIN, strlen(CACHE_BEGIN)) == 0;
}

/* Takes the file with this name in a folder: 1; 0: there is none. */
static int take(
    struct choice *choice, const char *folder, size_t len, const char *base)
{
	const size_t count = choice->listing->count;

	for (size_t i = 0; i < count; i++) {
		const size_t file = (choice->next + i) % count;
		const char *name = listing_name(choice->listing, file);

		if (!is_in_folder(name, folder, len) ||
		    strcmp(name + len, base) != 0)
			continue;
		choice->marks[file] = TAKEN;
		choice->next = file + 1;
		return 1;
	}
	return 0;
}

static void leave_out_folder(
    const struct choice *choice, const char *folder, size_t len)
{
	for (size_t i = 0; i < choice->listing->count; i++)
		if (is_in_folder(listing_name(choice->listing, i), folder, len))
			choice->marks[i] = LEFT_OUT;
}

/* Takes the files that a parsed state.json names. */
static int take_named(struct choice *choice, const char *state,
    const struct json_t *files, struct error *err)
{
	const size_t len = folder_len(state);

	leave_out_folder(choice, state, len);
	for (size_t i = 0; i < json_count(files); i++) {
		const struct json_t *item = json_item(files, i);
		const char *base;

		if (!item)
			return error_set(
			    err, ERROR_DATA, "'_data_files' must have objects");
		if (json_get_text(item, "filename", &base, err))
			return -1;
		if (!take(choice, state, len, base))
			return error_set(err, ERROR_DATA,
			    "names '%.200s', which is not in its folder", base);
	}
	return 0;
}

/* The state.json of other programs is not looked at. */
static int take_state(struct choice *choice, size_t file, struct error *err)
{
	const char *name = listing_name(choice->listing, file);
	struct json_doc doc = { .root = NULL };
	char *path = listing_path(choice->listing, file, err);
	struct buf text = BUF_INIT;
	struct json_t *files;
	int rc = -1;

	if (path &&
	    medium_read_whole(choice->medium, path, STATE_MAX, &text, err) ==
	        0 &&
	    json_doc_parse(&doc, path, buf_span(&text), err) == 0) {
		struct error ignored = ERROR_INIT;

		rc = 0;
		if (json_get_array(doc.root, "_data_files", &files, &ignored) ==
		    0)
			rc = take_named(choice, name, files, err);
		if (rc)
			error_prefix(err, "%s", path);
	}
	json_doc_release(&doc);
	buf_release(&text);
	free(path);
	return rc;
}

/* Decides about files of folders without a state. */
static void decide_others(struct choice *choice)
{
	const struct listing *listing = choice->listing;
	bool others = false;

	for (size_t i = 0; i < listing->count; i++) {
		const char *name = listing_name(listing, i);

		if (is_state(name))
			choice->marks[i] = LEFT_OUT;
		else if (choice->marks[i] == UNDECIDED && !is_cache(name))
			choice->marks[i] = TAKEN;
		others |= choice->marks[i] == TAKEN;
	}
	for (size_t i = 0; i < listing->count; i++)
		if (choice->marks[i] == UNDECIDED)
			choice->marks[i] = others ? LEFT_OUT : TAKEN;
}

static int keep_taken(const struct choice *choice, struct error *err)
{
	struct listing *listing = choice->listing;
	size_t kept = 0;

	for (size_t i = 0; i < listing->count; i++)
		if (choice->marks[i] == TAKEN)
			listing->files[kept++] = listing->files[i];
	listing->count = kept;
	return kept ? 0
	            : error_set(err, ERROR_USAGE,
	                  "no file matches '" ARROW_MATCH "'");
}

static int choose(struct choice *choice, struct error *err)
{
	for (size_t i = 0; i < choice->listing->count; i++)
		if (is_state(listing_name(choice->listing, i)) &&
		    take_state(choice, i, err))
			return -1;
	decide_others(choice);
	return keep_taken(choice, err);
}

int arrow_find_files(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	struct table *table = reader->priv;
	struct choice choice = { .listing = &table->listing,
		.medium = plan->medium };
	const bool chooses = strcmp(table->options->match, ARROW_MATCH) == 0;
	int rc;

	if (listing_find(&table->listing, plan->medium, plan->path,
	        chooses ? ARROW_MATCH ", " STATE_NAME : table->options->match,
	        err))
		return -1;
	if (!chooses)
		return 0;
	choice.marks = calloc(table->listing.count + 1, 1);
	if (!choice.marks)
		return error_memory(err, table->listing.count);
	rc = choose(&choice, err);
	free(choice.marks);
	return rc;
}
