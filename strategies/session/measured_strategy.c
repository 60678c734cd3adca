/* measured_strategy.c - see measured_strategy.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/steps/step.h"
#include "lib/stores/store.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/prepare.h"
#include "strategies/session/bottleneck.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/trial_record.h"

/* Of the machine: so many go into the database at a time. */
enum {
	SYSTEM_ROWS = 64,
	OPEN_THREADS = 256, /* of loaders that wait */
};

static void tell_epoch(void *arg)
{
	struct session *session = arg;

	session_tell(session, session->unit_s);
}

/* ---- one trial ---- */

/* `ended`: why there are no more runs; NULL: there may be some to come. */
static int store_trial(const struct subject *c, struct trial *of,
    const char *ended, struct error *err)
{
	struct session *session = c->session;
	const struct trial_plan *trial = trial_get_plan(of);
	const struct trial_result *result = trial_get_result(of);
	const struct load load = { .samples = session->plan->source->samples,
		.threads = trial->loading.threads,
		.cache = trial->loading.cache };
	struct step_row steps[TRIAL_STEP_ROWS];
	struct bottleneck bottleneck;
	struct trial_row row = {
		.threads = trial->loading.threads,
		.cache = trial->loading.cache,
		.state = TRIAL_DONE,
		.message = "",
		.bottleneck = bottleneck.word,
		.evidence = bottleneck.evidence,
		.ended = ended,
		.predicted_samples_per_s =
		    model_predict(session->plan->model, c->strategy, &load)
		        .samples_per_s,
		.cache_bytes = result->cache_bytes,
		.peak_rss_bytes = result->peak_rss_bytes,
		.rounds_ns = session->rounds_ns,
		.runs = result->runs,
		.run_count = result->run_count,
		.steps = steps,
	};

	memcpy(row.phases, result->trace.phases, sizeof(row.phases));
	memcpy(row.levels, result->partial.rows, sizeof(row.levels));
	partial_epochs_whole(result, trial, &row.levels[LEVEL_ALL]);
	bottleneck_find(trial, result, session->machine.cores,
	    model_ceilings(session->plan->model, c->strategy), &bottleneck);
	row.step_count = trial_step_rows(trial, result, steps);
	return session_add_trial(session, c->id, &row, err);
}

/* ---- one strategy ---- */

static int add_subject(struct subject *c, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const struct strategy *s = c->strategy;
	const struct prediction p = model_predict(plan->model, s,
	    &(struct load){ .samples = plan->source->samples,
	        .threads = session->threads });
	char codec[CODEC_LABEL] = "";
	const struct strategy_row row = {
		.label = s->label,
		.order = "",
		.split = s->unprocessed
		             ? "unprocessed"
		             : pipeline_name(plan->pipeline, s->split),
		.store = s->unprocessed ? "" : s->store->name,
		.codec = s->unprocessed ? "" : codec_label(&s->codec, codec),
		.shards = s->unprocessed ? 0
		                         : shard_count(plan->source,
		                               &plan->plan->strategies.order,
		                               plan->plan->strategies.shards,
		                               p.storage_bytes),
		.portable = strategy_is_readable(s, NULL),
		.readable = strategy_is_readable(s, plan->plan->reader),
		.predicted_prep_s = p.prep_s,
		.predicted_storage_bytes = p.storage_bytes,
	};

	return results_add_strategy(
	    session->results, session->id, &row, &c->id, err);
}

/* Says what goes on, and how long one of `parts` equal parts will take. */
static void announce(const struct subject *c, const struct trial_plan *trial,
    const char *doing, double seconds, unsigned parts)
{
	struct session *session = c->session;

	session->unit_s = seconds / parts;
	snprintf(session->what, sizeof(session->what),
	    "%s %s, %u thread%s, cache %s", doing, c->strategy->label,
	    trial->loading.threads, trial->loading.threads == 1 ? "" : "s",
	    cache_name(trial->loading.cache));
}

/*
 * Does it read the dataset, so that samples have the names that users know?  A
 * cache behind a trial that does so would tell the same ones.
 */
static bool finds_skipped(const struct subject *c, enum cache_mode cache)
{
	return c->strategy->unprocessed &&
	       (cache != CACHE_APPLICATION ||
	           c->session->plan->plan->load.cache_count == 1);
}

