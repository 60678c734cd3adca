/* trial_order.c - see trial_order.h. */
#include "cmd/report/trial_order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"

static bool is_of(const struct grid *report, size_t row, int64_t session)
{
	const int64_t of = grid_integer(report, row, "session");

	/* Rows without a number are of any session. */
	return session == 0 || of == 0 || of == session;
}

static double place_of(const struct grid *report, size_t row)
{
	const double place = grid_number(report, row, "place");

	return isnan(place) ? INFINITY : place;
}

size_t *trial_order(const struct grid *report, int64_t session, size_t *count,
    struct error *err)
{
	size_t *order = calloc(report->row_count + 1, sizeof(*order));

	*count = 0;
	if (!order) {
		error_memory(err, report->row_count * sizeof(*order));
		return NULL;
	}
	for (size_t row = 0; row < report->row_count; row++) {
		const double place = place_of(report, row);
		size_t at = *count;

		if (!is_of(report, row, session))
			continue;
		for (; at > 0 && place_of(report, order[at - 1]) > place; at--)
			order[at] = order[at - 1];
		order[at] = row;
		(*count)++;
	}
	return order;
}
