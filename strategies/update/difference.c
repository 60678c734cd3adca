/* difference.c - see difference.h. */
#include "strategies/update/difference.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/names.h"
#include "lib/folder/inventory_compare.h"
#include "lib/stores/manifest.h"
#include "strategies/update/additions.h"
#include "strategies/update/places.h"

#define ANEW "materialize to another folder"

/* A sample that was stored; its files are found by number. */
struct old_sample {
	size_t addition;
	uint64_t number; /* among the samples of the addition */
	size_t first;    /* file */
	bool is_seen;
};

struct finder {
	const struct difference_plan *plan;
	struct difference *difference;
	struct inventory_comparison comparison;
	unsigned each;       /* files of a sample; 1 where files are compared */
	struct arena arena;  /* names */
	struct names firsts; /* first files of the old samples */
	struct old_sample *old;
	size_t old_count, old_capacity;
	struct inventory_file *files; /* files of all old samples */
	size_t file_count, file_capacity;
	struct places *places; /* [additions] */
};

void difference_release(struct difference *difference)
{
	free(difference->chosen);
	free(difference->gone);
	*difference = (struct difference)DIFFERENCE_INIT;
}

/* ---- the stored samples ---- */

/* Keeps a file with its name. */
static int keep_file(
    struct finder *finder, const struct inventory_file *file, struct error *err)
{
	const size_t size = strlen(file->name) + 1;
	char *name = arena_take(&finder->arena, size, 1, err);
	struct inventory_file *files =
	    name ? array_grow(finder->files, &finder->file_capacity,
	               finder->file_count + 1, sizeof(*files), err)
	         : NULL;

	if (!files)
		return -1;
	finder->files = files;
	memcpy(name, file->name, size);
	files[finder->file_count] = *file;
	files[finder->file_count++].name = name;
	return 0;
}

/* Notes the sample whose files were just kept. */
static int keep_sample(
    struct finder *finder, const struct old_sample *sample, struct error *err)
{
	const char *name = finder->files[sample->first].name;
	const int32_t number =
	    names_number(&finder->firsts, span_text(name), err);
	struct old_sample *old;

	if (number < 0)
		return -1;
	old = array_grow(finder->old, &finder->old_capacity, (size_t)number + 1,
	    sizeof(*old), err);
	if (!old)
		return -1;
	finder->old = old;
	old[number] = *sample; /* a later addition replaces an earlier one */
	if (finder->old_count < (size_t)number + 1)
		finder->old_count = (size_t)number + 1;
	return 0;
}

static uint64_t besides(const struct finder *finder)
{
	return finder->plan->now->count - finder->plan->own;
}

static int error_lists(const struct finder *finder, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "%s: other files are read besides the dataset than when it was "
	    "stored, or other fields; " ANEW,
	    finder->plan->dir);
}

static int load_addition(struct finder *finder, size_t number,
    struct inventory_cursor *cursor, struct error *err)
{
	const struct inventory *files =
	    &finder->plan->additions->items[number].files;
	const uint64_t others = besides(finder);
	struct inventory_file file;
	uint64_t samples;

	if (files->count < others || (files->count - others) % finder->each)
		return error_lists(finder, err);
	samples = (files->count - others) / finder->each;
	inventory_cursor_begin(cursor, files);
	for (uint64_t i = 0; i < samples; i++) {
		const struct old_sample sample = { number, i,
			finder->file_count, false };

		for (unsigned f = 0; f < finder->each; f++)
			if (inventory_cursor_next(cursor, &file, err) <= 0 ||
			    keep_file(finder, &file, err))
				return -1;
		if (keep_sample(finder, &sample, err))
			return -1;
	}
	return places_init(&finder->places[number],
	    &finder->plan->additions->items[number], finder->plan->manifest,
	    finder->plan->order, samples, err);
}

/* Compares the files that steps read besides; both cursors stand there. */
static int compare_besides(struct finder *finder, struct inventory_cursor *then,
    struct inventory_cursor *now, struct error *err)
{
	struct inventory_change change;
	struct inventory_file old, new;

	for (uint64_t i = 0; i < besides(finder); i++) {
		if (inventory_cursor_next(then, &old, err) <= 0 ||
		    inventory_cursor_next(now, &new, err) <= 0)
			return -1;
		if (strcmp(old.name, new.name) != 0)
			return error_lists(finder, err);
		if (inventory_compare_file(
		        &finder->comparison, &old, &new, &change) > 0)
			return error_set(err, ERROR_USAGE,
			    "%s: a file that a step reads has changed since "
			    "the dataset was stored: %s; " ANEW,
			    finder->plan->dir, change.text);
	}
	return 0;
}

/* ---- the samples now ---- */

/* Is it left out already? */
static bool is_live(const struct finder *finder, const struct old_sample *old)
{
	const struct places *places = &finder->places[old->addition];
	const struct left_samples *left = &finder->plan->manifest->left_out;
	uint64_t shard, place;

	/* where places are not known, nothing was ever left out */
	if (left->count == 0 || !places->is_known)
		return true;
	places_find(places, old->number, &shard, &place);
	return !left_samples_has(left, left_samples_find(left, shard), place);
}

static int choose(struct finder *finder, uint64_t number, struct error *err)
{
	struct difference *difference = finder->difference;
	uint64_t *chosen =
	    array_grow(difference->chosen, &difference->chosen_capacity,
	        difference->chosen_count + 1, sizeof(*chosen), err);

	if (!chosen)
		return -1;
	difference->chosen = chosen;
	chosen[difference->chosen_count++] = number;
	return 0;
}

