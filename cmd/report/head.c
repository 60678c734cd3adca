/* head.c - see head.h. */
#include "cmd/report/head.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/forecast.h"
#include "cmd/report/human.h"
#include "cmd/report/page.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/measure/system.h"

/* Prints the most samples that an epoch left out (on_error = skip). */
static int count_skipped(const struct report_page *page, int64_t session,
    double *skipped, struct error *err)
{
	struct grid runs = GRID_INIT;
	int rc = results_read(page->results, RESULTS_RUNS, session, &runs, err);

	*skipped = 0;
	for (size_t i = 0; i < runs.row_count; i++)
		*skipped = fmax(*skipped, grid_number(&runs, i, "skipped"));
	grid_release(&runs);
	return rc;
}

static void print_data(const struct report_page *page,
    const struct session_info *info, double skipped)
{
	char taken[UNITS_TEXT], all[UNITS_TEXT], full[UNITS_TEXT];
	char left[UNITS_TEXT], text[1024];
	const bool in_brackets = *info->dataset && *info->source_fs;

	snprintf(text, sizeof(text),
	    "%s of %s sample%s%s%s%s, extrapolated to %s%s%s%s%s%s",
	    units_number((double)info->samples, taken),
	    units_number((double)info->total_samples, all),
	    info->total_samples == 1 ? "" : "s", skipped > 0 ? ", " : "",
	    skipped > 0 ? units_number(skipped, left) : "",
	    skipped > 0 ? " skipped" : "",
	    units_number((double)info->full_samples, full),
	    *info->dataset || *info->source_fs ? "; " : "", info->dataset,
	    in_brackets ? " (" : "", info->source_fs, in_brackets ? ")" : "");
	report_page_line(page, "data", text);
}

static void print_machine(
    const struct report_page *page, const struct session_record *record)
{
	const struct machine *machine = &record->info.machine;
	char text[512], bytes[UNITS_TEXT];

	snprintf(text, sizeof(text),
	    "%s, %u %s, %s of memory; %s%s%s%s%spresto %s",
	    *machine->cpu ? machine->cpu : "unknown CPU", machine->cores,
	    machine->cores == 1 ? "core" : "cores",
	    units_bytes((double)machine_memory(machine), bytes),
	    machine->kernel, *machine->kernel && *machine->virtual ? ", " : "",
	    *machine->virtual ? "virtual: " : "", machine->virtual,
	    *machine->kernel || *machine->virtual ? "; " : "", record->version);
	report_page_line(page, "machine", text);
}

static void print_storage(
    const struct report_page *page, const struct session_info *info)
{
	const struct storage_limits *limits = &info->limits;
	char text[512], number[UNITS_TEXT];
	size_t used;

	if (!storage_limits_any(limits)) {
		if (*info->work_fs)
			report_page_line(page, "storage", info->work_fs);
		return;
	}
	used = (size_t)snprintf(text, sizeof(text), "emulated");
	if (limits->bandwidth > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s/s", units_bytes(limits->bandwidth, number));
	if (limits->stream > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s/s a stream", units_bytes(limits->stream, number));
	if (limits->latency > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s a request", units_time(limits->latency, number));
	if (limits->iops > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s requests/s", units_number(limits->iops, number));
	if (limits->open > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s a file", units_time(limits->open, number));
	if (limits->opens > 0)
		snprintf(text + used, sizeof(text) - used, ", %s files/s",
		    units_number(limits->opens, number));
	report_page_line(page, "storage", text);
}

/* Prints threads and cache if they are the same for all trials. */
static void print_load(
    const struct report_page *page, const struct grid *raw, int64_t session)
{
	char threads[HUMAN_CELL], cache[HUMAN_CELL], text[3 * HUMAN_CELL];
	const bool one_way = human_common(raw, session, "threads", threads);
	const bool one_cache = human_common(raw, session, "cache", cache);

	snprintf(text, sizeof(text), "%s%s%s%s%s", threads,
	    !one_way                    ? ""
	    : strcmp(threads, "1") == 0 ? " thread"
	                                : " threads",
	    one_way && one_cache ? ", " : "", one_cache ? "cache " : "", cache);
	if (*text)
		report_page_line(page, "load", text);
}

int report_head_lines(const struct report_page *page,
    const struct session_record *record, const struct grid *raw,
    struct error *err)
{
	double skipped;

	if (count_skipped(page, record->id, &skipped, err))
		return -1;
	print_data(page, &record->info, skipped);
	print_machine(page, record);
	print_storage(page, &record->info);
	print_load(page, raw, record->id);
	return report_page_time(page, record->id, err) ||
	               report_forecast(page, record, raw, err)
	           ? -1
	           : 0;
}
