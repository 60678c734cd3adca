/* strategies.c - see strategies.h. */
#include "strategies/plan/strategies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "strategies/plan/plan.h"

/* ---- combinations that are left out ---- */

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

/* Puts the place of the key that asked for it in front of the error. */
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

	for (size_t i = 0; i < strategies->count; i++)
		if (!strategies->list[i].unprocessed)
			return 0;
	if (strategies->left_count == 0)
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

/* ---- the list ---- */

int strategies_append(struct strategies *strategies,
    const struct strategy *strategy, struct error *err)
{
	struct strategy *list = array_grow(strategies->list,
	    &strategies->capacity, strategies->count + 1, sizeof(*list), err);

	if (!list)
		return -1;
	strategies->list = list;
	for (size_t i = 0; i < strategies->count; i++)
		if (strcmp(list[i].label, strategy->label) == 0)
			return 0;
	list[strategies->count++] = *strategy;
	return 0;
}

/* ---- numbers of samples and of shards ---- */

/* Sets the numbers of a variant; what all strategies share is not named. */
static void set_variant(struct strategy *strategy, const struct plan *plan,
    uint64_t samples, uint64_t shards)
{
	const struct sweep *all = &plan->measure.samples;
	size_t used = 0;

	strategy->shards = shards;
	if (!strategy->unprocessed && plan->strategies.shards.count > 1)
		used = (size_t)snprintf(strategy->variant,
		    sizeof(strategy->variant), ", %llu shard%s",
		    (unsigned long long)shards, shards == 1 ? "" : "s");
	if (all->count == 1)
		return;
	strategy->samples = samples == sweep_most(all) ? 0 : samples;
	snprintf(strategy->variant + used, sizeof(strategy->variant) - used,
	    ", %llu sample%s", (unsigned long long)samples,
	    samples == 1 ? "" : "s");
}

static int append_variant(struct strategies *strategies,
    const struct strategy *strategy, struct error *err)
{
	struct strategy *list = array_grow(strategies->list,
	    &strategies->capacity, strategies->count + 1, sizeof(*list), err);

	if (!list)
		return -1;
	strategies->list = list;
	list[strategies->count++] = *strategy;
	return 0;
}

int strategies_sweep(struct strategies *strategies, size_t first,
    const struct plan *plan, struct error *err)
{
	const struct sweep *samples = &plan->measure.samples;
	const struct sweep *shards = &plan->strategies.shards;
	struct strategies all = { .list = NULL };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < first; i++)
		rc = append_variant(&all, &strategies->list[i], err);
	for (size_t i = first; i < strategies->count; i++) {
		struct strategy one = strategies->list[i];
		const unsigned kinds = one.unprocessed ? 1 : shards->count;

		for (unsigned n = 0; rc == 0 && n < samples->count; n++)
			for (unsigned k = 0; rc == 0 && k < kinds; k++) {
				set_variant(&one, plan, samples->values[n],
				    one.unprocessed ? 0 : shards->values[k]);
				rc = append_variant(&all, &one, err);
			}
	}
	free(strategies->list);
	strategies->list = all.list;
	strategies->count = all.count;
	strategies->capacity = all.capacity;
	return rc;
}

int strategies_add_yours(struct strategies *strategies, struct error *err)
{
	const struct strategy yours = {
		.label = "yours",
		.unprocessed = true,
		.yours = true,
	};

	if (strategies_append(strategies, &yours, err))
		return -1;
	/* Beside unprocessed, it is in the first group of any disk. */
	memmove(&strategies->list[2], &strategies->list[1],
	    (strategies->count - 2) * sizeof(yours));
	strategies->list[1] = yours;
	return 0;
}

const struct strategy *strategies_find(
    const struct strategies *strategies, const char *label)
{
	for (size_t i = 0; i < strategies->count; i++)
		if (strcmp(strategies->list[i].label, label) == 0)
			return &strategies->list[i];
	return NULL;
}

int strategies_keep(struct strategies *strategies, const char *const *labels,
    size_t count, struct error *err)
{
	struct strategy *list = strategies->list;
	size_t kept = 0;

	for (size_t k = 0; k < count; k++)
		if (!strategies_find(strategies, labels[k]))
			return error_set(err, ERROR_USAGE,
			    "%s is no strategy of this pipeline", labels[k]);
	for (size_t i = 0; i < strategies->count; i++) {
		bool is_wanted = list[i].unprocessed;

		for (size_t k = 0; k < count; k++)
			is_wanted |= strcmp(list[i].label, labels[k]) == 0;
		if (is_wanted)
			list[kept++] = list[i];
	}
	strategies->count = kept;
	return 0;
}

void strategies_release(struct strategies *strategies)
{
	for (size_t i = 0; i < strategies->left_count; i++) {
		free(strategies->left_out[i].what);
		free(strategies->left_out[i].why);
	}
	free(strategies->left_out);
	free(strategies->list);
	orders_free(strategies->orders);
	*strategies = (struct strategies)STRATEGIES_INIT;
}
