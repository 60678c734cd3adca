/* trial.c - see trial.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h> /* malloc_trim */
#endif

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/batch_freelist.h"
#include "lib/loader/cache.h"
#include "lib/measure/reference.h"
#include "lib/measure/system.h"
#include "strategies/monitor/early_marks.h"
#include "strategies/plan/plan.h"
#include "strategies/prepare/costs.h"
#include "strategies/trial/trial.h"
#include "strategies/trial/trial_disk.h"
#include "strategies/trial/trial_epoch.h"
#include "strategies/trial/trial_load.h"
#include "strategies/trial/user_loader.h"

enum {
	RUN_EPOCHS_MOST = 50, /* epochs of a run that is too short */
	FILLING_MOST = 3,     /* epochs that may still fill the page cache */
};

/* The part of the samples that an overflown cache gets, at most. */
static const double share_step = 0.95;
/* A smaller fraction of bytes read from storage counts as none. */
static const double filled_fraction = 0.02;

struct trial {
	struct trial_plan plan;
	struct trial_load load; /* no loader: the trial rests */
	struct trial_result result;
	uint32_t epochs; /* so far: each epoch has its own random draws */
	unsigned round;  /* number of the next run, if above the last one */
	/* With whom it runs now; NULL: alone.  Borrowed. */
	const struct together *together;
};

/* A cold run is one epoch.  A warm run first fills the cache in one. */
unsigned trial_epochs(const struct plan *plan, enum cache_mode cache)
{
	if (cache == CACHE_NONE)
		return 1;
	return plan->measure.epochs < 2 ? 2 : (unsigned)plan->measure.epochs;
}

/* The number of the run that is being made, or is made next. */
static unsigned run_number(const struct trial *trial)
{
	const unsigned next = trial->result.last_run + 1;

	return trial->round > next ? trial->round : next;
}

/* Adds a row for the next epoch, with its numbers and residency. */
static struct run_row *add_row(
    struct trial *trial, unsigned epoch, double resident, struct error *err)
{
	struct trial_result *result = &trial->result;
	struct run_row *row = array_grow(result->runs, &result->run_capacity,
	    result->run_count + 1, sizeof(*result->runs), err);

	if (!row)
		return NULL;
	result->runs = row;
	row += result->run_count;
	*row = (struct run_row){ .run = run_number(trial),
		.epoch = epoch,
		.resident_percent = resident };
	return row;
}

/* Notes what this process has used for an epoch. */
static void note_usage(struct run_row *row, const struct usage *before)
{
	struct usage after;

	usage_read(&after);
	row->user_ns = after.user_ns - before->user_ns;
	row->system_ns = after.system_ns - before->system_ns;
	row->bytes_from_storage = -1;
	if (before->storage_bytes_read >= 0)
		row->bytes_from_storage =
		    after.storage_bytes_read - before->storage_bytes_read;
	row->peak_rss_bytes = after.peak_rss_bytes;
}

/* Epochs that let buffers grow are not run together. */
static bool is_together(const struct trial *trial, const struct run_row *row)
{
	return trial->together && !row->warmup;
}

/* Does the epoch count, as in trial_last_rate? */
static bool is_counted(const struct trial *trial, const struct run_row *row)
{
	return !row->warmup &&
	       (trial->plan.loading.mode.cache == CACHE_NONE || row->epoch > 1);
}

/* Times an epoch into a row of add_row, which counts once it is complete. */
static int timed_epoch(
    struct trial *trial, struct run_row *row, struct error *err)
{
	const struct trial_plan *plan = &trial->plan;
	struct usage before;
	struct cores_mark mark;
	uint64_t start;
	int rc;

	if (plan->host.workload && !is_together(trial, row))
		row->reference_ns = reference_run(plan->host.workload);
	monitor_begin(plan->host.monitor, row->warmup ? "check" : "run",
	    &plan->target, row->run);
	usage_reset_peak();
	if (is_together(trial, row) && together_begin(trial->together, err)) {
		monitor_end(plan->host.monitor);
		return -1;
	}
	cores_mark(&mark);
	usage_read(&before);
	start = clock_now(&clock_monotonic);
	row->started_ns = start - plan->host.began_ns;
	rc = trial_epoch_deliver(
	    plan, &trial->load, ++trial->epochs, start, row, err);
	if (!plan->user_loader)
		note_usage(row, &before);
	if (plan->reader->is_far) /* the kernel counts what disks read */
		row->bytes_from_storage = (int64_t)row->bytes_fetched;
	cores_since(&mark, &row->cores);
	monitor_end(plan->host.monitor);
	if (rc)
		return -1;
	/* It used the cores in this trial, and is no other program. */
	if (plan->user_loader)
		row->cores.others_ns -=
		    (int64_t)(row->user_ns + row->system_ns);
	row->skipped = trial_epoch_skipped(&trial->load);
	row->filtered = trial_epoch_filtered(&trial->load);
	if (trial_epoch_stopped(plan, err) ||
	    (is_together(trial, row) &&
	        together_end(trial->together, row, is_counted(trial, row),
	            &trial->result.hosts, err)))
		return -1;
	trial->result.run_count++;
	if (plan->progress)
		plan->progress(plan->arg);
	return 0;
}

