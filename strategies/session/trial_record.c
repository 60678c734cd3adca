/* trial_record.c - see trial_record.h. */
#include "strategies/session/trial_record.h"

#include <string.h>

#include "lib/base/clock.h"
#include "lib/db/derived.h"
#include "lib/db/results_write.h"
#include "lib/steps/step.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/search/prospect.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/bottleneck.h"
#include "strategies/trial/trial.h"

static const uint64_t derive_every_ns = 10000000000;

enum { STEP_ROWS = PIPELINE_STEPS + 3 };

static struct step_row step_row(const char *name, const char *step,
    const struct activity_cost *cost, uint64_t samples)
{
	return (struct step_row){
		.name = name,
		.step = step,
		.cpu_ns = cost->cpu_ns,
		.samples = samples,
		.calls = cost->calls,
		.bytes_in = cost->bytes_in,
		.bytes_out = cost->bytes_out,
	};
}

/* Makes rows of unpacking, parsing, online steps and copying. */
static size_t step_rows(const struct trial_plan *trial,
    const struct trial_result *result, struct step_row rows[STEP_ROWS])
{
	const struct pipeline *pipeline = trial->loading.pipeline;
	const struct loader_trace *trace = &result->trace;
	const uint64_t n = trace->chain.samples;
	struct activity_cost unpack = trace->unpack;
	size_t count = 0;

	unpack.cpu_ns += trace->chain.codec.cpu_ns;
	if (trial->user_loader)
		return 0;
	rows[count++] = step_row("unpack", trial->reader->codec, &unpack, n);
	rows[count++] = step_row("parse", "", &trace->parse, n);
	for (unsigned i = loading_from(&trial->loading); i < pipeline->count;
	     i++)
		rows[count++] = step_row(pipeline->steps[i].name,
		    pipeline->steps[i].ops->name, &trace->chain.steps[i], n);
	rows[count++] = step_row("copy", "", &trace->chain.copy, n);
	return count;
}

/*
 * Brings derived rows up to date for others who look at the database: from
 * time to time, since each time all trials are ranked anew.
 */
static int derive_now_and_then(struct session *session, struct error *err)
{
	const uint64_t now = clock_now(&clock_monotonic);

	if (now < session->times.derived_ns + derive_every_ns)
		return 0;
	session->times.derived_ns = now;
	return results_derive(session->results, session->id, err);
}

static int add(const struct measured_strategy *measured,
    const struct trial_row *row, struct error *err)
{
	struct session *session = measured->session;
	int rc = results_add_trial(session->results, measured->id, row, err);

	if (rc == 0)
		rc = derive_now_and_then(session, err);
	messages_warn_moved(&session->messages, session->results);
	return rc;
}

void trial_record_set_load(const struct measured_strategy *measured,
    const struct trial_mode *mode, struct trial_row *row)
{
	const struct session_plan *plan = measured->session->plan;
	const struct pipeline *pipeline =
	    strategy_pipeline(measured->strategy, plan->pipeline);
	const struct trial_mode whole = plan_complete_mode(plan->plan, *mode);
	const struct load load =
	    load_of_mode(measured->source->reader->samples, &whole);

	row->threads = whole.threads;
	row->cache = whole.cache;
	row->place = "";
	if (whole.cache == CACHE_APPLICATION)
		row->place = pipeline_name(pipeline,
		    cache_place_of(plan->model, measured->strategy, &load).at);
	row->fetchers = whole.fetchers;
	row->read_ahead = whole.read_ahead;
	row->shuffle = whole.shuffle;
	row->batch = whole.batch;
	row->chosen = whole.chosen;
}

/* The cores that other programs and machines used in its runs. */
static double cores_of_others(const struct trial_result *result)
{
	double others_ns = 0, wall_ns = 0;

	for (size_t i = 0; i < result->run_count; i++) {
		const struct run_row *row = &result->runs[i];

		if (row->warmup)
			continue;
		others_ns +=
		    (double)row->cores.others_ns + (double)row->cores.stolen_ns;
		wall_ns += (double)row->wall_ns;
	}
	return wall_ns > 0 && others_ns > 0 ? others_ns / wall_ns : 0;
}

