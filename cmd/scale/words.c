/* words.c - see words.h. */
#include "cmd/scale/words.h"

#include <math.h>
#include <string.h>

#include "cmd/program/terminal.h"
#include "cmd/scale/rates.h"
#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/whatif/prices.h"
#include "strategies/whatif/scale.h"

enum { NUMBER_TEXT = 32 };

/* ---- text ---- */

/* "5e+09" as "5 billion" would need a table: "5.000e9" is read as fast. */
static const char *count(double number, char text[NUMBER_TEXT])
{
	if (number < 1e7)
		snprintf(text, NUMBER_TEXT, "%.0f", number);
	else
		snprintf(text, NUMBER_TEXT, "%.3g", number);
	return text;
}

static const char *hours(double number, char text[NUMBER_TEXT])
{
	char time[UNITS_TEXT];

	if (number < 1)
		snprintf(text, NUMBER_TEXT, "%s",
		    units_rough_time(number * 3600, time));
	else
		snprintf(text, NUMBER_TEXT, "%.3g hours", number);
	return text;
}

static void say_rates(const struct scale_page *page, FILE *out)
{
	const struct scale_evidence *evidence = page->evidence;
	const struct amount *rate = &evidence->rates.prep_per_s;

	if (evidence->session)
		terminal_line(out,
		    "rates    measured by session %lld with %.0f samples: %.4g "
		    "samples/s (%.4g to %.4g assumed)",
		    (long long)evidence->session, evidence->measured,
		    rate->value, rate->low, rate->high);
	else
		terminal_line(out,
		    "rates    a forecast of the pilot: %.4g samples/s (%.4g to "
		    "%.4g) on %u threads; presto profile measures them",
		    rate->value, rate->low, rate->high, evidence->threads);
}

static void say_hours(const struct scale_page *page, FILE *out)
{
	const struct scale_plan *plan = page->plan;
	char time[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];

	terminal_line(out, "time     about %s (%s to %s), limited by %s",
	    hours(plan->hours.value, time), hours(plan->hours.low, low),
	    hours(plan->hours.high, high), scale_limit_word(plan->limit));
	for (unsigned i = 0; i < SCALE_LIMITS; i++)
		if (i != plan->limit && plan->hours_by[i].value > 0)
			terminal_line(out, "           %-9s %s",
			    scale_limit_word((enum scale_limit)i),
			    hours(plan->hours_by[i].value, time));
}

static void say_cost(const struct scale_page *page, FILE *out)
{
	const struct scale_plan *plan = page->plan;
	const struct prices *prices = page->wanted->prices;
	const struct {
		const char *what;
		double amount;
	} parts[] = {
		{ "to prepare", plan->compute_cost },
		{ "to read the dataset", plan->egress_cost },
		{ "a month to keep it", plan->month_cost },
	};

	for (size_t i = 0; prices && i < ARRAY_LEN(parts); i++)
		if (!isnan(parts[i].amount))
			terminal_line(out, "cost     %.4g%s%s %s",
			    parts[i].amount, *prices->currency ? " " : "",
			    prices->currency, parts[i].what);
}

static void print_text(const struct scale_page *page, FILE *out)
{
	const struct scale_plan *plan = page->plan;
	const struct scale_wanted *wanted = page->wanted;
	char a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT], n[NUMBER_TEXT],
	    m[NUMBER_TEXT], k[NUMBER_TEXT];

	terminal_line(out, "%s: %s samples on %s machine%s",
	    page->evidence->strategy, count(wanted->samples, n),
	    count(wanted->machines, m), wanted->machines > 1 ? "s" : "");
	say_rates(page, out);
	terminal_line(out, "shards   %s of about %s, at most %s a machine",
	    count(plan->shards, n), units_bytes(plan->shard_bytes, a),
	    count(plan->shards_each, m));
	terminal_line(out, "bytes    reads %s, writes %s (%s to %s)",
	    units_bytes(plan->read_bytes, a),
	    units_bytes(plan->stored_bytes.value, b),
	    units_bytes(plan->stored_bytes.low, c),
	    units_bytes(plan->stored_bytes.high, n));
	terminal_line(out, "requests %s GET, %s PUT, %s LIST",
	    count(plan->gets, n), count(plan->puts, m), count(plan->lists, k));
	terminal_line(out, "memory   about %s for each part",
	    units_bytes(plan->memory_bytes, a));
	say_hours(page, out);
	terminal_line(
	    out, "compute  %s core hours", count(ceil(plan->core_hours), n));
	say_cost(page, out);
}

/* ---- tables ---- */

static int add_row(
    struct grid *grid, const struct scale_page *page, struct error *err)
{
	const struct scale_plan *plan = page->plan;
	const struct scale_wanted *wanted = page->wanted;
	const struct scale_evidence *evidence = page->evidence;
	const struct {
		const char *name;
		double number;
	} numbers[] = {
		{ "full_samples", wanted->samples },
		{ "machines", wanted->machines },
		{ "shards", plan->shards },
		{ "shard_bytes", plan->shard_bytes },
		{ "shards_per_machine", plan->shards_each },
		{ "read_bytes", plan->read_bytes },
		{ "storage_bytes", plan->stored_bytes.value },
		{ "storage_low_bytes", plan->stored_bytes.low },
		{ "storage_high_bytes", plan->stored_bytes.high },
		{ "get_requests", plan->gets },
		{ "put_requests", plan->puts },
		{ "list_requests", plan->lists },
		{ "memory_bytes", plan->memory_bytes },
		{ "hours", plan->hours.value },
		{ "hours_low", plan->hours.low },
		{ "hours_high", plan->hours.high },
		{ "cpu_hours", plan->hours_by[SCALE_CPU].value },
		{ "network_hours", plan->hours_by[SCALE_NETWORK].value },
		{ "storage_hours", plan->hours_by[SCALE_STORAGE].value },
		{ "requests_hours", plan->hours_by[SCALE_REQUESTS].value },
		{ "core_hours", plan->core_hours },
		{ "prep_samples_per_s", evidence->rates.prep_per_s.value },
		{ "prep_low_samples_per_s", evidence->rates.prep_per_s.low },
		{ "prep_high_samples_per_s", evidence->rates.prep_per_s.high },
		{ "compute_cost", plan->compute_cost },
		{ "egress_cost", plan->egress_cost },
		{ "month_cost", plan->month_cost },
	};
	enum { TEXTS = 3 };

	if (grid_add_column(grid, "strategy", err) ||
	    grid_add_column(grid, "limit", err) ||
	    grid_add_column(grid, "session", err))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (grid_add_column(grid, numbers[i].name, err))
			return -1;
	if (grid_add_row(grid, err) ||
	    grid_set_text(grid, 0, evidence->strategy, err) ||
	    grid_set_text(grid, 1, scale_limit_word(plan->limit), err))
		return -1;
	if (evidence->session)
		grid_set_integer(grid, 2, evidence->session);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		grid_set_real(grid, TEXTS + i, numbers[i].number);
	return 0;
}

int scale_print(const struct scale_page *page, enum format format, FILE *out,
    struct error *err)
{
	struct grid grid = GRID_INIT;
	int rc = 0;

	if (format == FORMAT_TEXT) {
		print_text(page, out);
		return 0;
	}
	rc = add_row(&grid, page, err);
	if (rc == 0)
		rc = format_write(format, &grid, out, err);
	grid_release(&grid);
	return rc;
}
