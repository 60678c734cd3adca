/* probe.c - see probe.h. */
#include "lib/measure/storage/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/measure/storage/fio.h"
#include "lib/measure/storage/probe_files.h"
#include "lib/measure/storage/probe_read.h"
#include "lib/measure/storage/residency.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/stats/statistics.h"

const uint64_t probe_read_sizes[PROBE_READ_SIZES] = { PROBE_READ, 128 << 10,
	8 << 20 };
const double probe_cached_least = 2;
/* Parts of a shorter pass, or of fewer passes, may differ by chance. */
static const double part_least_s = 0.1;
enum { PARTS_LEAST = 3 };

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

/* ---- a row ---- */

/* All passes of a row so far. */
struct row_passes {
	double
	    rates[PROBE_PASSES_MOST]; /* passes with requests of `read_bytes` */
	size_t count, all;
	uint64_t read_bytes;    /* the fastest so far */
	struct probe_time best; /* the fastest pass */
	double first;    /* rate of the very first pass; 0: it was too short */
	double resident; /* most, in percent */
	double early[PROBE_PASSES_MOST]; /* see probe_cached */
	size_t early_count;
	struct interval interval;
};

/* Adds a pass; the first ones look for the fastest request. */
static void add_pass(struct row_passes *passes, uint64_t read_bytes,
    const struct probe_time *time)
{
	const double now = rate(time);

	if (passes->all == 0 && time->wall_s >= part_least_s)
		passes->first = now;
	if (passes->all == 0 || now > rate(&passes->best)) {
		if (passes->read_bytes != read_bytes)
			passes->count = 0;
		passes->best = *time;
		passes->read_bytes = read_bytes;
	}
	if (read_bytes == passes->read_bytes)
		passes->rates[passes->count++] = now;
	passes->all++;
}

static bool is_precise(const struct prober *prober, struct row_passes *passes)
{
	double rates[PROBE_PASSES_MOST];

	memcpy(rates, passes->rates, sizeof(rates));
	passes->interval = interval_of(rates, passes->count);
	return passes->count >= PROBE_PASSES &&
	       interval_width(&passes->interval) <= prober->plan->precision;
}

/*
 * Compares later passes with the first one.  If another size of requests is
 * faster, `again` is the rate of one more pass like the first.
 */
static void see_repeat(
    struct probe_cached *cached, const struct row_passes *passes, double again)
{
	const double later = fmin(passes->interval.median, again);

	if (passes->first > 0 && passes->all > 1)
		cached->repeat = fmax(cached->repeat, later / passes->first);
}

static void add_early(struct row_passes *passes, const struct probe_time *time)
{
	const double late_s = time->wall_s - time->early_s;
	const double late = (double)(time->bytes - time->early_bytes);

	if (time->wall_s >= part_least_s && time->early_s > 0 && late_s > 0 &&
	    late > 0)
		passes->early[passes->early_count++] =
		    (double)time->early_bytes / time->early_s / (late / late_s);
}

/* Makes one pass; 1 when fio failed. */
static int pass_once(struct prober *prober, const struct probe_pass *pass,
    struct row_passes *passes, struct error *err)
{
	struct probe_time time;
	double percent;
	int rc;

	if (drop(prober, pass->warm, &percent, err))
		return -1;
	if (passes->all == 0 || percent > passes->resident)
		passes->resident = percent;
	/* Resets an emulated storage's debt from the pass before. */
	medium_set_warm(prober->plan->medium, pass->warm);
	rc = read_once(prober, pass, &time, err);
	if (rc)
		return rc;
	add_pass(passes, pass->read_bytes, &time);
	add_early(passes, &time);
	return 0;
}

/* Makes passes until they are precise or time is up; 1 when fio failed. */
static int pass_often(struct prober *prober, struct probe_pass *pass,
    struct row_passes *passes, struct error *err)
{
	const uint64_t end =
	    clock_now(&clock_monotonic) + (uint64_t)(1e9 * prober->plan->row_s);
	const bool large = pass->pattern == CEILING_SEQUENTIAL;
	uint64_t began, now;
	int rc;

