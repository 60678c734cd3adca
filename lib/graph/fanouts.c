/* fanouts.c - see fanouts.h. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/graph/fanouts.h"

int fanouts_parse(struct fanouts *fanouts, const char *text, struct error *err)
{
	const char *at = text;

	fanouts->count = 0;
	for (;;) {
		char *end;
		const long fanout = strtol(at, &end, 10);

		if (end == at || (*end && *end != ',') || fanout < FANOUT_ALL ||
		    fanout > FANOUT_MAX)
			return error_set(err, ERROR_USAGE,
			    "fanout must be numbers of neighbours with commas, "
			    "-1 to %d (-1: all), got '%s'",
			    FANOUT_MAX, text);
		if (fanouts->count == FANOUT_LAYERS)
			return error_set(err, ERROR_USAGE,
			    "fanout has more than %d layers", FANOUT_LAYERS);
		fanouts->of_layer[fanouts->count++] = (int32_t)fanout;
		if (!*end)
			return 0;
		at = end + 1;
	}
}
