/* measured_strategy.c - see measured_strategy.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/results_write.h"
#include "lib/steps/step.h"
#include "lib/stores/store.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/prepare.h"
#include "strategies/session/duration.h"
#include "strategies/session/equivalence.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/missing_trials.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial_notes.h"
#include "strategies/session/trial_record.h"
#include "strategies/session/tuned_mode.h"
#include "strategies/trial/trial.h"
#include "strategies/trial/user_loader.h"

/* Rows of the monitor that are stored at a time. */
enum {
	SYSTEM_ROWS = 64,
	OPEN_THREADS = 256, /* threads of waiting trials, at most */
};

static void tell_epoch(void *arg)
{
	struct session *session = arg;

	messages_advance(&session->messages, 1);
}

static int add_strategy(struct measured_strategy *measured, struct error *err)
{
	struct session *session = measured->session;
	const struct session_plan *plan = session->plan;
	const struct strategy *s = measured->strategy;
	const struct reader *source = measured->source->reader;
	const struct load load = duration_preparation_load(plan, s);
	const struct prediction p = model_predict(plan->model, s, &load);
	char codec[CODEC_LABEL] = "";
	struct strategy_row row;

	if (!s->unprocessed)
		measured->data.shards = shard_count(source,
		    &plan->plan->strategies.order, s->shards, p.storage_bytes);
	row = (struct strategy_row){
		.label = s->label,
		.order = s->order,
		.split = s->unprocessed ? "unprocessed" /* that of yours, too */
		                        : pipeline_name(strategy_pipeline(
		                                            s, plan->pipeline),
		                              s->split),
		.store = s->unprocessed ? "" : s->store->name,
		.codec = s->unprocessed ? "" : codec_label(&s->codec, codec),
		.shards = measured->data.shards,
		.shards_asked = (unsigned)s->shards,
		.samples = source == plan->source ? 0 : source->samples,
		.portable = strategy_is_readable(s, NULL),
		.readable = strategy_is_readable(s, plan->plan->reader),
		.predicted_prep_s = s->yours ? -1 : p.prep_s,
		.predicted_storage_bytes = s->yours ? -1 : p.storage_bytes,
		.predicted_prep_low_s = p.low_prep_s,
		.predicted_prep_high_s = s->yours ? 0 : p.high_prep_s,
		.predicted_storage_low_bytes = p.low_storage_bytes,
		.predicted_storage_high_bytes =
		    s->yours ? 0 : p.high_storage_bytes,
	};

	return results_add_strategy(
	    session->results, session->id, &row, &measured->id, err);
}

/* Tells what is being done, and how long each of `parts` equal parts takes. */
static void announce(const struct measured_strategy *measured,
    const struct trial_plan *trial, const char *doing, double seconds,
    unsigned parts)
{
	char title[STRATEGY_TITLE], words[PLAN_MODE_WORDS];

	messages_begin(&measured->session->messages, seconds / parts,
	    "%s %s, %s", doing, strategy_title(measured->strategy, title),
	    plan_mode_words(trial->loading.plan, trial->loading.mode, words));
}

/*
 * Does it report skipped samples? Only trials that read the dataset know the
 * names that users know. A cached trial would report the same samples again.
 */
static bool finds_skipped(
    const struct measured_strategy *measured, enum cache_mode cache)
{
	return measured->strategy->unprocessed && !measured->strategy->yours &&
	       (cache != CACHE_APPLICATION ||
	           measured->session->plan->plan->load.cache_count == 1);
}

/* `whole`: all of its output is to be compared, however few threads it has. */
static struct trial_plan plan_trial(
    struct measured_strategy *measured, struct trial_mode mode, bool whole)
{
	struct session *session = measured->session;
	const struct session_plan *plan = session->plan;
	const bool application = mode.cache == CACHE_APPLICATION;
	const struct load load =
	    load_of_mode(measured->source->reader->samples, &mode);
	const struct cache_place place =
	    application ? cache_place_of(plan->model, measured->strategy, &load)
	                : (struct cache_place){ .share = 0 };
	const double epoch_s =
	    duration_of_check(plan, measured->strategy, &load);
	const struct trial *like =
	    equivalence_find_like(measured, mode, epoch_s);

	return (struct trial_plan){
		.loading.plan = plan->plan,
		.user_loader =
		    measured->strategy->yours ? plan->user_loader : NULL,
		.reader = measured->reader,
		.loading.pipeline =
		    strategy_pipeline(measured->strategy, plan->pipeline),
		.loading.from = measured->strategy->unprocessed
		                    ? 0
		                    : measured->strategy->split,
		.loading.mode = mode,
		.loading.cached = place.at,
		.loading.share = place.share,
		.medium = plan->medium,
		.drop_failed = measured->strategy->unprocessed
		                   ? &session->source.drop_failed
		                   : &measured->data.drop_failed,
		.cold_rate = measured->strategy->unprocessed
		                 ? &session->source.cold_rate
		                 : &session->work.cold_rate,
		.host.freelist = session->freelist,
		.skip_errors = plan->skip_errors,
		.cache_budget =
		    application ? cache_place_budget(plan->model) : 0,
		.check.whole =
		    whole || equivalence_wants_all(measured, mode.threads),
		.check.like = like,
		.check.epoch_s = epoch_s,
		.host.began_ns = session->times.began_ns,
		.host.base_bytes = session->memory.base,
		.host.workload = session->host.workload,
		.host.monitor = session->host.monitor,
		.target = { .label = measured->strategy->label,
		    .threads = mode.threads,
		    .cache = mode.cache },
		.stop = plan->stop,
		.progress = tell_epoch,
		.skipped =
		    finds_skipped(measured, mode.cache) ? plan->skipped : NULL,
		.arg = session,
	};
}

