/* print.c - see print.h. */
#include "cmd/probe/print.h"

#include "cmd/probe/table.h"
#include "cmd/program/wrap.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/measure/storage/probe.h"

static const char *cache_of(const struct probe_row *row)
{
	if (row->warm)
		return "warm";
	return row->ceiling.cold ? "cold" : "not cold";
}

static int add_columns(struct grid *grid, const char *const *names,
    size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (grid_add_column(grid, names[i], err))
			return -1;
	return 0;
}

/* The median of the passes; an older presto kept one figure. */
static double typical(const struct ceiling *c)
{
	return c->passes ? c->median_per_s : c->bytes_per_s;
}

static double files_per_s(const struct ceiling *c)
{
	return c->bytes_per_s > 0
	           ? c->requests_per_s * typical(c) / c->bytes_per_s
	           : 0;
}

/* Half of the interval of the median: "3.1 %"; "" where it is not known. */
static const char *spread(const struct ceiling *c, char text[UNITS_TEXT])
{
	text[0] = '\0';
	if (c->passes > 1 && c->median_per_s > 0)
		snprintf(text, UNITS_TEXT, "%.2g %%",
		    50 * (c->high_per_s - c->low_per_s) / c->median_per_s);
	return text;
}

/* ---- for programs ---- */

static int add_row(struct grid *grid, const char *device,
    const struct probe_row *row, struct error *err)
{
	const struct ceiling *c = &row->ceiling;

	if (grid_add_row(grid, err) || grid_set_text(grid, 0, device, err) ||
	    grid_set_text(grid, 1, c->measured, err) ||
	    grid_set_text(grid, 2, c->tool, err) ||
	    grid_set_text(grid, 3, ceiling_name(c->pattern), err) ||
	    grid_set_text(grid, 4, cache_of(row), err))
		return -1;
	grid_set_integer(grid, 5, c->threads);
	grid_set_integer(grid, 6, (int64_t)c->files);
	grid_set_integer(grid, 7, (int64_t)c->file_bytes);
	grid_set_real(grid, 8, typical(c) / 1e6);
	grid_set_real(grid, 9, c->latency_s * 1e6);
	grid_set_real(grid, 10, typical(c) / PROBE_REQUEST);
	if (c->pattern == CEILING_FILES)
		grid_set_real(grid, 11, files_per_s(c));
	if (c->resident_percent >= 0)
		grid_set_real(grid, 12, c->resident_percent);
	if (c->passes) {
		grid_set_real(grid, 13, c->low_per_s / 1e6);
		grid_set_real(grid, 14, c->high_per_s / 1e6);
		grid_set_integer(grid, 15, c->passes);
	}
	grid_set_real(grid, 16, c->bytes_per_s / 1e6);
	return 0;
}

static int fill_raw(
    struct grid *grid, const struct probe *probe, struct error *err)
{
	static const char *const names[] = { "device", "measured", "tool",
		"reading", "cache", "threads", "files_per_thread", "file_bytes",
		"mb_per_s", "latency_us", "iops", "files_per_s",
		"resident_percent", "mb_per_s_low", "mb_per_s_high", "passes",
		"mb_per_s_most" };

	if (add_columns(grid, names, ARRAY_LEN(names), err))
		return -1;
	for (size_t i = 0; i < probe->count; i++)
		if (add_row(grid, probe->place.device, &probe->rows[i], err))
			return -1;
	return 0;
}

/* ---- for people ---- */

static int add_human_row(
    struct grid *grid, const struct probe_row *row, struct error *err)
{
	const struct ceiling *c = &row->ceiling;
	const bool small = c->pattern == CEILING_FILES;
	char text[UNITS_TEXT];

	if (grid_add_row(grid, err))
		return -1;
	grid_set_integer(grid, 1, c->threads);
	grid_set_integer(grid, 2, (int64_t)c->files);
	if (grid_set_text(grid, 0, small ? "small files" : "sequential", err) ||
	    grid_set_text(
	        grid, 3, units_bytes((double)c->file_bytes, text), err) ||
	    grid_set_text(grid, 4, units_number(typical(c) / 1e6, text), err) ||
	    grid_set_text(grid, 5, spread(c, text), err) ||
	    grid_set_text(
	        grid, 6, units_number(c->bytes_per_s / 1e6, text), err) ||
	    grid_set_text(grid, 7, units_time(c->latency_s, text), err) ||
	    grid_set_text(
	        grid, 8, units_number(typical(c) / PROBE_REQUEST, text), err))
		return -1;
	if (small &&
	    grid_set_text(grid, 9, units_number(files_per_s(c), text), err))
		return -1;
	return grid_set_text(grid, 10, cache_of(row), err);
}

static int fill_human(
    struct grid *grid, const struct probe *probe, struct error *err)
{
	static const char *const names[] = { "reading", "threads",
		"files/thread", "size", "MB/s", "+-", "most", "latency", "IOPS",
		"files/s", "cache" };

	if (add_columns(grid, names, ARRAY_LEN(names), err))
		return -1;
	for (size_t i = 0; i < probe->count; i++)
		if (add_human_row(grid, &probe->rows[i], err))
			return -1;
	return 0;
}

static void print_page(const struct probe *probe, const char *of,
    const struct grid *grid, bool markdown, FILE *out)
{
	/*
	 * reading, threads, files, size, MB/s, its interval, the most, latency,
	 * IOPS, files/s, cache
	 */
	static const struct table_column columns[] = { { 0, 0 }, { 0, 0 },
		{ 8, 0 }, { 7, 0 }, { 0, 0 }, { 1, 0 }, { 2, 0 }, { 4, 0 },
		{ 6, 0 }, { 3, 0 }, { 5, 0 } };
	const struct ceiling *first = &probe->rows[0].ceiling;
	char title[1024];
	size_t width;

	snprintf(title, sizeof(title), "%.512s%s%s%s, read by %s, %s", of,
	    *probe->place.device ? " (" : "", probe->place.device,
	    *probe->place.device ? ")" : "", first->tool, first->measured);
	width = probe_table(title, grid, columns, markdown, out);
	wrap_line("",
	    "Latency: a read of 1 MiB, or a small file opened, read and "
	    "closed.",
	    width, out);
	wrap_line(
	    "", "IOPS: requests of 4 KiB that the rate would be.", width, out);
	wrap_line(
	    "", "+-: half of the interval of the median rate.", width, out);
	wrap_line(
	    "", "Most: the fastest pass, in MB/s: the ceiling.", width, out);
}

int probe_print(const struct probe *probe, const char *of, enum format format,
    FILE *out, struct error *err)
{
	const bool human = format == FORMAT_TEXT || format == FORMAT_MARKDOWN;
	struct grid grid = GRID_INIT;
	int rc =
	    human ? fill_human(&grid, probe, err) : fill_raw(&grid, probe, err);

	if (rc == 0 && human)
		print_page(probe, of, &grid, format == FORMAT_MARKDOWN, out);
	else if (rc == 0)
		rc = format_write(format, &grid, out, err);
	grid_release(&grid);
	return rc;
}