/* Says why a stored sample cannot be left out. */
static int error_unknown(const struct finder *finder,
    const struct old_sample *old, const char *what, struct error *err)
{
	const char *name = finder->files[old->first].name;

	if (finder->plan->files_each == 0)
		return error_set(err, ERROR_USAGE,
		    "%s: %s %s, and which of its samples are others cannot be "
		    "known: an update takes added files only; undo the change, "
		    "or " ANEW,
		    finder->plan->dir, name, what);
	return error_set(err, ERROR_USAGE,
	    "%s: %s %s, and which stored sample it is cannot be known: not "
	    "every file became one sample, or the samples were shuffled in "
	    "windows; " ANEW,
	    finder->plan->dir, name, what);
}

/* Leaves a stored sample out. */
static int drop(struct finder *finder, const struct old_sample *old,
    const char *what, struct error *err)
{
	struct difference *difference = finder->difference;
	const struct places *places = &finder->places[old->addition];
	struct gone_sample *gone;

	if (finder->plan->files_each == 0 || !places->is_known ||
	    !finder->plan->are_places_known)
		return error_unknown(finder, old, what, err);
	gone = array_grow(difference->gone, &difference->gone_capacity,
	    difference->gone_count + 1, sizeof(*gone), err);
	if (!gone)
		return -1;
	difference->gone = gone;
	gone += difference->gone_count++;
	places_find(places, old->number, &gone->shard, &gone->place);
	return 0;
}

/* Takes the files of the next sample: 1 if one differs from the stored. */
static int compare_sample(struct finder *finder, const struct old_sample *old,
    const struct inventory_file *first, struct inventory_cursor *cursor,
    struct error *err)
{
	struct inventory_file file = *first;
	struct inventory_change change;
	int differs = 0;

	for (unsigned f = 0; f < finder->each; f++) {
		const struct inventory_file *then =
		    old ? &finder->files[old->first + f] : NULL;

		if (f && inventory_cursor_next(cursor, &file, err) <= 0)
			return -1;
		if (then && (strcmp(then->name, file.name) != 0 ||
		                inventory_compare_file(&finder->comparison,
		                    then, &file, &change) > 0))
			differs = 1;
	}
	return differs;
}

static int take_sample(struct finder *finder, uint64_t number,
    struct inventory_cursor *cursor, struct error *err)
{
	struct difference *difference = finder->difference;
	struct old_sample *old = NULL;
	struct inventory_file first;
	int32_t known;
	int differs;

	if (inventory_cursor_next(cursor, &first, err) <= 0)
		return -1;
	known = names_find(&finder->firsts, span_text(first.name));
	if (known >= 0 && is_live(finder, &finder->old[known]))
		old = &finder->old[known];
	differs = compare_sample(finder, old, &first, cursor, err);
	if (differs < 0)
		return -1;
	if (old)
		old->is_seen = true;
	if (old && !differs)
		return 0;
	if (old)
		difference->changed++;
	else
		difference->added++;
	if (old && drop(finder, old, "has changed", err))
		return -1;
	return choose(finder, number, err);
}

static int drop_missing(struct finder *finder, struct error *err)
{
	for (size_t i = 0; i < finder->old_count; i++) {
		const struct old_sample *old = &finder->old[i];

		if (old->is_seen || !is_live(finder, old))
			continue;
		finder->difference->removed++;
		if (drop(finder, old, "was removed", err))
			return -1;
	}
	return 0;
}

static int find(struct finder *finder, struct inventory_cursor *then,
    struct inventory_cursor *now, struct error *err)
{
	const struct difference_plan *plan = finder->plan;
	const uint64_t samples = plan->own / finder->each;

	for (size_t i = 0; i < plan->additions->count; i++)
		if (load_addition(finder, i, then, err))
			return -1;
	inventory_cursor_begin(now, plan->now);
	for (uint64_t i = 0; i < samples; i++)
		if (take_sample(finder, i, now, err))
			return -1;
	/* `then` stands behind the samples of the last addition */
	if (compare_besides(finder, then, now, err))
		return -1;
	return drop_missing(finder, err);
}

int difference_find(struct difference *difference,
    const struct difference_plan *plan, struct error *err)
{
	struct finder finder = {
		.plan = plan,
		.difference = difference,
		.comparison = { .now = plan->now, .medium = plan->medium },
		.each = plan->files_each ? plan->files_each : 1,
		.arena = ARENA_INIT,
		.firsts = NAMES_INIT,
		.places =
		    calloc(plan->additions->count + 1, sizeof(struct places)),
	};
	struct inventory_cursor then = INVENTORY_CURSOR_INIT;
	struct inventory_cursor now = INVENTORY_CURSOR_INIT;
	int rc = -1;

	difference->own = plan->own;
	if (!finder.places)
		error_memory(err, plan->additions->count);
	else
		rc = find(&finder, &then, &now, err);
	inventory_cursor_release(&then);
	inventory_cursor_release(&now);
	for (size_t i = 0; finder.places && i < plan->additions->count; i++)
		places_release(&finder.places[i]);
	free(finder.places);
	free(finder.old);
	free(finder.files);
	names_release(&finder.firsts);
	arena_release(&finder.arena);
	return rc;
}
