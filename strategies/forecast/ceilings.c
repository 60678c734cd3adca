/* ceilings.c - see ceilings.h. */
#include "strategies/forecast/ceilings.h"

#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "lib/measure/probe.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"

/* A shorter measurement says nothing. */
static const double least_s = 0.5;
enum { LARGE_BYTES = 128000000, SMALL_FILES = 640 };

static void day_of(const char *moment, char day[11])
{
	memcpy(day, moment, 10);
	day[10] = '\0';
}

int ceilings_read(struct results *results, const char *path,
    struct ceilings *ceilings, struct error *err)
{
	char now[32], day[11];
	int count;

	ceilings->count = 0;
	machine_filesystem(path, ceilings->device);
	if (!*ceilings->device)
		return 0;
	clock_utc(now);
	day_of(now, day);
	count = results_get_ceilings(
	    results, ceilings->device, day, ceilings->list, CEILINGS_MOST, err);
	if (count < 0)
		return -1;
	ceilings->count = (size_t)count;
	return 0;
}

int ceilings_store(
    struct results *results, const struct probe *probe, struct error *err)
{
	char day[11];

	for (size_t i = 0; *probe->device && i < probe->count; i++) {
		const struct ceiling *c = &probe->rows[i].ceiling;

		if (probe->rows[i].warm)
			continue;
		day_of(c->measured, day);
		if (results_set_ceiling(results, probe->device, day, c, err))
			return -1;
	}
	return 0;
}

/* Measures briefly; too little room on the disk is no error. */
static int measure(struct results *results, struct probe_plan *plan,
    struct ceilings *ceilings, struct error *err)
{
	struct error why = ERROR_INIT;
	struct probe probe;

	plan->medium = medium_new_local(err);
	if (!plan->medium)
		return -1;
	if (probe_run(plan, &probe, &why)) {
		medium_free(plan->medium);
		if (why.code == ERROR_LIMIT)
			return 0;
		*err = why;
		return error_prefix(err, "measuring the storage");
	}
	medium_free(plan->medium);
	for (size_t i = 0; i < probe.count && i < CEILINGS_MOST; i++)
		ceilings->list[ceilings->count++] = probe.rows[i].ceiling;
	return ceilings_store(results, &probe, err);
}

int ceilings_of(struct results *results, const char *work_dir, unsigned threads,
    double budget_s, const atomic_bool *stop, struct ceilings *ceilings,
    struct error *err)
{
	struct probe_plan plan = {
		.dir = work_dir,
		.large_bytes = LARGE_BYTES,
		.files = SMALL_FILES,
		.file_bytes = PROBE_FILE_BYTES,
		.threads = { 1, threads },
		.thread_count = threads > 1 ? 2 : 1,
		/* writing out and dropping the cache take the rest */
		.write_s = 0.3 * budget_s,
		.stop = stop,
	};

	if (ceilings_read(results, work_dir, ceilings, err))
		return -1;
	if (ceilings->count > 0 || budget_s < least_s ||
	    threads > PROBE_MOST_THREADS)
		return 0;
	plan.row_s =
	    0.4 * budget_s / (CEILING_PATTERNS * (double)plan.thread_count);
	return measure(results, &plan, ceilings, err);
}

/*
 * Prefers the same number of threads or the next larger one, since more threads
 * may read faster than fewer did. Among smaller numbers, prefers the fastest.
 */
static bool is_better(
    const struct ceiling *c, const struct ceiling *best, unsigned threads)
{
	if (!best)
		return true;
	if (c->threads < threads)
		return best->threads < threads &&
		       c->bytes_per_s > best->bytes_per_s;
	return best->threads < threads || c->threads < best->threads;
}

const struct ceiling *ceilings_find(const struct ceilings *ceilings,
    enum ceiling_pattern pattern, unsigned threads)
{
	const struct ceiling *best = NULL;

	for (size_t i = 0; i < ceilings->count; i++) {
		const struct ceiling *c = &ceilings->list[i];

		if (c->pattern == pattern && is_better(c, best, threads))
			best = c;
	}
	return best;
}