	*passes = (struct row_passes){ .count = 0 };
	do {
		pass->read_bytes = passes->all < PROBE_READ_SIZES && large
		                       ? probe_read_sizes[passes->all]
		                       : passes->read_bytes;
		began = clock_now(&clock_monotonic);
		rc = pass_once(prober, pass, passes, err);
		if (rc)
			return rc;
		now = clock_now(&clock_monotonic);
		/* Half of another pass would fit. */
	} while (!is_precise(prober, passes) &&
	         passes->all < PROBE_PASSES_MOST &&
	         now + (now - began) / 2 < end);
	return 0;
}

/* A fio that fails now was good enough before. */
static int see_cached(struct prober *prober, struct probe_pass *pass,
    struct row_passes *passes, struct error *err)
{
	struct row_passes more = { .count = 0 };
	double again = HUGE_VAL;
	int rc;

	if (pass->pattern == CEILING_SEQUENTIAL &&
	    passes->read_bytes != probe_read_sizes[0] &&
	    passes->interval.median > probe_cached_least * passes->first) {
		pass->read_bytes = probe_read_sizes[0];
		rc = pass_once(prober, pass, &more, err);
		if (rc < 0)
			return -1;
		again = rc ? 0 : more.first;
	}
	see_repeat(&prober->probe->cached, passes, again);
	if (passes->early_count >= PARTS_LEAST)
		prober->probe->cached.early = fmax(prober->probe->cached.early,
		    median_of(passes->early, passes->early_count));
	return 0;
}

static void fill_rates(const struct row_passes *passes, unsigned threads,
    bool small, struct ceiling *c)
{
	const struct probe_time *best = &passes->best;

	c->bytes_per_s = rate(best);
	c->median_per_s = passes->interval.median;
	c->low_per_s = passes->interval.low;
	c->high_per_s = passes->interval.high;
	c->passes = (unsigned)passes->all;
	c->resident_percent = passes->resident;
	c->requests_per_s = c->bytes_per_s / PROBE_REQUEST;
	if (small && best->wall_s > 0)
		c->requests_per_s = (double)best->reads / best->wall_s;
	if (c->bytes_per_s > 0)
		c->latency_s =
		    threads *
		    (small ? c->bytes_per_s / c->requests_per_s : PROBE_READ) /
		    c->median_per_s;
}

static void fill(const struct prober *prober, const struct probe_pass *pass,
    const struct row_passes *passes, struct probe_row *row)
{
	const struct probe_files *files = &prober->files;
	const struct probe *probe = prober->probe;
	const bool small = pass->pattern == CEILING_FILES;
	struct ceiling *c = &row->ceiling;

	*row = (struct probe_row){ .warm = pass->warm };
	c->pattern = pass->pattern;
	c->threads = pass->threads;
	fill_rates(passes, pass->threads, small, c);
	c->files = small ? files->small_count / pass->threads : 1;
	c->file_bytes = small ? files->small_bytes : files->large_bytes;
	c->cold = !pass->warm && !probe->memory && !probe->blind &&
	          c->resident_percent >= 0 &&
	          c->resident_percent <= COLD_PERCENT;
	c->brief = prober->plan->large_bytes < PROBE_LARGE_BYTES ||
	           prober->plan->files < PROBE_FILES;
	if (probe->blind)
		c->resident_percent = -1;
	snprintf(c->tool, sizeof(c->tool), "%s", prober->tool);
	clock_utc(c->measured);
}

static int measure(
    struct prober *prober, const struct probe_pass *which, struct error *err)
{
	struct probe_pass pass = *which;
	struct probe *probe = prober->probe;
	struct row_passes passes;
	int rc;

	do
		rc = pass_often(prober, &pass, &passes, err);
	while (rc == 1);
	medium_set_warm(prober->plan->medium, false);
	if (rc)
		return -1;
	if (!pass.warm && see_cached(prober, &pass, &passes, err))
		return -1;
	fill(prober, &pass, &passes, &probe->rows[probe->count++]);
	return 0;
}

/* ---- all rows ---- */

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
	machine_filesystem(plan->dir, probe->place.device);
	machine_boot("", probe->place.boot);
	probe->memory = is_memory(probe->place.device);
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
