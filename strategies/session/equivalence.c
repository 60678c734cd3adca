/*
 * equivalence.c - see measured_strategy.h: does a strategy deliver the same
 * samples as unprocessed?
 */
#include <stdio.h>

#include "lib/base/error.h"
#include "strategies/plan/plan.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/partial_epochs.h"
#include "strategies/session/stored_hashes.h"

/* What it delivers, or a part of it, against what unprocessed does. */
static enum equivalence compare_outputs(
    const struct subject *c, const struct trial_result *result)
{
	const struct outputs *wanted = &c->session->expected;
	const struct outputs *outputs = &result->outputs;
	const struct pipeline *pipeline = c->session->plan->pipeline;

	/* Only of data that is the same as another's: the rest of it is. */
	if (result->traced_share < 1)
		return outputs_within(outputs, wanted) ? EQUIVALENT_YES
		                                       : EQUIVALENT_NO;
	if (!strategy_is_lossy(c->strategy) && outputs_equal(wanted, outputs))
		return EQUIVALENT_YES;
	return strategy_may_differ(c->strategy, pipeline) &&
	               outputs_alike(wanted, outputs)
	           ? EQUIVALENT_LOSSY
	           : EQUIVALENT_NO;
}

int subject_note_outputs(
    struct subject *c, struct trial *trial, struct error *err)
{
	struct session *session = c->session;
	struct trial_result *result = trial_get_result(trial);
	enum equivalence equivalent = EQUIVALENT_YES;
	char text[RESULTS_LABEL + 128];

	if (c->strategy->unprocessed && !c->verified) {
		session->expected = result->outputs;
		result->outputs = (struct outputs)OUTPUTS_INIT;
	} else if (trial_get_plan(trial)->check.want_outputs) {
		equivalent = compare_outputs(c, result);
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

/* ---- what was shown of another one's data ---- */

const struct trial *subject_like(const struct subject *c, unsigned threads,
    enum cache_mode cache, double epoch_s)
{
	const struct subject *framed = c->framed;

	if (partial_epochs_share(epoch_s) >= 1)
		return NULL;
	for (unsigned i = 0; framed && i < framed->trial_count; i++) {
		const struct trial_plan *plan =
		    trial_get_plan(framed->trials[i]);

		if (plan->loading.threads == threads &&
		    plan->loading.cache == cache && cache != CACHE_APPLICATION)
			return framed->trials[i];
	}
	return NULL;
}

static unsigned split_of(const struct strategy *strategy)
{
	return strategy->unprocessed ? 0 : strategy->split;
}

/* Do the same steps follow, and was it shown what they deliver? */
static bool is_like(const struct subject *c, const struct subject *other)
{
	return other->reader && !other->over && other->verified &&
	       other->prep.equivalent == EQUIVALENT_YES &&
	       split_of(other->strategy) == split_of(c->strategy) &&
	       !other->reader->decode;
}

/* The one whose inputs are known, or else the first. */
static struct subject *find_like(
    const struct subject *c, struct subject *others, size_t count)
{
	struct subject *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (is_like(c, &others[i]) &&
		    (!found || (!found->stored_hashes.list &&
		                   others[i].stored_hashes.list)))
			found = &others[i];
	return found;
}

/* What it gives the steps, if that is not known yet. */
static int read_stored_hashes(struct subject *c, struct error *err)
{
	struct session *session = c->session;
	const struct stored_hashes_plan how = {
		.plan = session->plan->plan,
		.reader = c->reader,
		.pipeline = session->plan->pipeline,
		.split = split_of(c->strategy),
		.threads = session->threads,
		.medium = session->plan->medium,
		.stop = session->plan->stop,
	};

	return c->stored_hashes.list
	           ? 0
	           : stored_hashes_read(&how, &c->stored_hashes, err);
}

int subject_prove(
    struct subject *c, struct subject *others, size_t count, struct error *err)
{
	struct session *session = c->session;
	const struct load load = { .samples = c->reader->samples,
		.threads = session->threads,
		.cache = CACHE_SYSTEM };
	struct subject *like = find_like(c, others, count);
	int rc;

	if (c->proven || !like || c->reader->decode ||
	    !stored_hashes_save_time(session->plan->model, c->strategy, &load))
		return 0;
	monitor_begin(session->monitor, "check",
	    &(struct monitor_target){ .label = c->strategy->label }, 0);
	rc = read_stored_hashes(c, err);
	if (rc == 0)
		rc = read_stored_hashes(like, err);
	monitor_end(session->monitor);
	c->proven =
	    rc == 0 && outputs_equal(&c->stored_hashes, &like->stored_hashes);
	/* Those that follow are compared with the one that is kept. */
	outputs_release(&c->stored_hashes);
	return rc;
}
