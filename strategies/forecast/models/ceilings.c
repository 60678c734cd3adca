/* ceilings.c - see ceilings.h. */
#include "strategies/forecast/models/ceilings.h"

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "lib/measure/storage/probe.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"

/* A shorter measurement says nothing. */
static const double least_s = 0.5;
enum { LARGE_BYTES = 128000000, SMALL_FILES = 640 };

static bool is_known(const struct ceiling_place *place)
{
	return place->device[0] != '\0';
}

int ceilings_read(struct results *results, const char *path,
    struct ceilings *ceilings, struct error *err)
{
	int count;

	ceilings->count = 0;
	machine_filesystem(path, ceilings->place.device);
	machine_boot("", ceilings->place.boot);
	if (!is_known(&ceilings->place))
		return 0;
	count = results_get_ceilings(
	    results, &ceilings->place, ceilings->list, CEILINGS_MOST, err);
	if (count < 0)
		return -1;
	ceilings->count = (size_t)count;
	return 0;
}

int ceilings_store(
    struct results *results, const struct probe *probe, struct error *err)
{
	for (size_t i = 0; is_known(&probe->place) && i < probe->count; i++)
		if (!probe->rows[i].warm &&
		    results_set_ceiling(
		        results, &probe->place, &probe->rows[i].ceiling, err))
			return -1;
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
	for (size_t i = 0; i < probe.count && ceilings->count < CEILINGS_MOST;
	     i++)
		ceilings->list[ceilings->count++] = probe.rows[i].ceiling;
	return ceilings_store(results, &probe, err);
}

static bool is_probed(const struct ceilings *ceilings, unsigned threads)
{
	for (size_t i = 0; i < ceilings->count; i++)
		if (ceilings->list[i].origin == CEILING_OF_PROBE &&
		    ceilings->list[i].threads == threads)
			return true;
	return false;
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
		/* syncing and dropping the cache take the rest */
		.write_s = 0.3 * budget_s,
		.precision = 0.05,
		.stop = stop,
	};

	if (ceilings_read(results, work_dir, ceilings, err))
		return -1;
	if (budget_s < least_s || threads > PROBE_MOST_THREADS)
		return 0;
	if (!is_probed(ceilings, 1))
		plan.threads[plan.thread_count++] = 1;
	if (threads > 1 && !is_probed(ceilings, threads))
		plan.threads[plan.thread_count++] = threads;
	if (plan.thread_count == 0)
		return 0;
	plan.row_s =
	    0.5 * budget_s / (CEILING_PATTERNS * (double)plan.thread_count);
	return measure(results, &plan, ceilings, err);
}

/* ---- the most that was seen ---- */

static bool is_faster(const struct ceiling *a, const struct ceiling *b)
{
	return a->pattern == CEILING_FILES
	           ? a->requests_per_s > b->requests_per_s
	           : a->bytes_per_s > b->bytes_per_s;
}

/* Is a row of a probe better than the best one of those before it? */
static bool is_better(
    const struct ceiling *c, const struct ceiling *best, unsigned threads)
{
	if (!best)
		return true;
	if (c->cold != best->cold)
		return c->cold;
	if ((c->threads <= threads) != (best->threads <= threads))
		return c->threads <= threads;
	if (c->threads > threads && c->threads != best->threads)
		return c->threads < best->threads;
	return is_faster(c, best);
}

const struct ceiling *ceilings_find(const struct ceilings *ceilings,
    enum ceiling_pattern pattern, unsigned threads)
{
	const struct ceiling *best = NULL;

	for (size_t i = 0; i < ceilings->count; i++) {
		const struct ceiling *c = &ceilings->list[i];

		if (c->pattern == pattern && c->origin == CEILING_OF_PROBE &&
		    is_better(c, best, threads))
			best = c;
	}
	for (size_t i = 0; best && best->cold && i < ceilings->count; i++) {
		const struct ceiling *c = &ceilings->list[i];

		if (c->pattern == pattern && c->origin == CEILING_OF_TRIAL &&
		    c->threads <= threads && is_faster(c, best))
			best = c;
	}
	return best;
}

bool ceilings_are_small(
    const struct ceilings_reading *reading, const struct ceiling *files)
{
	return reading->requests_per_s > 0 &&
	       reading->bytes_per_s / reading->requests_per_s <
	           2 * (double)files->file_bytes;
}

/* The rows of a reading, one for each pattern whose ceiling it passes. */
struct passed {
	struct ceiling rows[CEILING_PATTERNS];
	size_t count;
	double times; /* the most */
};

static void pass(struct passed *passed, const struct ceiling *ceiling,
    double times, const struct ceilings_reading *reading)
{
	struct ceiling *row;

	if (times <= 1)
		return;
	row = &passed->rows[passed->count++];
	*row = (struct ceiling){
		.pattern = ceiling->pattern,
		.origin = CEILING_OF_TRIAL,
		.threads = reading->threads,
		.bytes_per_s = reading->bytes_per_s,
		.requests_per_s = ceiling->pattern == CEILING_FILES
		                      ? reading->requests_per_s
		                      : reading->bytes_per_s / PROBE_REQUEST,
		.files = ceiling->files,
		.file_bytes = reading->requests_per_s > 0
		                  ? (uint64_t)(reading->bytes_per_s /
		                               reading->requests_per_s)
		                  : ceiling->file_bytes,
		.cold = true,
		.tool = "trial",
		.resident_percent = -1,
	};
	clock_utc(row->measured);
	if (times > passed->times)
		passed->times = times;
}

static struct passed find_passed(
    const struct ceilings *ceilings, const struct ceilings_reading *reading)
{
	const struct ceiling *large =
	    ceilings_find(ceilings, CEILING_SEQUENTIAL, reading->threads);
	const struct ceiling *files =
	    ceilings_find(ceilings, CEILING_FILES, reading->threads);
	struct passed passed = { .count = 0 };

	if (large && large->cold && large->bytes_per_s > 0)
		pass(&passed, large, reading->bytes_per_s / large->bytes_per_s,
		    reading);
	if (files && files->cold && files->requests_per_s > 0 &&
	    ceilings_are_small(reading, files))
		pass(&passed, files,
		    reading->requests_per_s / files->requests_per_s, reading);
	return passed;
}

double ceilings_passed(
    const struct ceilings *ceilings, const struct ceilings_reading *reading)
{
	return find_passed(ceilings, reading).times;
}

int ceilings_raise(struct results *results, const struct ceilings *ceilings,
    const struct ceilings_reading *reading, struct error *err)
{
	const struct passed passed = find_passed(ceilings, reading);

	for (size_t i = 0; is_known(&ceilings->place) && i < passed.count; i++)
		if (results_set_ceiling(
		        results, &ceilings->place, &passed.rows[i], err))
			return -1;
	return 0;
}
