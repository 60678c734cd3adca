/* strategy.c - see strategy.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/codecs/transform.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "lib/syntax/nearest.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategy.h"

const struct pipeline *strategy_pipeline(
    const struct strategy *strategy, const struct pipeline *given)
{
	return strategy->pipeline ? strategy->pipeline : given;
}

void strategy_set_label(
    struct strategy *strategy, const struct pipeline *pipeline)
{
	char codec[CODEC_LABEL];

	snprintf(strategy->label, sizeof(strategy->label), "%s%s%.48s/%.24s/%s",
	    strategy->order, *strategy->order ? ":" : "",
	    pipeline_name(pipeline, strategy->split), strategy->store->name,
	    codec_label(&strategy->codec, codec));
}

int strategy_find_split(const struct pipeline *pipeline, const char *name,
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
		    "all later steps stay online",
		    name, pipeline_name(pipeline, last + 1));
	for (unsigned k = 0; k <= last; k++)
		nearest_try(&nearest, pipeline_name(pipeline, k));
	return error_set(err, ERROR_USAGE, "no representation '%s'%s", name,
	    nearest_hint(&nearest, hint));
}

int strategy_check(const struct strategy *strategy,
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
	/* Is it the store alone, or the combination, that is impossible? */
	if (store_form_init(&form, strategy->store, &none, schema,
	        &(struct error)ERROR_INIT))
		return -1;
	snprintf(what, RESULTS_LABEL, "%.48s/%.24s/%s", split, store, label);
	if (!codec->transform || codec->transform->is_filter ||
	    !strategy->store->one_shape)
		return -1;
	return error_set(err, ERROR_USAGE,
	    "%s stores arrays, and %s makes files: use tar, tfrecord or files",
	    store, codec->transform->name);
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
	if (strategy_find_split(pipeline, split, &strategy->split, err) == 0)
		strategy->store = store_parse(store, err);
	if (!strategy->store ||
	    codec_parse(codec ? codec : "none", &strategy->codec, err))
		return error_prefix(err, "strategy '%s'", label);
	strategy_set_label(strategy, pipeline);
	if (strategy_check(strategy, pipeline, what, err))
		return error_prefix(err, "strategy '%s'", strategy->label);
	return 0;
}

const char *strategy_title(
    const struct strategy *strategy, char title[STRATEGY_TITLE])
{
	snprintf(
	    title, STRATEGY_TITLE, "%s%s", strategy->label, strategy->variant);
	return title;
}

uint64_t strategy_samples(const struct strategy *strategy, uint64_t session)
{
	return strategy->samples && strategy->samples < session
	           ? strategy->samples
	           : session;
}

bool strategy_same_size(const struct strategy *a, const struct strategy *b)
{
	return a->samples == b->samples && a->shards == b->shards;
}

int strategy_parse_ordered(struct strategy *strategy, const char *label,
    struct orders *orders, struct error *err)
{
	const struct order *order = orders_given(orders);
	const size_t len = strcspn(label, ":/");
	const char *rest = label;
	char text[ORDER_LABEL];

	if (label[len] == ':') {
		/* A longer label is that of no order. */
		snprintf(text, sizeof(text), "%.*s", (int)len, label);
		order = orders_find(orders, text, err);
		rest += len + 1;
	}
	if (!order)
		return error_prefix(err, "strategy '%s'", label);
	if (strategy_parse(strategy, rest, order->pipeline, err))
		return -1;
	if (!*order->label)
		return 0;
	if (strategy->unprocessed)
		return error_set(err, ERROR_USAGE,
		    "strategy '%s': unprocessed runs the steps in the order "
		    "given",
		    label);
	strategy->pipeline = order->pipeline;
	memcpy(strategy->order, order->label, sizeof(strategy->order));
	strategy_set_label(strategy, order->pipeline);
	return 0;
}

bool strategy_is_lossy(const struct strategy *strategy)
{
	return !strategy->unprocessed && codec_is_lossy(&strategy->codec);
}

bool strategy_may_differ(
    const struct strategy *strategy, const struct pipeline *given)
{
	const struct pipeline *pipeline = strategy_pipeline(strategy, given);
	bool differs = strategy_is_lossy(strategy) ||
	               commute_order(pipeline) != COMMUTE_EXACT;

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
