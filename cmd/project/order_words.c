/* order_words.c - see order_words.h. */
#include "cmd/project/order_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "lib/base/units.h"
#include "lib/sample/reader.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/stored_order.h"

const char *order_words(const struct stored_order *order,
    const struct reader *source, char text[ORDER_WORDS])
{
	switch (stored_order_way(order, source)) {
	case ORDER_GIVEN:
		snprintf(text, ORDER_WORDS, "in the order of the dataset");
		break;
	case ORDER_WHOLE:
		snprintf(text, ORDER_WORDS, "shuffled by seed %" PRIu64,
		    order->seed);
		break;
	case ORDER_WINDOWS:
		snprintf(text, ORDER_WORDS,
		    "shuffled by seed %" PRIu64 " in windows of %d MiB",
		    order->seed, ORDER_WINDOW >> 20);
		break;
	}
	return text;
}

/* Number of samples in a shuffle window, roughly. */
static uint64_t in_window(const struct model *model)
{
	const double samples =
	    ORDER_WINDOW / (model->field_bytes[0] + model->key_bytes +
	                       ORDER_MEMBER * model->source->schema.count);

	if (samples > (double)model->source->samples)
		return model->source->samples;
	return samples < 1 ? 1 : (uint64_t)samples;
}

static void add_cost(const struct model *model, unsigned threads,
    char text[ORDER_WORDS], size_t at)
{
	const struct order_cost *cost = &model->order;
	const double n = (double)model->source->samples / threads;
	const double more = order_cost_more(cost);
	char time[UNITS_TEXT], how[UNITS_TEXT + 16] = "as long as";

	if (!(cost->given_s > 0))
		return;
	if (more > cost->given_s / 100)
		snprintf(how, sizeof(how), "%s longer than",
		    units_rough_time(more * n, time));
	snprintf(text + at, ORDER_WORDS - at,
	    "; from memory, reading in this order takes about %s in that of "
	    "the dataset (%s); a disk that has to seek takes longer",
	    how, units_rough_time(cost->given_s * n, time));
}

const char *order_cost_words(
    const struct model *model, unsigned threads, char text[ORDER_WORDS])
{
	const struct stored_order *order = &model->plan->strategies.order;
	const struct reader *source = model->source;
	const size_t at = strlen(order_words(order, source, text));

	switch (stored_order_way(order, source)) {
	case ORDER_GIVEN:
		break;
	case ORDER_WHOLE:
		add_cost(model, threads, text, at);
		break;
	case ORDER_WINDOWS:
		snprintf(text + at, ORDER_WORDS - at,
		    ", about %" PRIu64 " of %" PRIu64
		    " samples, in each thread; this takes memory, and no time",
		    in_window(model), source->samples);
		break;
	}
	return text;
}

void order_warn(const struct model *model)
{
	const struct reader *source = model->source;
	const uint64_t all = source->samples, window = in_window(model);
	const uint64_t parts = source->streams ? source->streams : 1;

	if (stored_order_way(&model->plan->strategies.order, source) !=
	        ORDER_WINDOWS ||
	    window == all)
		return;
	if (all / parts < window)
		cmd_warn("samples of this dataset cannot be found by number: "
		         "its %" PRIu64 " parts are taken in a random order, "
		         "and shuffled within windows of about %" PRIu64
		         " of %" PRIu64 " samples; the about %" PRIu64
		         " neighbours of a part stay in one shard",
		    parts, window, all, all / parts);
	else
		cmd_warn("samples of this dataset cannot be found by number: "
		         "they are shuffled within windows of about %" PRIu64
		         " of %" PRIu64 ", and classes that stand together "
		         "over more than a window stay together; unpack "
		         "compressed archives to shuffle all samples",
		    window, all);
}
