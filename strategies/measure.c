/*
 * measure.c - one strategy on its way: its data is made, loaded in every way
 * that the plan asks for, checked, and removed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/base/units.h"
#include "lib/measure/residency.h"
#include "lib/media/medium.h"
#include "lib/steps/step.h"
#include "lib/stores/store.h"
#include "strategies/bottleneck.h"
#include "strategies/prepare.h"
#include "strategies/session_parts.h"
#include "strategies/trial.h"
#include "strategies/workdir.h"

struct subject { /* a strategy on its way */
	struct session *session;
	const struct strategy *strategy;
	int64_t id;
	const struct reader *reader; /* of the data to load */
	struct reader *stored;       /* the same, owned; NULL: the source */
	char *dir;                   /* of the stored data; owned */
	struct preparation_row prep;
	bool verified;
	bool too_large; /* for the application cache: such trials are noted */
};

static void tell_sample(void *arg, uint64_t samples)
{
	struct session *session = arg;

	session_tell(session, session->unit_s * (double)samples);
}

static void tell_epoch(void *arg)
{
	struct session *session = arg;

	session_tell(session, session->unit_s);
}

/* ---- one trial ---- */

static size_t step_rows(const struct session *session,
    const struct trial_plan *trial, const struct trial_result *result,
    struct step_row *rows)
{
	const struct pipeline *pipeline = session->plan->pipeline;
	const struct loader_trace *trace = &result->trace;
	const uint64_t n = trace->chain.samples;
	const char *codec = trial->reader->codec;
	size_t count = 0;

	rows[count++] = (struct step_row){ .name = "unpack",
		.step = codec,
		.cpu_ns = trace->unpack_ns + trace->chain.codec_ns,
		.samples = n };
	rows[count++] = (struct step_row){ .name = "parse",
		.step = "",
		.cpu_ns = trace->parse_ns,
		.samples = n };
	for (unsigned i = trial_from(trial); i < pipeline->count; i++)
		rows[count++] = (struct step_row){
			.name = pipeline->steps[i].name,
			.step = pipeline->steps[i].ops->name,
			.cpu_ns = trace->chain.step_ns[i],
			.samples = n,
		};
	rows[count++] = (struct step_row){ .name = "copy",
		.step = "",
		.cpu_ns = trace->chain.copy_ns,
		.samples = n };
	return count;
}

static int store_trial(const struct subject *c, const struct trial_plan *trial,
    const struct trial_result *result, struct error *err)
{
	struct session *session = c->session;
	const struct load load = { .samples = session->plan->source->samples,
		.threads = trial->threads,
		.cache = trial->cache };
	struct step_row steps[PIPELINE_STEPS + 3];
	char word[RESULTS_WORD];
	struct trial_row row = {
		.threads = trial->threads,
		.cache = trial->cache,
		.state = TRIAL_DONE,
		.message = "",
		.bottleneck = word,
		.predicted_samples_per_s =
		    model_predict(session->plan->model, c->strategy, &load)
		        .samples_per_s,
		.cache_bytes = result->cache_bytes,
		.runs = result->runs,
		.run_count = result->run_count,
		.steps = steps,
	};

	bottleneck_find(trial, result, session->machine.cores, word);
	row.step_count = step_rows(session, trial, result, steps);
	return results_add_trial(session->results, c->id, &row, err);
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
		.shards = s->unprocessed
		              ? 0
		              : prepare_shards(plan->source, plan->plan->shards,
		                    p.storage_bytes),
		.portable = strategy_is_portable(s),
		.predicted_prep_s = p.prep_s,
		.predicted_storage_bytes = p.storage_bytes,
	};

	return results_add_strategy(
	    session->results, session->id, &row, &c->id, err);
}

