/* probe.c - see probe.h. */
#include "lib/measure/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/measure/fio.h"
#include "lib/measure/probe.h"
#include "lib/measure/probe_files.h"
#include "lib/measure/probe_read.h"
#include "lib/measure/residency.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"

enum { PASSES = 3 };

/* A running probe. */
struct prober {
	const struct probe_plan *plan;
	struct probe *probe;
	struct probe_files files;
	char tool[32];
	bool fio;
};

static bool is_memory(const char *device)
{
	return strncmp(device, "tmpfs ", 6) == 0 ||
	       strncmp(device, "ramfs ", 6) == 0;
}

/* Drops the files unless `warm`; measures how much is in memory; -1: unknown.
 */
static int drop(
    struct prober *prober, bool warm, double *percent, struct error *err)
{
	const char *dir = prober->files.dir;
	struct residency found;

	if (warm || prober->probe->memory)
		return residency_of_folder(dir, percent, err);
	if (residency_drop_folder(dir, &found, err))
		return -1;
	*percent = found.percent;
	snprintf(prober->probe->unseen, sizeof(prober->probe->unseen), "%s",
	    found.unseen);
	return 0;
}

/* Reads with fio until it fails once, then without it. */
static int read_once(struct prober *prober, const struct probe_pass *pass,
    struct probe_time *time, struct error *err)
{
	const struct probe_plan *plan = prober->plan;
	struct error why = ERROR_INIT;
	char text[sizeof(why.text) + 64];

	if (!prober->fio)
		return probe_read(plan, &prober->files, pass, time, err);
	if (fio_read(plan, &prober->files, pass, time, &why) == 0)
		return 0;
	if (why.code == ERROR_INTERRUPTED) {
		*err = why;
		return -1;
	}
	snprintf(text, sizeof(text), "%s; presto reads itself", why.text);
	if (plan->warn)
		plan->warn(plan->arg, text);
	prober->fio = false;
	snprintf(prober->tool, sizeof(prober->tool), "presto");
	return 1;
}

static double rate(const struct probe_time *time)
{
	return time->wall_s > 0 ? (double)time->bytes / time->wall_s : 0;
}

static int compare_times(const void *a, const void *b)
{
	const double x = rate(a), y = rate(b);

	return (x > y) - (x < y);
}

/* Runs up to three passes in time: 0 and *count, or 1 when fio failed. */
static int pass_often(struct prober *prober, const struct probe_pass *pass,
    struct probe_time *times, size_t *count, struct probe_row *row,
    struct error *err)
{
	const uint64_t end =
	    clock_now(&clock_monotonic) + (uint64_t)(1e9 * prober->plan->row_s);
	double percent;
	int rc;

	*count = 0;
	do {
		if (drop(prober, pass->warm, &percent, err))
			return -1;
		if (*count == 0 || percent > row->ceiling.resident_percent)
			row->ceiling.resident_percent = percent;
		/* Resets an emulated storage's debt from the pass before. */
		medium_set_warm(prober->plan->medium, pass->warm);
		rc = read_once(prober, pass, &times[*count], err);
		if (rc)
			return rc;
	} while (++*count < PASSES && clock_now(&clock_monotonic) < end);
	return 0;
}

static void fill(const struct prober *prober, const struct probe_pass *pass,
    const struct probe_time *time, struct probe_row *row)
{
	const struct probe_files *files = &prober->files;
	const struct probe *probe = prober->probe;
	const bool small = pass->pattern == CEILING_FILES;
	struct ceiling *c = &row->ceiling;

	c->pattern = pass->pattern;
	c->threads = pass->threads;
	c->bytes_per_s = rate(time);
	if (time->wall_s > 0)
		c->requests_per_s = small ? (double)time->reads / time->wall_s
		                          : c->bytes_per_s / PROBE_REQUEST;
	if (time->reads > 0)
		c->latency_s =
		    pass->threads * time->wall_s / (double)time->reads;
	c->files = small ? files->small_count / pass->threads : 1;
	c->file_bytes = small ? files->small_bytes : files->large_bytes;
	c->cold = !pass->warm && !probe->memory && !probe->blind &&
	          c->resident_percent <= COLD_PERCENT;
	c->brief = prober->plan->large_bytes < PROBE_LARGE_BYTES ||
	           prober->plan->files < PROBE_FILES;
	if (probe->blind)
		c->resident_percent = -1;
	snprintf(c->tool, sizeof(c->tool), "%s", prober->tool);
	clock_utc(c->measured);
	row->warm = pass->warm;
}

static int measure(
    struct prober *prober, const struct probe_pass *pass, struct error *err)
{
	struct probe_time times[PASSES];
	struct probe_row row = { .warm = pass->warm };
	size_t count;
	int rc;

	do
		rc = pass_often(prober, pass, times, &count, &row, err);
	while (rc == 1);
	medium_set_warm(prober->plan->medium, false);
	if (rc)
		return -1;
	qsort(times, count, sizeof(*times), compare_times);
	fill(prober, pass, &times[count / 2], &row);
	prober->probe->rows[prober->probe->count++] = row;
	return 0;
}

static void tell(const struct prober *prober, const char *what)
{
	const struct probe_plan *plan = prober->plan;
	const double all =
	    CEILING_PATTERNS * plan->thread_count * (plan->warm ? 2 : 1);

	/* Writing takes about as long as two rows. */
	if (plan->progress)
		plan->progress(plan->arg,
		    what ? 2 + (double)prober->probe->count : 0, 2 + all,
		    what ? what : "writing files");
}

/* Measures the rows of a pattern: cold and, if wanted, warm. */
static int measure_pattern(
    struct prober *prober, enum ceiling_pattern pattern, struct error *err)
{
	const struct probe_plan *plan = prober->plan;
	struct probe_pass pass = { .pattern = pattern, .limit_s = plan->row_s };

	for (unsigned i = 0; i < plan->thread_count; i++) {
		pass.threads = plan->threads[i];
		tell(prober, pattern == CEILING_FILES ? "reading small files"
		                                      : "reading large files");
		if (pattern == CEILING_FILES && plan->fio &&
		    probe_files_arrange(&prober->files, pass.threads, err))
			return -1;
		pass.warm = false;
		if (measure(prober, &pass, err))
			return -1;
		pass.warm = true;
		if (plan->warm && measure(prober, &pass, err))
			return -1;
	}
	return 0;
}

int probe_run(
    const struct probe_plan *plan, struct probe *probe, struct error *err)
{
	struct prober prober = { .plan = plan, .probe = probe };
	struct error later = ERROR_INIT;
	int rc;

	*probe = (struct probe){ .count = 0 };
	machine_filesystem(plan->dir, probe->device);
	probe->memory = is_memory(probe->device);
	prober.fio = plan->fio && fio_find(prober.tool);
	if (!prober.fio)
		snprintf(prober.tool, sizeof(prober.tool), "presto");
	tell(&prober, NULL);
	rc = probe_files_make(plan, &prober.files, err);
	probe->blind = prober.files.blind;
	for (unsigned p = 0; rc == 0 && p < CEILING_PATTERNS; p++)
		rc = measure_pattern(&prober, (enum ceiling_pattern)p, err);
	if (probe_files_remove(&prober.files, &later) && rc == 0) {
		*err = later;
		rc = -1;
	}
	return rc;
}