/* Makes the data cold; notes the worst that is known of it. */
static int drop(struct trial *trial, double *resident, struct error *err)
{
	const struct trial_plan *plan = &trial->plan;
	struct residency *worst = &trial->result.residency, found;

	if (residency_drop(plan->reader, plan->drop_failed, &found, err))
		return -1;
	if (found.cold > worst->cold ||
	    (found.cold == worst->cold && found.percent > worst->percent))
		*worst = found;
	*resident = found.percent;
	return 0;
}

static bool is_short(const struct trial *trial, uint64_t steady_ns)
{
	return (double)steady_ns <
	       trial->plan.loading.plan->measure.min_run_s * 1e9;
}

/* Is a run with a cache too short? `first_ns` is the time of its cold epoch. */
static bool is_short_in_all(
    const struct trial *trial, uint64_t first_ns, uint64_t steady_ns)
{
	return is_short(trial, steady_ns) ||
	       is_short(trial, (first_ns + steady_ns) / TRIAL_WHOLE_RUN);
}

/* Runs cold epochs until they have taken long enough. */
static int run_cold(struct trial *trial, struct error *err)
{
	uint64_t steady_ns = 0;
	unsigned epoch = 1;

	do {
		double resident = -1;
		struct run_row *row;

		if (drop(trial, &resident, err))
			return -1;
		row = add_row(trial, epoch, resident, err);
		if (!row || timed_epoch(trial, row, err))
			return -1;
		steady_ns += row->wall_ns;
	} while (is_short(trial, steady_ns) && ++epoch <= RUN_EPOCHS_MOST);
	return 0;
}

/*
 * Is the page cache still being filled? Then this epoch read less from storage
 * than the last one. Data that never fits into memory is read again each time.
 */
static bool is_filling(const struct trial *trial, const struct run_row *row)
{
	const struct run_row *last = row - 1;

	return trial->plan.loading.mode.cache == CACHE_SYSTEM &&
	       (double)row->bytes_from_storage >
	           filled_fraction * (double)row->bytes_fetched &&
	       row->bytes_from_storage < last->bytes_from_storage;
}

/* Runs a cold epoch, and then epochs that read what it left in a cache. */
static int run_epochs(struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = &trial->plan;
	const unsigned epochs =
	    trial_epochs(plan->loading.plan, plan->loading.mode.cache);
	unsigned filling = 0, epoch;
	uint64_t steady_ns = 0, first_ns;
	double resident = -1;
	struct run_row *row;

	if (trial->load.cache)
		cache_clear(trial->load.cache);
	if (drop(trial, &resident, err))
		return -1;
	row = add_row(trial, 1, resident, err);
	if (!row || timed_epoch(trial, row, err))
		return -1;
	first_ns = row->wall_ns;
	/* A partial cache lacks samples: they come from storage each time. */
	medium_set_warm(plan->medium, !trial->load.rest);
	for (epoch = 2; epoch - filling <= epochs ||
	                (is_short_in_all(trial, first_ns, steady_ns) &&
	                    epoch <= RUN_EPOCHS_MOST);
	     epoch++) {
		if (trial->load.rest && drop(trial, &resident, err))
			return -1;
		row = add_row(
		    trial, epoch, trial->load.rest ? resident : -1, err);
		if (!row || timed_epoch(trial, row, err))
			return -1;
		if (filling < FILLING_MOST && is_filling(trial, row)) {
			row->warmup = true;
			filling++;
			together_forget_epoch(
			    trial->together, &trial->result.hosts);
		} else {
			steady_ns += row->wall_ns;
		}
	}
	return 0;
}

static int run_cached(struct trial *trial, struct error *err)
{
	struct trial_disk disk = TRIAL_DISK_INIT;
	int rc = trial_disk_begin(&disk, &trial->plan, err);

	if (rc == 0)
		rc = run_epochs(trial, err);
	return trial_disk_end(&disk, &trial->plan, rc, err);
}

struct trial *trial_open(const struct trial_plan *plan, struct error *err)
{
	struct trial *trial = calloc(1, sizeof(*trial));

	if (!trial)
		error_memory(err, sizeof(*trial));
	else
		trial->plan = *plan;
	return trial;
}