/* The room that a strategy needs is looked at before anything is written. */
static int check_room(const struct subject *c, struct error *err)
{
	const struct session_plan *plan = c->session->plan;
	const double need = model_storage_bytes(
	    plan->model, c->strategy, plan->source->samples);
	uint64_t room, used = 0;
	const char *limit = "";
	char a[UNITS_TEXT], b[UNITS_TEXT];

	if (path_free_bytes(c->session->work_dir, &room, err) ||
	    path_bytes(c->session->work_dir, &used, err))
		return -1;
	if (plan->max_disk && plan->max_disk < room + used) {
		room = plan->max_disk > used ? plan->max_disk - used : 0;
		limit = " (--max-disk)";
	}
	if (need > (double)room)
		return error_set(err, ERROR_LIMIT,
		    "needs about %s on disk, there is room for %s%s",
		    units_bytes(need, a), units_bytes((double)room, b), limit);
	return 0;
}

static int prepare(struct subject *c, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const struct prediction p = model_predict(plan->model, c->strategy,
	    &(struct load){ .samples = plan->source->samples,
	        .threads = session->threads });
	const struct prepare_plan how = {
		.source = plan->source,
		.pipeline = plan->pipeline,
		.strategy = c->strategy,
		.medium = plan->medium,
		.dir = c->dir,
		.threads = session->threads,
		.shards = prepare_shards(
		    plan->source, plan->plan->shards, p.storage_bytes),
		.seed = plan->plan->seed,
		.skip_errors = plan->skip_errors,
		.fingerprint = session->fingerprint,
		.stop = plan->stop,
		.progress = tell_sample,
		.skipped = NULL, /* the same as told for unprocessed */
		.arg = session,
	};
	struct prepared made;
	double resident;

	session->unit_s = p.prep_s / (double)plan->source->samples;
	snprintf(session->what, sizeof(session->what), "preparing %s",
	    c->strategy->label);
	/* From a cold source, into a folder that may be left of a try. */
	if (residency_drop(plan->source, &resident, err) ||
	    path_remove_tree(c->dir, err) || path_make_dirs(c->dir, err) ||
	    prepare_run(&how, &made, err) ||
	    path_bytes(c->dir, &c->prep.storage_bytes, err))
		return -1;
	c->prep.wall_ns = made.wall_ns;
	c->prep.cpu_ns = made.cpu_ns;
	c->prep.bytes_read = made.bytes_read;
	c->prep.samples = made.samples;
	c->prep.skipped = made.skipped;
	return 0;
}

/* Gets the data that the strategy loads: the source itself, or the stored. */
static int open_data(struct subject *c, struct error *err)
{
	const struct session_plan *plan = c->session->plan;

	if (c->strategy->unprocessed) {
		c->reader = plan->source;
		c->prep.storage_bytes = plan->source->bytes;
		c->prep.samples = plan->source->samples;
		return 0;
	}
	c->dir = workdir_data(c->session->work_dir, c->strategy->label, err);
	if (!c->dir || prepare(c, err))
		return -1;
	c->stored = store_open(plan->medium, c->dir, err);
	c->reader = c->stored;
	return c->reader ? 0 : -1;
}

/* What a strategy delivers, against what unprocessed does. */
static enum equivalence compare_outputs(
    const struct subject *c, const struct outputs *outputs)
{
	const struct outputs *wanted = &c->session->reference;
	const struct pipeline *pipeline = c->session->plan->pipeline;

	if (!strategy_is_lossy(c->strategy) && outputs_equal(wanted, outputs))
		return EQUIVALENT_YES;
	return strategy_may_differ(c->strategy, pipeline) &&
	               outputs_alike(wanted, outputs)
	           ? EQUIVALENT_LOSSY
	           : EQUIVALENT_NO;
}

/* Outputs of the first trial, and from the cache, against unprocessed. */
static int note_outputs(
    struct subject *c, struct trial_result *result, struct error *err)
{
	struct session *session = c->session;
	enum equivalence equivalent = EQUIVALENT_YES;
	char text[RESULTS_LABEL + 128];

