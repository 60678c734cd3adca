/* equivalence.c - see equivalence.h. */
#include "strategies/session/equivalence.h"

#include <stdio.h>

#include "lib/base/error.h"
#include "lib/db/results_write.h"
#include "lib/stores/frames.h"
#include "strategies/plan/plan.h"
#include "strategies/session/changes.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/partial_epochs.h"
#include "strategies/trial/stored_hashes.h"
#include "strategies/trial/trial.h"

/* Words of preparation_row.verified. */
static const char evidence_all[] = "all", evidence_part[] = "part",
                  evidence_stored[] = "stored";

static bool is_whole(const struct trial_result *result)
{
	return !(result->traced_fraction < 1);
}

bool equivalence_wants_all(
    const struct measured_strategy *measured, unsigned threads)
{
	const struct session *session = measured->session;

	if (session->plan->plan->measure.verify_all)
		return true;
	return !measured->verified && !measured->proven &&
	       (measured->strategy->unprocessed || threads >= session->threads);
}

/* Compares the output, or a part of it, with that of unprocessed. */
static enum equivalence compare_outputs(
    const struct measured_strategy *measured, const struct trial_result *result)
{
	const struct outputs *wanted = &measured->source->expected;
	const struct outputs *outputs = &result->outputs;
	const struct pipeline *given = measured->session->plan->pipeline;
	const bool whole = is_whole(result);

	if (!strategy_is_lossy(measured->strategy) &&
	    (whole ? outputs_equal(outputs, wanted)
	           : outputs_within(outputs, wanted)))
		return EQUIVALENT_YES;
	if (strategy_may_differ(measured->strategy, given) &&
	    (whole ? outputs_alike(outputs, wanted)
	           : outputs_alike_within(outputs, wanted)))
		return EQUIVALENT_LOSSY;
	return EQUIVALENT_NO;
}

/* Keeps the most that was compared in a trial. */
static void note_evidence(
    struct measured_strategy *measured, const struct trial_result *result)
{
	const char **verified = &measured->prep.verified;

	if (measured->strategy->unprocessed || *verified == evidence_all)
		return; /* the output of unprocessed is the one to compare */
	if (is_whole(result))
		*verified = evidence_all;
	else if (result->outputs.count > 0)
		*verified = evidence_part;
	else if (!*verified)
		*verified = evidence_stored;
}

/* Keeps the worst result of a trial, and warns when it is no longer equal. */
static void note_result(struct measured_strategy *measured,
    const struct trial_plan *trial, enum equivalence equivalent)
{
	struct preparation_row *prep = &measured->prep;
	char text[RESULTS_LABEL + 128];

	if (equivalent == EQUIVALENT_YES || prep->equivalent == EQUIVALENT_NO)
		return;
	prep->equivalent = equivalent;
	if (equivalent != EQUIVALENT_NO)
		return;
	snprintf(text, sizeof(text),
	    "%s does not give the same samples as unprocessed, loaded by %u "
	    "thread%s: it will not be recommended",
	    measured->strategy->label, trial->loading.mode.threads,
	    trial->loading.mode.threads == 1 ? "" : "s");
	messages_warn(&measured->session->messages, text);
}

/* Measures once how much a lossy strategy changes the data. */
static int note_changes(struct measured_strategy *measured, struct error *err)
{
	struct preparation_row *prep = &measured->prep;

	if (prep->equivalent != EQUIVALENT_LOSSY || prep->has_difference ||
	    measured->strategy->unprocessed)
		return 0;
	return changes_measure(
	    measured->session->plan, measured->strategy, prep, err);
}

int equivalence_note(
    struct measured_strategy *measured, struct trial *trial, struct error *err)
{
	struct session *session = measured->session;
	struct trial_result *result = trial_get_result(trial);

	if (measured->strategy->unprocessed && !measured->verified) {
		measured->source->expected = result->outputs;
		result->outputs = (struct outputs)OUTPUTS_INIT;
	} else {
		note_result(measured, trial_get_plan(trial),
		    compare_outputs(measured, result));
		note_evidence(measured, result);
		if (note_changes(measured, err))
			return -1;
	}
	measured->verified |= measured->proven || is_whole(result);
	return results_set_preparation(
	    session->results, measured->id, &measured->prep, err);
}

