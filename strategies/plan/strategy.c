/* strategy.c - see strategy.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/nearest.h"
#include "lib/codecs/transform.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategy.h"

static void set_label(
    struct strategy *strategy, const struct pipeline *pipeline)
{
	char codec[CODEC_LABEL];

	snprintf(strategy->label, sizeof(strategy->label), "%.48s/%.24s/%s",
	    pipeline_name(pipeline, strategy->split), strategy->store->name,
	    codec_label(&strategy->codec, codec));
}

/* The representation of this name, if it may be stored. */
static int find_split(const struct pipeline *pipeline, const char *name,
    unsigned *split, struct error *err)
{
	const int i = pipeline_find(pipeline, name);
	const unsigned last = pipeline_last_split(pipeline);
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	if (i >= 0 && (unsigned)i <= last) {
		*split = (unsigned)i;
		return 0;
	}
	if (i >= 0)
		return error_set(err, ERROR_USAGE,
		    "'%s' cannot be stored: step '%s' is random, so it and "
		    "what follows stay online",
		    name, pipeline_name(pipeline, last + 1));
	for (unsigned k = 0; k <= last; k++)
		nearest_try(&nearest, pipeline_name(pipeline, k));
	return error_set(err, ERROR_USAGE, "no representation '%s'%s", name,
	    nearest_hint(&nearest, hint));
}