static struct trial *open_trial(struct subject *c, unsigned threads,
    enum cache_mode cache, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const bool application = cache == CACHE_APPLICATION;
	const double epoch_s = session_check_seconds(plan, c->strategy,
	    &(struct load){ .samples = c->reader->samples,
	        .threads = threads,
	        .cache = cache });
	const struct trial *like = subject_like(c, threads, cache, epoch_s);
	const struct trial_plan trial = {
		.loading.plan = plan->plan,
		.reader = c->reader,
		.loading.pipeline = plan->pipeline,
		.loading.from =
		    c->strategy->unprocessed ? 0 : c->strategy->split,
		.loading.threads = threads,
		.loading.cache = cache,
		.medium = plan->medium,
		.drop_failed = c->strategy->unprocessed
		                   ? &session->source_drop_failed
		                   : &c->drop_failed,
		.cold_rate = c->strategy->unprocessed ? &session->source_rate
		                                      : &session->work_rate,
		.host.spare = session->spare,
		.skip_errors = plan->skip_errors,
		.cache_budget = application ? plan_cache_budget(plan->plan) : 0,
		.check.want_outputs = !like && (!c->verified || application),
		.check.part_will_do = c->proven,
		.check.like = like,
		.check.epoch_s = epoch_s,
		.host.began_ns = session->origin_ns,
		.host.base_bytes = session->base_bytes,
		.host.workload = session->workload,
		.host.monitor = session->monitor,
		.target = { .label = c->strategy->label,
		    .threads = threads,
		    .cache = cache },
		.stop = plan->stop,
		.progress = tell_epoch,
		.skipped = finds_skipped(c, cache) ? plan->skipped : NULL,
		.arg = session,
	};

	return trial_open(&trial, err);
}

/* Threads and buffers of trials that wait may take some memory, not all. */
static void save_memory(const struct subject *c, struct trial *trial)
{
	const struct session *session = c->session;

	if (usage_resident() > session->base_bytes + session->open_bytes ||
	    usage_threads() > OPEN_THREADS)
		trial_rest(trial);
}

/* The trial's untimed pass; 1: it does not fit into the application cache. */
static int check_trial(
    struct subject *c, struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	const struct load load = { .samples = plan->reader->samples,
		.threads = plan->loading.threads,
		.cache = plan->loading.cache };

	announce(c, plan, "checking",
	    session_check_seconds(c->session->plan, c->strategy, &load), 1);
	if (trial_check(trial, err)) {
		if (plan->loading.cache != CACHE_APPLICATION ||
		    err->code != ERROR_LIMIT)
			return -1;
		return subject_skip_application(c, err) ? -1 : 1;
	}
	if ((plan->check.want_outputs || plan->check.like) &&
	    subject_note_outputs(c, trial, err))
		return -1;
	outputs_release(&trial_get_result(trial)->outputs);
	session_tell(c->session, c->session->unit_s);
	save_memory(c, trial);
	return 0;
}

/* One way to load it: opened, checked, and kept if it is to be run. */
static int add_trial(struct subject *c, unsigned threads, enum cache_mode cache,
    bool keep, struct error *err)
{
	struct trial *trial;
	int rc;

	subject_make_room_to_load(c, threads, cache);
	trial = open_trial(c, threads, cache, err);
	rc = trial ? check_trial(c, trial, err) : -1;
	if (rc == 0 && keep)
		c->trials[c->trial_count++] = trial;
	else
		trial_close(trial);
	return rc < 0 ? -1 : 0;
}

static int add_trials(struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;

	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++) {
			const int missing = subject_misses(c,
			    plan->load.threads[t], plan->load.caches[k], err);

			if (missing < 0 ||
			    (missing && add_trial(c, plan->load.threads[t],
			                    plan->load.caches[k], true, err)))
				return -1;
		}
	return 0;
}

/*
 * No trial may be left to do but what others are compared with: with as many
 * threads as memory is large enough for.
 */
static int add_comparison(struct subject *c, struct error *err)
{
	unsigned threads = c->session->threads;

	while (subject_check_load(c, threads, CACHE_SYSTEM, err)) {
		if (threads == 1)
			return -1;
		threads--;
	}
	return add_trial(c, threads, CACHE_SYSTEM, false, err);
}

/*
 * One strategy that fails does not stop the others; but `unprocessed` does,
 * which they are compared with, and so does the user.
 */