int trial_record_store(const struct measured_strategy *measured,
    struct trial *of, const char *ended, struct error *err)
{
	struct session *session = measured->session;
	const struct trial_plan *trial = trial_get_plan(of);
	const struct trial_result *result = trial_get_result(of);
	/* Events are many: they are stored once, with the last run. */
	const bool is_final = ended && strcmp(ended, TRIAL_INTERRUPTED) != 0;
	struct load load = load_of_mode(
	    measured->source->reader->samples, &trial->loading.mode);
	struct prediction predicted = { .samples_per_s = 0 };
	struct step_row steps[STEP_ROWS];
	struct bottleneck bottleneck;
	struct trial_row row = {
		.state = TRIAL_DONE,
		.message = "",
		.bottleneck = bottleneck.word,
		.evidence = bottleneck.evidence,
		.ended = ended,
		.cache_bytes = result->cache_bytes,
		.peak_rss_bytes = result->peak_rss_bytes,
		.rounds_ns = session->times.rounds_ns,
		.runs = result->runs,
		.run_count = result->run_count,
		.steps = steps,
		.hosts = result->hosts.rows,
		.host_count = result->hosts.count,
	};

	if (is_final)
		row.events = result->events;
	load.others = cores_of_others(result);
	/* The forecast is for one host. */
	if (!trial->user_loader && !result->hosts.count)
		predicted = model_predict(
		    session->plan->model, measured->strategy, &load);
	row.predicted_samples_per_s = predicted.samples_per_s;
	row.predicted_low = predicted.low_samples_per_s;
	row.predicted_high = predicted.high_samples_per_s;
	trial_record_set_load(measured, &trial->loading.mode, &row);
	if (trial->loading.mode.cache == CACHE_NONE &&
	    result->residency.cold != COLD_NONE)
		row.cold = cold_name(result->residency.cold);
	memcpy(row.phases, result->trace.phases, sizeof(row.phases));
	memcpy(row.levels, result->partial.rows, sizeof(row.levels));
	partial_epochs_whole(result, trial, &row.levels[EXTENT_ALL]);
	bottleneck_find(trial, result, session->host.machine.cores,
	    model_ceilings(session->plan->model, measured->strategy),
	    &bottleneck);
	row.step_count = step_rows(trial, result, steps);
	if (add(measured, &row, err))
		return -1;
	return is_final && session->plan->plan->measure.trace == PLAN_TRACE_BEST
	           ? results_keep_best_events(
	                 session->results, session->id, err)
	           : 0;
}

int trial_record_store_unmade(const struct measured_strategy *measured,
    struct trial_mode mode, enum trial_state state, const char *why,
    struct error *err)
{
	struct trial_row row = {
		.state = state,
		.message = why,
		.bottleneck = "",
	};

	trial_record_set_load(measured, &mode, &row);
	return add(measured, &row, err);
}

int trial_record_store_left_out(const struct measured_strategy *measured,
    const struct prospect *prospect, struct error *err)
{
	const struct throughput *expected = &prospect->expected.throughput;
	struct trial_row row = {
		.state = TRIAL_SKIPPED,
		.message = prospect->why,
		.bottleneck = "",
		.ended =
		    prospect->state == PROSPECT_RULED_OUT ? "ruled out" : NULL,
		.predicted = true,
		.predicted_samples_per_s =
		    measured->strategy->yours || !prospect_is_forecast(prospect)
		        ? 0
		        : expected->median,
		.bound_samples_per_s = prospect->bound_samples_per_s,
	};

	if (prospect->low_samples_per_s > 0) {
		row.predicted_low = prospect->low_samples_per_s;
		row.predicted_high = prospect->high_samples_per_s;
	}

	trial_record_set_load(measured, &prospect->mode, &row);
	return add(measured, &row, err);
}
