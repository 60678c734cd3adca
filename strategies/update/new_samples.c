/* new_samples.c - see new_samples.h. */
#include "strategies/update/new_samples.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/sample/reader.h"
#include "strategies/update/chosen.h"
#include "strategies/update/difference.h"
#include "strategies/update/update.h"

/* Lists the files of the chosen samples, and those that steps read. */
static int list_files(struct inventory *files, const struct prepare_plan *plan,
    const struct difference *difference, struct error *err)
{
	const struct inventory *now = plan->folder.inventory;
	const unsigned each =
	    plan->source->files_each ? plan->source->files_each : 1;
	struct inventory_cursor cursor = INVENTORY_CURSOR_INIT;
	struct inventory_file file;
	size_t next = 0;
	int rc = 0;

	inventory_cursor_begin(&cursor, now);
	for (uint64_t i = 0; rc == 0 && i < now->count; i++) {
		const uint64_t sample = i / each;

		while (next < difference->chosen_count &&
		       difference->chosen[next] < sample)
			next++;
		rc = inventory_cursor_next(&cursor, &file, err) > 0 ? 0 : -1;
		if (rc == 0 && (i >= difference->own ||
		                   (next < difference->chosen_count &&
		                       difference->chosen[next] == sample)))
			rc = inventory_add(files, &file, err);
	}
	inventory_cursor_release(&cursor);
	return rc;
}

static void free_names(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

/* Copies the names of the chosen files, terminated by NULL. */
static char **chosen_names(
    const struct inventory *files, size_t count, struct error *err)
{
	struct inventory_cursor cursor = INVENTORY_CURSOR_INIT;
	char **names = calloc(count + 1, sizeof(*names));
	struct inventory_file file;
	int rc = names ? 0 : error_memory(err, count);

	inventory_cursor_begin(&cursor, files);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		rc = inventory_cursor_next(&cursor, &file, err) > 0 ? 0 : -1;
		if (rc == 0) {
			names[i] = strdup(file.name);
			rc = names[i] ? 0 : error_memory(err, 1);
		}
	}
	inventory_cursor_release(&cursor);
	if (rc == 0)
		return names;
	free_names(names);
	return NULL;
}

/* Labels of added files must stand for the same classes as before. */
static int check_classes(const struct classes *now, const struct classes *then,
    const char *dir, struct error *err)
{
	bool same = true;

	for (size_t i = 0; now && same && i < then->count && i < now->count;
	     i++)
		same = strcmp(now->names[i], then->names[i]) == 0;
	if (same)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: the added files number their classes in another way; "
	    "materialize to another folder",
	    dir);
}

/* Opens files that have several samples each. */
static struct reader *open_files(const struct update_plan *plan,
    const struct inventory *files, size_t count, struct error *err)
{
	char **names = chosen_names(files, count, err);
	struct reader *reader = NULL;

	if (names)
		reader = plan->open_files(
		    plan->arg, (const char *const *)names, count, err);
	free_names(names);
	return reader;
}

int new_samples_open(struct new_samples *added, const struct update_plan *plan,
    const struct description *then, const struct difference *difference,
    struct error *err)
{
	const struct prepare_plan *prepare = &plan->prepare;
	const struct chosen_plan chosen = {
		.of = prepare->source,
		.samples = difference->chosen,
		.count = difference->chosen_count,
		.classes = &then->classes,
	};

	if (list_files(&added->files, prepare, difference, err))
		return -1;
	if (prepare->source->files_each) {
		added->reader = chosen_open(&chosen, err);
		return added->reader ? 0 : -1;
	}
	added->reader = open_files(plan, &added->files, chosen.count, err);
	if (!added->reader)
		return -1;
	return check_classes(
	    added->reader->classes, &then->classes, prepare->folder.dir, err);
}

void new_samples_release(struct new_samples *added)
{
	reader_free(added->reader);
	inventory_release(&added->files);
	added->reader = NULL;
}