static int note_failure(struct subject *c, struct error *err)
{
	c->broken = err->code != ERROR_INTERRUPTED;
	if (c->strategy->unprocessed || !c->broken ||
	    subject_note_trials(c, TRIAL_FAILED, err))
		return -1;
	c->session->failed++;
	c->over = true;
	return 0;
}

int subject_begin(struct subject *c, struct session *session,
    const struct strategy *strategy, struct error *err)
{
	int missing;

	*c = (struct subject){ .session = session, .strategy = strategy };
	if (add_subject(c, err))
		return -1;
	missing =
	    subject_check_memory(c, err) ? -1 : subject_count_missing(c, err);
	if (missing < 0)
		return -1;
	c->over = missing == 0 && !strategy->unprocessed;
	if (c->over || strategy->unprocessed ||
	    (subject_check_room(c, err) == 0 &&
	        subject_check_preparation(c, err) == 0))
		return 0;
	return err->code == ERROR_LIMIT ? subject_skip(c, err) : -1;
}

int subject_open(
    struct subject *c, struct subject *others, size_t count, struct error *err)
{
	int rc;

	c->others = others;
	c->other_count = count;
	subject_make_room_to_prepare(c);
	rc = subject_make_data(c, others, count, err);
	if (rc == 0)
		rc = subject_prove(c, others, count, err);
	if (rc == 0)
		rc = add_trials(c, err);
	if (rc == 0 && !c->verified)
		rc = add_comparison(c, err);
	return rc ? note_failure(c, err) : 0;
}

/*
 * What there is of a session that ends early, for `why`: the whole runs of a
 * trial that nothing is wrong with are as good as any.
 */
static void store_rest(
    struct subject *c, struct trial *trial, const struct error *why)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	struct trial_result *result = trial_get_result(trial);
	const unsigned made = result->runs_made;
	struct error ignored = ERROR_INIT;

	while (result->run_count > 0 &&
	       result->runs[result->run_count - 1].run > made)
		result->run_count--; /* of a run that is not whole */
	if (made == 0)
		return;
	if (c->broken) {
		subject_note_trial(c, plan->loading.threads,
		    plan->loading.cache, TRIAL_FAILED, why->text, &ignored);
		return;
	}
	session_judge(c->session, c->strategy, trial);
	if (made < plan->loading.plan->measure.runs)
		store_trial(c, trial, TRIAL_INTERRUPTED, &ignored);
}

int subject_run(struct subject *c, struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	const struct load load = { .samples = plan->reader->samples,
		.threads = plan->loading.threads,
		.cache = plan->loading.cache };
	int rc;

	announce(c, plan, "loading",
	    session_run_seconds(c->session->plan, c->strategy, &load),
	    trial_epochs(plan->loading.plan, plan->loading.cache));
	rc = trial_run(trial, err);
	/* It waits for the disk: not for runs too few to count. */
	if (rc == 0 && trial_get_result(trial)->runs_made >=
	                   plan->loading.plan->measure.runs)
		rc = store_trial(c, trial, NULL, err);
	if (rc == 0)
		rc = monitor_flush(c->session->monitor, SYSTEM_ROWS,
		    c->session->results, c->session->id, err);
	save_memory(c, trial);
	return rc ? note_failure(c, err) : 0;
}

int subject_end_trial(struct subject *c, struct trial *trial, const char *ended,
    struct error *err)
{
	if (c->over)
		return 0;
	session_judge(c->session, c->strategy, trial);
	return store_trial(c, trial, ended, err);
}

int subject_skip(struct subject *c, struct error *err)
{
	c->over = true;
	return subject_note_trials(c, TRIAL_SKIPPED, err);
}

int subject_close(struct subject *c, int rc, struct error *err)
{
	struct error later = ERROR_INIT;

	for (unsigned i = 0; i < c->trial_count; i++) {
		if (rc && !c->over)
			store_rest(c, c->trials[i], err);
		trial_close(c->trials[i]);
	}
	reader_free(c->stored);
	if (c->dir && !c->session->plan->keep &&
	    path_remove_tree(c->dir, &later) && rc == 0) {
		*err = later;
		rc = -1;
	}
	outputs_release(&c->stored_hashes);
	free(c->dir);
	free(c->costs);
	free(c->sums);
	return rc;
}