/* Opens a trial, with the numbers that `auto` finds for it. */
static struct trial *open_trial(struct measured_strategy *measured,
    struct trial_mode mode, bool whole, struct error *err)
{
	struct trial_plan trial = plan_trial(measured, mode, whole);

	if (mode.chosen && !measured->strategy->yours) {
		announce(measured, &trial, "tuning", 0, 1);
		if (tuned_mode_find(measured, &trial, &mode, err))
			return NULL;
		trial = plan_trial(measured, mode, whole);
	}
	return trial_open(&trial, err);
}

/* Limits the memory and threads of waiting trials. */
static void save_memory(
    const struct measured_strategy *measured, struct trial *trial)
{
	const struct session *session = measured->session;

	if (usage_resident() > session->memory.base + session->memory.waiting ||
	    usage_threads() > OPEN_THREADS)
		trial_rest(trial);
}

/* Runs the untimed epochs; 1: the application cache is too small. */
static int check_trial(
    struct measured_strategy *measured, struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	const struct load load = duration_trial_load(plan);

	announce(measured, plan, "checking",
	    duration_of_check(
	        measured->session->plan, measured->strategy, &load),
	    1);
	if (trial_check(trial, err)) {
		if (plan->loading.mode.cache != CACHE_APPLICATION ||
		    err->code != ERROR_LIMIT)
			return -1;
		return missing_trials_skip_application(
		           measured, plan->loading.mode, err)
		           ? -1
		           : 1;
	}
	if (measured->strategy->yours)
		trial_notes_of_yours(measured, trial);
	else if (equivalence_note(measured, trial, err))
		return -1;
	outputs_release(&trial_get_result(trial)->outputs);
	trial_notes_of_check(measured, trial);
	messages_advance(&measured->session->messages, 1);
	save_memory(measured, trial);
	return 0;
}

/* Opens and checks a trial, and keeps it if it is to be run. */
static int add_trial(struct measured_strategy *measured, struct trial_mode mode,
    bool keep, struct error *err)
{
	struct trial *trial;
	int rc;

	memory_room_for_load(measured, mode);
	trial = open_trial(measured, mode, !keep && !measured->proven, err);
	rc = trial ? check_trial(measured, trial, err) : -1;
	if (rc == 0 && keep)
		measured->trials[measured->trial_count++] = trial;
	else
		trial_close(trial);
	return rc < 0 ? -1 : 0;
}

static int add_trials(struct measured_strategy *measured, struct error *err)
{
	const struct plan *plan = measured->session->plan->plan;

	for (unsigned i = 0; i < plan_mode_count(plan); i++) {
		const struct trial_mode mode = plan_mode(plan, i);
		const int missing = missing_trial(measured, mode, err);

		if (missing < 0 ||
		    (missing && add_trial(measured, mode, true, err)))
			return -1;
	}
	return 0;
}

/*
 * Makes and compares all of the output if no trial did, such as when those that
 * are left to run have fewer threads: with as many threads as memory allows.
 */
static int add_comparison(struct measured_strategy *measured, struct error *err)
{
	struct trial_mode mode = { .threads = measured->session->threads,
		.cache = CACHE_SYSTEM };

	while (memory_room_check_load(measured, mode, err)) {
		if (mode.threads == 1)
			return -1;
		mode.threads--;
	}
	return add_trial(measured, mode, false, err);
}

/*
 * A strategy that fails does not stop the others. But an interruption does, and
 * so does a failure of `unprocessed`, which others are compared with.
 */
static int note_failure(struct measured_strategy *measured, struct error *err)
{
	const struct strategy *strategy = measured->strategy;

	measured->broken = err->code != ERROR_INTERRUPTED;
	if ((strategy->unprocessed && !strategy->yours) || !measured->broken ||
	    missing_trials_note(measured, TRIAL_FAILED, err))
		return -1;
	measured->session->failed++;
	measured->over = true;
	return 0;
}

int measured_strategy_name(struct measured_strategy *measured,
    struct session *session, const struct strategy *strategy, struct error *err)
{
	*measured = (struct measured_strategy){ .session = session,
		.strategy = strategy,
		.source = session_sources_find(
		    &session->sources, session->plan, strategy, err) };
	return measured->source ? add_strategy(measured, err) : -1;
}

int measured_strategy_begin(struct measured_strategy *measured,
    struct session *session, const struct strategy *strategy, struct error *err)
{
	int missing;