	if (c->strategy->unprocessed && !c->verified) {
		session->reference = result->outputs;
		result->outputs = (struct outputs)OUTPUTS_INIT;
	} else {
		equivalent = compare_outputs(c, &result->outputs);
	}
	if (equivalent != EQUIVALENT_YES && c->prep.equivalent != EQUIVALENT_NO)
		c->prep.equivalent = equivalent;
	if (equivalent == EQUIVALENT_NO) {
		snprintf(text, sizeof(text),
		    "%s does not give the same samples as unprocessed: it "
		    "will not be recommended",
		    c->strategy->label);
		session_warn(session, text);
	}
	c->verified = true;
	return results_set_preparation(session->results, c->id, &c->prep, err);
}

/* 1: not in the database yet, and to be measured; 0, or -1. */
static int is_missing(const struct subject *c, unsigned threads,
    enum cache_mode cache, struct error *err)
{
	int has;

	if (c->too_large && cache == CACHE_APPLICATION)
		return 0;
	has = results_has_trial(c->session->results, c->session->id,
	    c->strategy->label, threads, cache, err);
	return has < 0 ? -1 : !has;
}

static int note_trial(struct subject *c, unsigned threads,
    enum cache_mode cache, enum trial_state state, const char *why,
    struct error *err)
{
	const struct trial_row row = {
		.threads = threads,
		.cache = cache,
		.state = state,
		.message = why,
		.bottleneck = "",
	};
	const int missing = is_missing(c, threads, cache, err);

	if (missing <= 0)
		return missing;
	return results_add_trial(c->session->results, c->id, &row, err);
}

/* Trials with the application cache are skipped, whatever the threads. */
static int skip_application(struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;
	const struct error why = *err;

	session_pass_over(c->session, "skipped cache application of",
	    c->strategy->label, &why);
	for (unsigned t = 0; t < plan->thread_count; t++)
		if (note_trial(c, plan->threads[t], CACHE_APPLICATION,
		        TRIAL_SKIPPED, why.text, err))
			return -1;
	c->too_large = true;
	return 0;
}

/* Those that are sure not to fit are skipped before anything is done. */
static int check_memory(struct subject *c, struct error *err)
{
	const struct session_plan *plan = c->session->plan;
	int missing = 0;

	for (unsigned t = 0; missing == 0 && t < plan->plan->thread_count; t++)
		for (unsigned k = 0; k < plan->plan->cache_count; k++)
			if (plan->plan->caches[k] == CACHE_APPLICATION)
				missing = is_missing(c, plan->plan->threads[t],
				    CACHE_APPLICATION, err);
	if (missing <= 0)
		return missing;
	if (model_check_cache(plan->model, plan->source->samples, err) == 0)
		return 0;
	return skip_application(c, err);
}

static int run_trial(struct subject *c, unsigned threads, enum cache_mode cache,
    const struct plan *how, struct error *err)
{
	struct session *session = c->session;
	const struct session_plan *plan = session->plan;
	const struct load load = { .samples = plan->source->samples,
		.threads = threads,
		.cache = cache };
	const bool application = cache == CACHE_APPLICATION;
	const struct trial_plan trial = {
		.plan = how,
		.reader = c->reader,
		.pipeline = plan->pipeline,
		.from = c->strategy->unprocessed ? 0 : c->strategy->split,
		.threads = threads,
		.cache = cache,
		.medium = plan->medium,
		.skip_errors = plan->skip_errors,
		.cache_budget = application ? plan_cache_budget(how) : 0,
		.want_outputs = !c->verified || application,
		.stop = plan->stop,
		.progress = tell_epoch,
		.skipped = c->strategy->unprocessed && !c->verified
		               ? session_skipped
		               : NULL, /* the others leave out the same */
		.arg = session,
	};
	struct trial_result result = TRIAL_RESULT_INIT;
	int rc = -1;

	session->unit_s = session_trial_seconds(plan, c->strategy, &load) /
	                  trial_epochs(plan->plan, cache);
	snprintf(session->what, sizeof(session->what),
	    "loading %s, %u thread%s, cache %s", c->strategy->label, threads,
	    threads == 1 ? "" : "s", cache_name(cache));
	if (trial_measure(&trial, &result, err) == 0 &&
	    (!trial.want_outputs || note_outputs(c, &result, err) == 0))
		rc = how->runs == 0 ? 0 : store_trial(c, &trial, &result, err);
	else if (application && err->code == ERROR_LIMIT)
		rc = skip_application(c, err);
	trial_result_release(&result);
	return rc;
}

