/* stored_order.c - see stored_order.h. */
#include "strategies/plan/stored_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/sample/permutation.h"
#include "lib/sample/reader.h"

/* Bytes that the number, place and key of a sample take. */
enum { PER_SAMPLE = 96 };

int stored_order_parse(struct stored_order *order, const char *text,
    uint64_t seed, struct error *err)
{
	*order = (struct stored_order){ .seed = seed };
	if (strcmp(text, "no") == 0)
		return 0;
	order->shuffled = true;
	if (strcmp(text, "yes") == 0 ||
	    units_parse_uint(text, &order->seed) == 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "shuffle must be yes, no or a seed (a whole number), got '%s'",
	    text);
}

enum order_way stored_order_way(
    const struct stored_order *order, const struct reader *source)
{
	if (!order->shuffled)
		return ORDER_GIVEN;
	return reader_can_pick(source) ? ORDER_WHOLE : ORDER_WINDOWS;
}

bool stored_order_is_computed(
    const struct stored_order *order, const struct reader *source)
{
	switch (stored_order_way(order, source)) {
	case ORDER_WHOLE:
		return source->samples > PERMUTATION_HELD;
	case ORDER_WINDOWS:
		return source->streams > PERMUTATION_HELD;
	case ORDER_GIVEN:
		break;
	}
	return false;
}

const char *stored_order_text(const struct stored_order *order,
    const struct reader *source, char text[ORDER_TEXT])
{
	switch (stored_order_way(order, source)) {
	case ORDER_GIVEN:
		snprintf(text, ORDER_TEXT, "no");
		break;
	case ORDER_WHOLE:
		snprintf(text, ORDER_TEXT, "seed %" PRIu64 "%s", order->seed,
		    stored_order_is_computed(order, source) ? ", computed"
		                                            : "");
		break;
	case ORDER_WINDOWS:
		snprintf(text, ORDER_TEXT,
		    "seed %" PRIu64 ", in windows of %d MiB", order->seed,
		    ORDER_WINDOW >> 20);
		break;
	}
	return text;
}

uint64_t stored_order_samples(const struct reader *source, uint64_t bytes)
{
	const uint64_t all = source->samples ? source->samples : 1;
	const uint64_t each =
	    source->picked_bytes ? source->picked_bytes : source->bytes / all;
	const uint64_t samples = bytes / (each + PER_SAMPLE);

	return samples ? samples : 1;
}