/* Returns free memory, which would hide the memory that this trial takes. */
void trial_trim(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

void trial_rest(struct trial *trial)
{
	if (!trial->load.loader && !trial->load.filler && !trial->load.cache &&
	    !trial->load.user_loader)
		return;
	trial_load_close(&trial->load);
	trial->load = (struct trial_load){ .loader = NULL };
	trial_trim();
}

void trial_close(struct trial *trial)
{
	if (!trial)
		return;
	trial_rest(trial);
	outputs_release(&trial->result.outputs);
	free(trial->result.events.list);
	free(trial->result.hosts.rows);
	free(trial->result.runs);
	free(trial);
}

const struct trial_plan *trial_get_plan(const struct trial *trial)
{
	return &trial->plan;
}

struct trial_result *trial_get_result(struct trial *trial)
{
	return &trial->result;
}

static int measure_check(struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = &trial->plan;
	struct trial_result *result = &trial->result;

	if (plan->user_loader)
		return user_loader_epoch(
		    trial->load.user_loader, &result->checked, err);
	if (trial_epoch_traced(plan, &trial->load, result, err))
		return -1;
	if (plan->check.like) {
		result->partial = plan->check.like->result.partial;
		return 0;
	}
	return partial_epochs_measure(plan, trial->load.loader,
	    (double)result->trace.wall_ns / 1e9 / result->traced_fraction,
	    &result->partial, err);
}

/* Notes what is in the application cache, and empties it. */
static void clear_cache(struct trial *trial)
{
	struct cache *cache = trial->load.cache;

	if (!cache)
		return;
	trial->result.cache_bytes = cache_bytes(cache);
	trial->result.cached_samples = cache_samples(cache);
	cache_clear(cache);
}

static int check_once(struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = &trial->plan;
	struct trial_result *result = &trial->result;
	struct usage after;
	uint64_t others;
	int rc;

	trial_rest(trial);
	trial_trim();
	others = usage_resident();
	others = cost_rest(others, plan->host.base_bytes);
	usage_reset_peak();
	batch_freelist_reused(plan->host.freelist);
	if (trial_load_open(plan, &trial->load, err))
		return -1;
	others = cost_rest(others, batch_freelist_reused(plan->host.freelist));
	monitor_begin(plan->host.monitor, "check", &plan->target, 0);
	medium_set_warm(plan->medium, true);
	rc = measure_check(trial, err);
	medium_set_warm(plan->medium, false);
	monitor_end(plan->host.monitor);
	usage_read(&after);
	if (after.peak_rss_bytes > others && !plan->user_loader)
		result->peak_rss_bytes = after.peak_rss_bytes - others;
	clear_cache(trial);
	return rc;
}

/*
 * Has the application cache overflown?  Then a smaller part of the samples is
 * tried; at most the part that it had room for.
 */
static bool make_partial(struct trial *trial, const struct error *err)
{
	struct loading *loading = &trial->plan.loading;
	const double wanted =
	    loading->share * (double)trial->plan.reader->samples;
	double fits = 1;

	if (err->code != ERROR_LIMIT || !trial->load.cache ||
	    !trial->load.loader)
		return false;
	if (!pipeline_changes_count(
	        loading->pipeline, loading->from, loading->cached))
		fits = (double)trial->result.cached_samples / wanted;
	loading->share *= fmin(fits, share_step);
	return true;
}

int trial_check(struct trial *trial, struct error *err)
{
	int rc;

	do
		rc = check_once(trial, err);
	while (rc && make_partial(trial, err));
	return rc;
}

/* Opens a trial that rested; an uncounted epoch lets its buffers grow. */
static int wake(struct trial *trial, struct error *err)
{
	struct run_row *row;

	if (trial->load.loader || trial->load.user_loader)
		return 0;
	if (trial_load_open(&trial->plan, &trial->load, err))
		return -1;
	row = add_row(trial, 1, -1, err);
	if (!row)
		return -1;
	row->warmup = true;
	medium_set_warm(trial->plan.medium, true);
	return timed_epoch(trial, row, err);
}

void trial_set_round(struct trial *trial, unsigned round)
{
	trial->round = round;
}

int trial_run(struct trial *trial, struct error *err)
{
	struct medium *medium = trial->plan.medium;
	int rc = wake(trial, err);

	medium_set_warm(medium, false);
	if (rc == 0 && trial->plan.loading.mode.cache == CACHE_NONE)
		rc = run_cold(trial, err);
	else if (rc == 0)
		rc = run_cached(trial, err);
	medium_set_warm(medium, false);
	clear_cache(trial);
	if (rc == 0) {
		trial->result.last_run = run_number(trial);
		trial->result.runs_made++;
	}
	return rc;
}

int trial_run_together(
    struct trial *trial, const struct together *together, struct error *err)
{
	int rc;

	trial->together = together;
	rc = trial_run(trial, err);
	trial->together = NULL;
	return rc;
}

void trial_forget_run(struct trial *trial)
{
	struct trial_result *result = &trial->result;
	const unsigned last = result->last_run;

	while (result->run_count > 0 &&
	       result->runs[result->run_count - 1].run == last)
		result->run_count--;
	if (result->runs_made > 0)
		result->runs_made--;
	if (result->last_run > 0)
		result->last_run--;
}

double trial_last_rate(const struct trial *trial)
{
	const struct trial_result *result = &trial->result;
	const bool cold = trial->plan.loading.mode.cache == CACHE_NONE;
	uint64_t samples = 0, wall_ns = 0;

	for (size_t i = 0; i < result->run_count; i++) {
		const struct run_row *row = &result->runs[i];

		if (row->run != result->last_run || row->warmup ||
		    (!cold && row->epoch == 1))
			continue;
		samples += row->samples;
		wall_ns += row->wall_ns;
	}
	return wall_ns ? 1e9 * (double)samples / (double)wall_ns : 0;
}
