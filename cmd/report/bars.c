/* bars.c - see bars.h. */
#include "cmd/report/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/terminal.h"
#include "cmd/report/trial_order.h"
#include "cmd/writers/table.h"
#include "lib/db/grid.h"

enum { NARROWEST = 6 };

struct bars bars_of_output(FILE *out)
{
	return (struct bars){ .columns = terminal_columns(out),
		.has_blocks = terminal_is_utf8() };
}

/* ---- bars ---- */

void bars_print(const struct bars *bars, double length, char text[BARS_TEXT])
{
	/* Blocks of one to seven eighths: U+258F to U+2589; U+2588 is full. */
	static const char *const parts[] = { "", "\xe2\x96\x8f", "\xe2\x96\x8e",
		"\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a",
		"\xe2\x96\x89" };
	const unsigned per = bars->has_blocks ? 8 : 1;
	const char *full = bars->has_blocks ? "\xe2\x96\x88" : "#";
	const double most = fmin(fmax(length, 0), BARS_WIDEST);
	unsigned eighths = (unsigned)lround(most * per);
	size_t used = 0;

	if (length > 0 && eighths == 0)
		eighths = 1; /* a small value must be visible */
	for (; eighths >= per; eighths -= per, used += strlen(full))
		snprintf(text + used, BARS_TEXT - used, "%s", full);
	snprintf(text + used, BARS_TEXT - used, "%s", parts[eighths]);
}

static double rate_of(const struct grid *report, size_t row)
{
	const double rate =
	    grid_number(report, row, "throughput_samples_per_s");

	return isnan(rate) ? 0 : rate;
}

static double fastest(
    const struct grid *report, const size_t *order, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, rate_of(report, order[i]));
	return most;
}

/* ---- the table ---- */

static int copy_columns(
    const struct grid *table, int behind, struct grid *to, struct error *err)
{
	for (size_t i = 0; i < table->column_count; i++) {
		if (grid_add_column(to, table->columns[i], err))
			return -1;
		if ((int)i == behind && grid_add_column(to, "", err))
			return -1;
	}
	return 0;
}

static int copy_row(const struct grid *table, size_t row, int behind,
    const char *bar, struct grid *to, struct error *err)
{
	size_t at = 0;

	if (grid_add_row(to, err))
		return -1;
	for (size_t i = 0; i < table->column_count; i++, at++) {
		const char *text = grid_value(table, row, i)->text;

		if (*text && grid_set_text(to, at, text, err))
			return -1;
		if ((int)i == behind && *bar &&
		    grid_set_text(to, ++at, bar, err))
			return -1;
		at += (int)i == behind && !*bar;
	}
	return 0;
}

/* Columns left for bars beside the table; `behind` -1: there is no place. */
static double find_room(const struct bars *bars, const struct grid *table)
{
	const size_t used = table_width(table) + 2;
	const double left =
	    bars->columns > used ? (double)(bars->columns - used) : 0;

	return left < NARROWEST ? 0 : fmin(left, BARS_WIDEST);
}

int bars_table(const struct bars *bars, const struct grid *report,
    int64_t session, const struct grid *table, struct grid *to,
    struct error *err)
{
	const double room = find_room(bars, table);
	const int behind = room > 0 ? grid_column(table, "+/-") : -1;
	size_t count;
	size_t *order = trial_order(report, session, &count, err);
	const double most = order ? fastest(report, order, count) : 0;
	int rc = order ? copy_columns(table, behind, to, err) : -1;

	for (size_t i = 0; rc == 0 && i < table->row_count; i++) {
		char bar[BARS_TEXT];

		bars_print(bars,
		    most > 0 ? room * rate_of(report, order[i]) / most : 0,
		    bar);
		rc = copy_row(table, i, behind, bar, to, err);
	}
	free(order);
	return rc;
}
