/* far.c - see far.h. */
#include "cmd/probe/far.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/probe/table.h"
#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/output.h"
#include "cmd/program/progress.h"
#include "cmd/program/wrap.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/files/url.h"
#include "strategies/whatif/prices.h"

static const unsigned default_connections[] = { 1, 2, 4, 8, 16 };

struct far_page {
	const struct far_request *request;
	const struct far_probe *probe;
	struct prices prices;
	char of[URL_TEXT], measured[CLOCK_TEXT];
};

/* ---- costs ---- */

static double cost_of(const struct prices *prices, uint64_t reads,
    uint64_t writes, uint64_t bytes)
{
	return prices->request_1000 * (double)reads / 1000 +
	       prices->write_1000 * (double)writes / 1000 +
	       prices->gb_egress * (double)bytes / 1e9;
}

static double row_cost(const struct far_page *page, const struct far_row *row)
{
	const bool writes = row->pattern >= FAR_OF_SMALL_WRITES;

	return cost_of(&page->prices, writes ? 0 : row->requests,
	    writes ? row->requests : 0, writes ? 0 : row->bytes);
}

/* The cost of a million requests as in this row; NAN without prices. */
static double million_cost(
    const struct far_page *page, const struct far_row *row)
{
	return page->request->prices && row->requests
	           ? row_cost(page, row) * 1e6 / (double)row->requests
	           : NAN;
}

/* ---- for programs ---- */

static int fill_row(struct grid *grid, const struct far_page *page,
    const struct far_row *row, struct error *err)
{
	const double n = (double)row->requests;

	if (grid_add_row(grid, err) || grid_set_text(grid, 0, page->of, err) ||
	    grid_set_text(grid, 1, page->measured, err) ||
	    grid_set_text(grid, 2, far_name(row->pattern), err))
		return -1;
	grid_set_integer(grid, 3, row->connections);
	grid_set_integer(grid, 4, (int64_t)row->request_bytes);
	grid_set_integer(grid, 5, (int64_t)row->requests);
	grid_set_real(grid, 6, n / row->wall_s);
	grid_set_real(grid, 7, (double)row->bytes / row->wall_s / 1e6);
	grid_set_real(grid, 8, row->p50_s * 1e3);
	grid_set_real(grid, 9, row->p90_s * 1e3);
	grid_set_real(grid, 10, row->p99_s * 1e3);
	grid_set_real(grid, 11, million_cost(page, row));
	return page->request->prices
	           ? grid_set_text(grid, 12, page->prices.currency, err)
	           : 0;
}