	if (measured_strategy_name(measured, session, strategy, err))
		return -1;
	missing = missing_trials_check_memory(measured, err)
	              ? -1
	              : missing_trials_count(measured, err);
	if (missing < 0)
		return -1;
	measured->over =
	    missing == 0 && (strategy->yours || !strategy->unprocessed);
	if (measured->over || strategy->unprocessed ||
	    (stored_data_check_room(measured, err) == 0 &&
	        memory_room_check_preparation(measured, err) == 0))
		return 0;
	return err->code == ERROR_LIMIT ? measured_strategy_skip(measured, err)
	                                : -1;
}

int measured_strategy_open(struct measured_strategy *measured,
    struct measured_strategy *others, size_t count, struct error *err)
{
	int rc;

	measured->others = others;
	measured->other_count = count;
	memory_room_for_preparation(measured);
	rc = stored_data_make(measured, others, count, err);
	if (rc == 0 && !measured->strategy->yours)
		rc = equivalence_prove(measured, others, count, err);
	if (rc == 0)
		rc = add_trials(measured, err);
	if (rc == 0 && !measured->verified && !measured->strategy->yours)
		rc = add_comparison(measured, err);
	return rc ? note_failure(measured, err) : 0;
}

int measured_strategy_more(
    struct measured_strategy *measured, struct error *err)
{
	if (missing_trials_check_memory(measured, err))
		return -1;
	return add_trials(measured, err) ? note_failure(measured, err) : 0;
}

/*
 * Stores the complete runs of a trial when the session ends early, for `why`.
 * They are valid unless the trial itself failed.
 */
static void store_rest(struct measured_strategy *measured, struct trial *trial,
    const struct error *why)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	struct trial_result *result = trial_get_result(trial);
	const unsigned made = result->runs_made;
	struct error ignored = ERROR_INIT;

	while (result->run_count > 0 &&
	       result->runs[result->run_count - 1].run > result->last_run)
		result->run_count--; /* part of an incomplete run */
	if (made == 0)
		return;
	if (measured->broken) {
		missing_trial_note(measured, plan->loading.mode, TRIAL_FAILED,
		    why->text, &ignored);
		return;
	}
	session_host_judge(
	    measured->session, measured->strategy, trial, &ignored);
	if (made < plan->loading.plan->measure.runs)
		trial_record_store(
		    measured, trial, TRIAL_INTERRUPTED, &ignored);
}

/*
 * Storing waits for the disk: only once there are enough runs, unless a search
 * is to judge by these.
 */
static int store_run(
    struct measured_strategy *measured, struct trial *trial, struct error *err)
{
	const bool enough = trial_get_result(trial)->runs_made >=
	                    trial_get_plan(trial)->loading.plan->measure.runs;

	if (!enough && !measured->session->search)
		return 0;
	return trial_record_store(
	    measured, trial, enough ? NULL : TRIAL_INTERRUPTED, err);
}

int measured_strategy_run(
    struct measured_strategy *measured, struct trial *trial, struct error *err)
{
	const struct trial_plan *plan = trial_get_plan(trial);
	const struct load load = duration_trial_load(plan);
	int rc;

	announce(measured, plan, "loading",
	    duration_of_run(measured->session->plan, measured->strategy, &load),
	    trial_epochs(plan->loading.plan, plan->loading.mode.cache));
	rc = lead_run(&measured->session->lead, trial, measured->data.dir, err);
	if (rc == 0)
		rc = store_run(measured, trial, err);
	if (rc == 0)
		rc = monitor_flush(measured->session->host.monitor, SYSTEM_ROWS,
		    measured->session->results, measured->session->id, err);
	save_memory(measured, trial);
	if (rc && measured->session->plan->together.meeting)
		return -1; /* the others cannot go on, either */
	return rc ? note_failure(measured, err) : 0;
}

int measured_strategy_end_trial(struct measured_strategy *measured,
    struct trial *trial, const char *ended, struct error *err)
{
	if (measured->over)
		return 0;
	if (session_host_judge(
	        measured->session, measured->strategy, trial, err))
		return -1;
	return trial_record_store(measured, trial, ended, err);
}

int measured_strategy_skip(
    struct measured_strategy *measured, struct error *err)
{
	measured->over = true;
	return missing_trials_note(measured, TRIAL_SKIPPED, err);
}

int measured_strategy_close(
    struct measured_strategy *measured, int rc, struct error *err)
{
	struct error later = ERROR_INIT;

	for (unsigned i = 0; i < measured->trial_count; i++) {
		if (rc && !measured->over)
			store_rest(measured, measured->trials[i], err);
		else if (rc == 0)
			rc = lead_close(
			    &measured->session->lead, measured->trials[i], err);
		trial_close(measured->trials[i]);
	}
	if (stored_data_release(
	        &measured->data, !measured->session->plan->keep, &later) &&
	    rc == 0) {
		*err = later;
		rc = -1;
	}
	outputs_release(&measured->stored_hashes);
	/* It may be among the others of a strategy that begins later. */
	measured->reader = NULL;
	measured->trial_count = 0;
	measured->over = true;
	return rc;
}
