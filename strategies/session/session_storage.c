/* session_storage.c - see session_state.h: what the storage can do. */
#include <stdio.h>

#include "lib/base/error.h"
#include "strategies/session/session_state.h"

/* What it writes at most. */
enum { PROBE_DISK = 256000000 };

/* Seconds that measuring may take: a small part of what is to follow. */
static double seconds_for(const struct session *session)
{
	const double budget_s = session->plan->plan->measure.budget_s;
	double all_s = session->all_s;

	if (budget_s > 0 && budget_s < all_s)
		all_s = budget_s;
	return all_s < 40 ? 0.05 * all_s : 2;
}

int session_learn_ceilings(struct session *session, struct error *err)
{
	const struct session_plan *plan = session->plan;
	struct error why = ERROR_INIT;
	char text[sizeof(why.text) + 64];
	bool cold = false;

	for (unsigned i = 0; i < plan->plan->load.cache_count; i++)
		cold |= plan->plan->load.caches[i] == CACHE_NONE;
	if (!cold || !plan->plan->measure.probe || plan_emulates(plan->plan) ||
	    (plan->max_disk && plan->max_disk < PROBE_DISK))
		return 0;
	snprintf(session->what, sizeof(session->what), "measuring the storage");
	session_tell(session, 0);
	if (ceilings_of(session->results, session->work_dir,
	        plan_most_threads(plan->plan), seconds_for(session), plan->stop,
	        &plan->model->stored_ceilings, &why)) {
		if (why.code == ERROR_INTERRUPTED) {
			*err = why;
			return -1;
		}
		snprintf(text, sizeof(text), "the storage was not measured: %s",
		    why.text);
		session_warn(session, text);
	}
	return ceilings_read(session->results, plan->dataset,
	    &plan->model->source_ceilings, err);
}