static int fill_raw(
    struct grid *grid, const struct far_page *page, struct error *err)
{
	static const char *const names[] = { "url", "measured", "reading",
		"connections", "request_bytes", "requests", "requests_per_s",
		"mb_per_s", "latency_p50_ms", "latency_p90_ms",
		"latency_p99_ms", "cost_per_million", "currency" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (grid_add_column(grid, names[i], err))
			return -1;
	for (size_t i = 0; i < page->probe->count; i++)
		if (fill_row(grid, page, &page->probe->rows[i], err))
			return -1;
	return 0;
}

/* ---- for people ---- */

static int fill_human_row(struct grid *grid, const struct far_page *page,
    const struct far_row *row, struct error *err)
{
	const double n = (double)row->requests,
	             million = million_cost(page, row);
	const double rates[] = { n / row->wall_s,
		(double)row->bytes / row->wall_s / 1e6 };
	const double times[] = { row->p50_s, row->p90_s, row->p99_s };
	char text[UNITS_TEXT];

	if (grid_add_row(grid, err) ||
	    grid_set_text(grid, 0, far_name(row->pattern), err) ||
	    grid_set_text(
	        grid, 2, units_bytes((double)row->request_bytes, text), err))
		return -1;
	grid_set_integer(grid, 1, row->connections);
	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		if (grid_set_text(
		        grid, 3 + i, units_number(rates[i], text), err))
			return -1;
	for (size_t i = 0; row->requests && i < ARRAY_LEN(times); i++)
		if (grid_set_text(grid, 5 + i, units_time(times[i], text), err))
			return -1;
	return isnan(million)
	           ? 0
	           : grid_set_text(grid, 8, units_number(million, text), err);
}

static int fill_human(
    struct grid *grid, const struct far_page *page, struct error *err)
{
	static const char *const names[] = { "reading", "connections", "size",
		"requests/s", "MB/s", "p50", "p90", "p99", "cost/million" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (grid_add_column(grid, names[i], err))
			return -1;
	for (size_t i = 0; i < page->probe->count; i++)
		if (fill_human_row(grid, page, &page->probe->rows[i], err))
			return -1;
	return 0;
}

static void print_costs(const struct far_page *page, size_t width, FILE *out)
{
	const struct far_probe *probe = page->probe;
	const char *currency = page->prices.currency;
	char line[512], once[UNITS_TEXT], epoch[UNITS_TEXT], read[UNITS_TEXT];

	snprintf(line, sizeof(line),
	    "This probe: %" PRIu64 " requests that read, %" PRIu64
	    " that write, %s read",
	    probe->reads, probe->writes,
	    units_bytes((double)probe->bytes_read, read));
	wrap_line("", line, width, out);
	if (!page->request->prices)
		return;
	snprintf(line, sizeof(line),
	    "Costs: %s %s for this probe; %s %s to read %s%" PRIu64
	    " objects once, one request each.",
	    units_number(cost_of(&page->prices, probe->reads, probe->writes,
	                     probe->bytes_read),
	        once),
	    currency,
	    units_number(
	        cost_of(&page->prices, probe->objects, 0, probe->object_bytes),
	        epoch),
	    currency, probe->has_more ? "the first " : "all ", probe->objects);
	wrap_line("", line, width, out);
}

static void print_page(const struct far_page *page, const struct grid *grid,
    bool markdown, FILE *out)
{
	/* reading, connections, size, requests/s, MB/s, p50, p90, p99, cost */
	static const struct table_column columns[] = { { 0, 0 }, { 0, 0 },
		{ 3, 0 }, { 0, 0 }, { 0, 0 }, { 1, 0 }, { 4, 0 }, { 2, 0 },
		{ 5, 0 } };
	const struct far_probe *probe = page->probe;
	char title[1024], bytes[UNITS_TEXT];
	size_t width;

	snprintf(title, sizeof(title),
	    "%s, %s%" PRIu64 " object%s of %s, read by presto, %s", page->of,
	    probe->has_more ? "more than " : "", probe->objects,
	    probe->objects == 1 ? "" : "s",
	    units_bytes((double)probe->object_bytes, bytes), page->measured);
	width = probe_table(title, grid, columns, markdown, out);
	wrap_line("",
	    "Connections: requests at the same time, one connection each.",
	    width, out);
	wrap_line("", "p50, p90, p99: percentiles of the time of a request.",
	    width, out);
	wrap_line("",
	    "Far data is cold by nature: this machine's page cache never has "
	    "it. Servers may have caches of their own.",
	    width, out);
	print_costs(page, width, out);
}

static int print_to(const void *arg, FILE *out, struct error *err)
{
	const struct far_page *page = arg;
	const enum format format = page->request->format;
	const bool human = format == FORMAT_TEXT || format == FORMAT_MARKDOWN;
	struct grid grid = GRID_INIT;
	int rc =
	    human ? fill_human(&grid, page, err) : fill_raw(&grid, page, err);

	if (rc == 0 && human)
		print_page(page, &grid, format == FORMAT_MARKDOWN, out);
	else if (rc == 0)
		rc = format_write(format, &grid, out, err);
	grid_release(&grid);
	return rc;
}

/* ---- the probe ---- */

static void show(void *arg, double done, double all, const char *what)
{
	progress_show(arg, done, all, what);
}

static int measure(const struct far_request *request, struct far_probe *probe,
    struct error *err)
{
	struct progress progress;
	struct far_plan plan = { .url = request->url,
		.medium = request->medium,
		.row_s = 3,
		.least = 200,
		.most_bytes = request->most_bytes,
		.write = request->write,
		.seed = clock_unix_ns(),
		.progress = show,
		.arg = &progress };
	const unsigned *from = request->connections;
	int rc;

	plan.connection_count = request->connection_count;
	if (!plan.connection_count) {
		plan.connection_count = ARRAY_LEN(default_connections);
		from = default_connections;
	}
	memcpy(plan.connections, from,
	    plan.connection_count * sizeof(plan.connections[0]));
	progress_begin(&progress);
	plan.stop =
	    interrupt_watch("presto: ended at once; objects below "
	                    "presto-probe-... of --write may be left\n");
	rc = far_probe_run(&plan, probe, err);
	progress_clear(&progress);
	return rc;
}

int probe_far(const struct far_request *request, struct error *err)
{
	struct far_page page = { .request = request, .prices = prices_none() };
	struct far_probe *probe;
	int rc = -1;

	if (request->prices && prices_read(&page.prices, request->prices, err))
		return -1;
	probe = memory_zeroed(sizeof(*probe), err);
	if (!probe)
		return -1;
	page.probe = probe;
	if (request->is_private)
		snprintf(page.of, sizeof(page.of), "a storage");
	else
		url_text(request->url, page.of);
	clock_utc(page.measured);
	if (measure(request, probe, err) == 0)
		rc = output_to(request->output, print_to, &page, err);
	free(probe);
	return rc;
}