static int append(struct strategies *strategies,
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

/* 0, or -1 with err set and what is not possible: "raw/npy". */
static int check_combination(const struct strategy *strategy,
    const struct pipeline *pipeline, char what[RESULTS_LABEL],
    struct error *err)
{
	const struct codec none = { .ops = &codec_none };
	const struct codec *codec = &strategy->codec;
	const struct schema *schema = &pipeline->schemas[strategy->split];
	const char *split = pipeline_name(pipeline, strategy->split);
	const char *store = strategy->store->name;
	char label[CODEC_LABEL];
	struct store_form form;

	codec_label(codec, label);
	if (codec_stored_schema(codec, schema, &form.schema, err)) {
		snprintf(what, RESULTS_LABEL, "%.48s/*/%s", split, label);
		return -1;
	}
	if (store_form_init(&form, strategy->store, codec, schema, err) == 0)
		return 0;
	snprintf(what, RESULTS_LABEL, "%.48s/%.24s", split, store);
	/* The store alone, or the two together? */
	if (!codec->transform || store_form_init(&form, strategy->store, &none,
	                             schema, &(struct error)ERROR_INIT))
		return -1;
	snprintf(what, RESULTS_LABEL, "%.48s/%.24s/%s", split, store, label);
	if (codec->transform->is_filter || !strategy->store->one_shape)
		return -1;
	return error_set(err, ERROR_USAGE,
	    "%s stores arrays, and %s makes files: use tar, tfrecord or files",
	    store, codec->transform->name);
}

static int append_split(struct strategies *strategies, const struct plan *plan,
    const struct pipeline *pipeline, unsigned split, struct error *err)
{
	struct strategy strategy = { .split = split };
	char what[RESULTS_LABEL];

	for (unsigned s = 0; s < plan->strategies.store_count; s++) {
		strategy.store = plan->strategies.stores[s];
		for (unsigned c = 0; c < plan->strategies.codec_count; c++) {
			if (!plan_wants_codec(
			        plan, c, &pipeline->schemas[split]))
				continue;
			strategy.codec = plan->strategies.codecs[c];
			set_label(&strategy, pipeline);
			if (check_combination(&strategy, pipeline, what, err)
			        ? strategies_leave_out(strategies, what, err)
			        : append(strategies, &strategy, err))
				return -1;
		}
	}
	return 0;
}

/* Marks the representations that [strategies] split names. */
static int choose_splits(const struct plan *plan,
    const struct pipeline *pipeline, bool chosen[PIPELINE_STEPS + 1],
    struct error *err)
{
	char name[64];

	for (const char *at = plan->strategies.split; *at;) {
		size_t len;
		unsigned split;

		at += strspn(at, ", \t\n");
		len = strcspn(at, ", \t\n");
		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		at += len;
		if (len == 0 || strcmp(name, "unprocessed") == 0)
			continue;
		if (strcmp(name, "all") == 0) {
			for (unsigned i = 0; i <= pipeline_last_split(pipeline);
			     i++)
				chosen[i] = true;
			continue;
		}
		if (find_split(pipeline, name, &split, err))
			return error_prefix(err, "split");
		chosen[split] = true;
	}
	return 0;
}

/* The place of the key in the file in front of the message. */
static int blame_split(const struct pipeline *pipeline, struct error *err)
{
	const struct ini_section *section =
	    ini_section(pipeline->ini, "strategies");
	const struct ini_entry *entry =
	    section ? ini_entry(section, "split") : NULL;

	return entry ? ini_error_at(pipeline->ini, entry, err) : -1;
}

int strategies_enumerate(struct strategies *strategies, const struct plan *plan,
    const struct pipeline *pipeline, struct error *err)
{
	const struct strategy nothing = {
		.label = "unprocessed",
		.unprocessed = true,
	};
	bool chosen[PIPELINE_STEPS + 1] = { false };

	if (choose_splits(plan, pipeline, chosen, err))
		return blame_split(pipeline, err);
	if (append(strategies, &nothing, err))
		return -1;
	for (unsigned i = 0; i <= pipeline->count; i++)
		if (chosen[i] &&
		    append_split(strategies, plan, pipeline, i, err))
			return -1;
	return strategies_check_any(strategies, pipeline->ini, err);
}

void strategies_release(struct strategies *strategies)
{
	for (size_t i = 0; i < strategies->left_count; i++) {
		free(strategies->left_out[i].what);
		free(strategies->left_out[i].why);
	}
	free(strategies->left_out);
	free(strategies->list);
	*strategies = (struct strategies)STRATEGIES_INIT;
}

int strategy_parse(struct strategy *strategy, const char *label,
    const struct pipeline *pipeline, struct error *err)
{
	char text[RESULTS_LABEL], what[RESULTS_LABEL];
	struct nearest nearest = nearest_to(label);
	char *rest = NULL, *split, *store, *codec;
	char hint[NEAREST_HINT];

	*strategy = (struct strategy){ .unprocessed = false };
	if (strcmp(label, "unprocessed") == 0) {
		strategy->unprocessed = true;
		snprintf(strategy->label, sizeof(strategy->label), "%s", label);
		return 0;
	}
	snprintf(text, sizeof(text), "%s", label);
	split = strtok_r(text, "/", &rest);
	store = strtok_r(NULL, "/", &rest);
	codec = strtok_r(NULL, "/", &rest);
	if (!split || !store || strtok_r(NULL, "/", &rest)) {
		nearest_try(&nearest, "unprocessed");
		return error_set(err, ERROR_USAGE,
		    "'%s' is no strategy: it must be SPLIT/STORE/CODEC, or "
		    "unprocessed%s",
		    label, nearest_question(&nearest, hint));
	}
	if (find_split(pipeline, split, &strategy->split, err) == 0)
		strategy->store = store_parse(store, err);
	if (!strategy->store ||
	    codec_parse(codec ? codec : "none", &strategy->codec, err))
		return error_prefix(err, "strategy '%s'", label);
	set_label(strategy, pipeline);
	if (check_combination(strategy, pipeline, what, err))
		return error_prefix(err, "strategy '%s'", strategy->label);
	return 0;
}

bool strategy_is_lossy(const struct strategy *strategy)
{
	return !strategy->unprocessed && codec_is_lossy(&strategy->codec);
}

bool strategy_may_differ(
    const struct strategy *strategy, const struct pipeline *pipeline)
{
	bool differs = strategy_is_lossy(strategy);

	for (unsigned i = 0; !strategy->unprocessed && i < strategy->split; i++)
		differs |= pipeline->steps[i].lossy;
	return differs;
}

bool strategy_is_readable(
    const struct strategy *strategy, const struct stock_reader *reader)
{
	return strategy->unprocessed ||
	       readable_by(reader, strategy->store, &strategy->codec);
}