/* Trials of the strategy that are not in the database; -1 on error. */
static int count_missing(const struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;
	int count = 0;

	for (unsigned t = 0; t < plan->thread_count; t++)
		for (unsigned k = 0; k < plan->cache_count; k++) {
			const int missing = is_missing(
			    c, plan->threads[t], plan->caches[k], err);

			if (missing < 0)
				return -1;
			count += missing;
		}
	return count;
}

static int run_trials(struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;

	for (unsigned t = 0; t < plan->thread_count; t++)
		for (unsigned k = 0; k < plan->cache_count; k++) {
			const int missing = is_missing(
			    c, plan->threads[t], plan->caches[k], err);

			if (missing < 0 ||
			    (missing && run_trial(c, plan->threads[t],
			                    plan->caches[k], plan, err)))
				return -1;
		}
	return 0;
}

/* The trials that are missing are noted as skipped, or failed, and why. */
static int note_trials(
    struct subject *c, enum trial_state state, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;
	const struct error why = *err;

	session_pass_over(c->session,
	    state == TRIAL_SKIPPED ? "skipped" : "failed", c->strategy->label,
	    &why);
	for (unsigned t = 0; t < plan->thread_count; t++)
		for (unsigned k = 0; k < plan->cache_count; k++)
			if (note_trial(c, plan->threads[t], plan->caches[k],
			        state, why.text, err))
				return -1;
	return 0;
}

/*
 * One strategy that fails does not stop the others; but `unprocessed` does,
 * which they are compared with, and so does the user.
 */
static int note_failure(struct subject *c, struct error *err)
{
	if (c->strategy->unprocessed || err->code == ERROR_INTERRUPTED ||
	    note_trials(c, TRIAL_FAILED, err))
		return -1;
	c->session->failed++;
	return 0;
}

static int close_subject(struct subject *c, int rc, struct error *err)
{
	struct error later = ERROR_INIT;

	reader_free(c->stored);
	if (c->dir && !c->session->plan->keep &&
	    path_remove_tree(c->dir, &later) && rc == 0) {
		*err = later;
		rc = -1;
	}
	free(c->dir);
	return rc;
}

/* No trial may have been left to do but what others are compared with. */
static int measure_reference(struct subject *c, struct error *err)
{
	struct plan no_runs = *c->session->plan->plan;

	no_runs.runs = 0;
	return run_trial(c, c->session->threads, CACHE_SYSTEM, &no_runs, err);
}

int measure_strategy(
    struct session *session, const struct strategy *strategy, struct error *err)
{
	struct subject c = { .session = session, .strategy = strategy };
	const double done_before = session->done_s;
	int missing, rc = -1;

	if (add_subject(&c, err))
		return -1;
	missing = check_memory(&c, err) ? -1 : count_missing(&c, err);
	if (missing < 0)
		return -1;
	if (missing > 0 && !strategy->unprocessed && check_room(&c, err)) {
		if (err->code == ERROR_LIMIT)
			rc = note_trials(&c, TRIAL_SKIPPED, err);
		return rc;
	}
	if (missing == 0 && !strategy->unprocessed)
		rc = 0;
	else if (open_data(&c, err) == 0 && run_trials(&c, err) == 0)
		rc = c.verified ? 0 : measure_reference(&c, err);
	if (rc)
		rc = note_failure(&c, err);
	session->done_s =
	    done_before + session_strategy_seconds(session, strategy);
	return close_subject(&c, rc, err);
}
