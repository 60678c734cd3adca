/* trial_notes.c - see trial_notes.h. */
#include "strategies/session/trial_notes.h"

#include <stdio.h>

#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"
#include "strategies/trial/user_loader.h"

void trial_notes_of_yours(
    const struct measured_strategy *measured, struct trial *trial)
{
	const struct session_plan *plan = measured->session->plan;
	const struct pipeline *pipeline = plan->pipeline;
	const uint64_t samples = trial_get_result(trial)->checked.samples;
	char text[256];

	if (samples == plan->source->samples ||
	    pipeline_changes_count(pipeline, 0, pipeline->count))
		return;
	snprintf(text, sizeof(text),
	    "%s delivers %llu samples in an epoch, and this session takes "
	    "%llu: if they differ in size, so do the throughputs",
	    plan->user_loader->given, (unsigned long long)samples,
	    (unsigned long long)plan->source->samples);
	messages_note(&measured->session->messages, text);
}

/* Notes how many samples filters drop, offline and online. */
static void note_filtered(
    const struct measured_strategy *measured, struct trial *trial)
{
	const struct trial_result *result = trial_get_result(trial);
	const uint64_t filtered = measured->prep.filtered + result->filtered;

	if (!(result->traced_fraction < 1) &&
	    filtered > measured->session->filtered)
		measured->session->filtered = filtered;
}

/* Says which part of the samples a partial cache keeps. */
static void tell_partial(
    const struct measured_strategy *measured, struct trial *trial)
{
	const struct loading *loading = &trial_get_plan(trial)->loading;
	char text[RESULTS_LABEL + 256];

	if (!loading_is_partial(loading))
		return;
	snprintf(text, sizeof(text),
	    "%s, cache application: %llu samples of %s are kept "
	    "(load.cache_budget), and the others read from storage in each "
	    "epoch",
	    measured->strategy->label,
	    (unsigned long long)trial_get_result(trial)->cached_samples,
	    pipeline_name(loading->pipeline, loading->cached));
	messages_note(&measured->session->messages, text);
}

void trial_notes_of_check(
    const struct measured_strategy *measured, struct trial *trial)
{
	tell_partial(measured, trial);
	note_filtered(measured, trial);
}
