/* offload_facts.c - see offload_facts.h. */
#include "strategies/whatif/offload_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "strategies/figures/work.h"

static void add_place(
    struct offload_facts *facts, const char *name, double cpu_s, double bytes)
{
	struct offload_place *place;

	/* A step that did not run by itself has no bytes of its own. */
	if (facts->count == OFFLOAD_POINTS || !*name || !(bytes > 0))
		return;
	place = &facts->places[facts->count];
	place->cpu_s = fmin(cpu_s, facts->all_s);
	place->bytes = bytes;
	snprintf(place->name, sizeof(place->name), "%s", name);
	facts->count++;
}

bool offload_facts_make(struct offload_facts *facts, const char *first,
    const struct trial_work *trial, const struct session_work *work)
{
	const double samples = trial->traced_samples;
	const double scale = trial->cpu_s / trial->traced_cpu_s;
	double before_s = trial->activity_cpu_s[ACTIVITY_FETCH];

	*facts = (struct offload_facts){ .all_s = trial->cpu_s,
		.samples_per_s = trial->samples_per_s,
		.alone = trial->samples_per_s,
		.capacity = trial->samples_per_s };
	if (!(samples > 0) || !isfinite(scale) || !(facts->samples_per_s > 0))
		return false;
	for (size_t i = 0; i < work->step_count; i++) {
		const struct step_work *step = &work->steps[i];
		const double bytes = step->bytes_out / samples;

		if (!figures_same_trial(&step->trial, &trial->trial))
			continue;
		before_s += step->cpu_s / samples * scale;
		if (strcmp(step->name, "parse") == 0)
			add_place(facts, first, before_s, bytes);
		else if (*step->step && strcmp(step->name, "unpack") != 0)
			add_place(facts, step->name, before_s, bytes);
	}
	return true;
}

void offload_use_idle(struct offload_facts *facts, double threads, double cores,
    double others_cores, bool waits_for_storage)
{
	const double left =
	    cores - (waits_for_storage ? 0 : fmax(others_cores, 0));

	if (!waits_for_storage && !(threads < cores))
		return;
	facts->capacity = fmax(facts->capacity, left / facts->all_s);
	if (!waits_for_storage)
		facts->alone = facts->capacity;
}