/* ---- proof by another strategy ---- */

const struct trial *equivalence_find_like(
    const struct measured_strategy *measured, struct trial_mode mode,
    double epoch_s)
{
	const struct measured_strategy *framed = measured->framed;

	if (partial_epochs_fraction(epoch_s) >= 1)
		return NULL;
	for (unsigned i = 0; framed && i < framed->trial_count; i++) {
		const struct trial_plan *plan =
		    trial_get_plan(framed->trials[i]);

		if (plan->loading.mode.number == mode.number &&
		    plan->loading.mode.threads == mode.threads &&
		    mode.cache != CACHE_APPLICATION)
			return framed->trials[i];
	}
	return NULL;
}

static unsigned split_of(const struct strategy *strategy)
{
	return strategy->unprocessed ? 0 : strategy->split;
}

/* Has `other` the same online steps, and was its output verified? */
static bool is_like(const struct measured_strategy *measured,
    const struct measured_strategy *other)
{
	return other->source == measured->source && other->reader &&
	       !other->over && other->verified &&
	       other->prep.equivalent == EQUIVALENT_YES &&
	       other->strategy->pipeline == measured->strategy->pipeline &&
	       split_of(other->strategy) == split_of(measured->strategy) &&
	       !other->reader->decode;
}

/* Finds such a strategy; one whose stored hashes are known is preferred. */
static struct measured_strategy *find_like(
    const struct measured_strategy *measured, struct measured_strategy *others,
    size_t count)
{
	struct measured_strategy *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (is_like(measured, &others[i]) &&
		    (!found || (!found->stored_hashes.list &&
		                   others[i].stored_hashes.list)))
			found = &others[i];
	return found;
}

/* Hashes its stored samples, unless that was done. */
static int read_stored_hashes(
    struct measured_strategy *measured, struct error *err)
{
	struct session *session = measured->session;
	const struct stored_hashes_plan how = {
		.plan = session->plan->plan,
		.reader = measured->reader,
		.pipeline = strategy_pipeline(
		    measured->strategy, session->plan->pipeline),
		.split = split_of(measured->strategy),
		.threads = session->threads,
		.medium = session->plan->medium,
		.stop = session->plan->stop,
	};

	return measured->stored_hashes.list
	           ? 0
	           : stored_hashes_read(&how, &measured->stored_hashes, err);
}

static int prove_by_hashes(struct measured_strategy *measured,
    struct measured_strategy *like, struct error *err)
{
	int rc = read_stored_hashes(measured, err);

	if (rc == 0)
		rc = read_stored_hashes(like, err);
	measured->proven = rc == 0 && outputs_equal(&measured->stored_hashes,
	                                  &like->stored_hashes);
	/* Later strategies are compared with the one that keeps its hashes. */
	outputs_release(&measured->stored_hashes);
	return rc;
}

int equivalence_prove(struct measured_strategy *measured,
    struct measured_strategy *others, size_t count, struct error *err)
{
	struct session *session = measured->session;
	const struct measured_strategy *framed = measured->framed;
	const struct load load = { .samples = measured->reader->samples,
		.threads = session->threads,
		.cache = CACHE_SYSTEM };
	struct measured_strategy *like = find_like(measured, others, count);
	int rc;

	if (measured->proven || session->plan->plan->measure.verify_all ||
	    !like || measured->reader->decode ||
	    !stored_hashes_save_time(
	        session->plan->model, measured->strategy, &load))
		return 0;
	monitor_begin(session->host.monitor, "check",
	    &(struct monitor_target){ .label = measured->strategy->label }, 0);
	rc = framed && is_like(measured, framed)
	         ? frames_compare(
	               measured->reader, framed->reader, &measured->proven, err)
	         : prove_by_hashes(measured, like, err);
	monitor_end(session->host.monitor);
	return rc;
}
