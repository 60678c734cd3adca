/*
 * leave_out.c - see strategy.h and predict.h: what was asked for and is not
 * possible, by the kinds of data or by the samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "strategies/forecast/predict.h"

enum { SHAPES_WHAT = 128 + 2 * SHAPE_TEXT };

/* Is it a word of the list "a, b"? */
static bool is_listed(const char *list, const char *what)
{
	const size_t len = strlen(what);

	for (const char *at = list; at; at = strstr(at, ", ")) {
		at += at == list ? 0 : 2;
		if (strncmp(at, what, len) == 0 &&
		    (at[len] == ',' || at[len] == '\0'))
			return true;
	}
	return false;
}

static int add_to_list(char **list, const char *what, struct error *err)
{
	const size_t used = strlen(*list), size = used + strlen(what) + 3;
	char *longer;

	if (is_listed(*list, what))
		return 0;
	longer = realloc(*list, size);
	if (!longer)
		return error_memory(err, size);
	*list = longer;
	snprintf(longer + used, size - used, ", %s", what);
	return 0;
}

int strategies_leave_out(
    struct strategies *strategies, const char *what, struct error *err)
{
	struct left_out *list = strategies->left_out, *last;

	for (size_t i = 0; i < strategies->left_count; i++)
		if (strcmp(list[i].why, err->text) == 0)
			return add_to_list(&list[i].what, what, err);
	list = array_grow(list, &strategies->left_capacity,
	    strategies->left_count + 1, sizeof(*list), err);
	if (!list)
		return -1;
	strategies->left_out = list;
	last = &list[strategies->left_count++];
	*last = (struct left_out){
		.what = strdup(what),
		.why = strdup(err->text),
	};
	return last->what && last->why ? 0
	                               : error_memory(err, sizeof(err->text));
}

/* Where it was asked: the key that is at fault, as far as one is given. */
static int blame(const struct ini *ini, struct error *err)
{
	static const char *const keys[] = { "codec", "store", "split" };
	const struct ini_section *section = ini_section(ini, "strategies");
	const struct ini_entry *entry = NULL;

	for (size_t i = 0; section && !entry && i < ARRAY_LEN(keys); i++)
		entry = ini_entry(section, keys[i]);
	return entry ? ini_error_at(ini, entry, err) : -1;
}

int strategies_check_any(const struct strategies *strategies,
    const struct ini *ini, struct error *err)
{
	char text[sizeof(err->text)] = "";

	if (strategies->count > 1 || strategies->left_count == 0)
		return 0;
	for (size_t i = 0; i < strategies->left_count; i++) {
		const struct left_out *left = &strategies->left_out[i];
		const size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "%s%s: %s",
		    i ? "; " : "", left->what, left->why);
	}
	error_set(err, ERROR_USAGE,
	    "nothing is left to store: %s; presto list says what each is "
	    "for",
	    text);
	return blame(ini, err);
}

static bool has_shapes_for(
    const struct model *model, const struct strategy *strategy)
{
	return strategy->unprocessed || !strategy->store->one_shape ||
	       !model->shapes[strategy->split].differ;
}

/* "decoded/npy (field data: 375x500x3 and 500x333x3)", and err. */
static void describe_shapes(const struct model *model,
    const struct strategy *strategy, char what[SHAPES_WHAT], struct error *err)
{
	const struct schema *schema =
	    &model->pipeline->schemas[strategy->split];
	const struct shapes *shapes = &model->shapes[strategy->split];
	char a[SHAPE_TEXT], b[SHAPE_TEXT];

	snprintf(what, SHAPES_WHAT, "%.48s/%.24s (field %.32s: %s and %s)",
	    pipeline_name(model->pipeline, strategy->split),
	    strategy->store->name, schema->fields[shapes->field].name,
	    shape_text(&shapes->first[shapes->field], a),
	    shape_text(&shapes->other, b));
	error_set(err, ERROR_USAGE,
	    "%s needs samples of one shape, as resize size=N, center_crop, "
	    "pad or window make them",
	    strategy->store->name);
}

int model_check(const struct model *model, const struct strategy *strategy,
    struct error *err)
{
	char what[SHAPES_WHAT];

	if (has_shapes_for(model, strategy))
		return 0;
	describe_shapes(model, strategy, what, err);
	return error_prefix(err, "%s", what);
}

int model_leave_out(
    const struct model *model, struct strategies *strategies, struct error *err)
{
	char what[SHAPES_WHAT];
	size_t kept = 0;

	for (size_t i = 0; i < strategies->count; i++) {
		const struct strategy strategy = strategies->list[i];

		if (has_shapes_for(model, &strategy)) {
			strategies->list[kept++] = strategy;
			continue;
		}
		describe_shapes(model, &strategy, what, err);
		if (strategies_leave_out(strategies, what, err))
			return -1;
	}
	strategies->count = kept;
	return strategies_check_any(strategies, model->pipeline->ini, err);
}
