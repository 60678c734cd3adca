/* searched.c - see searched.h. */
#include "strategies/search/searched.h"

#include <math.h>

#include "strategies/decide/rank.h"

static bool is_closer(const struct ranking *ranking, const struct candidate *c,
    const struct candidate *than)
{
	return c->trial.cache == ranking->cache &&
	       (!than || c->trial.search.bound_samples_per_s >
	                     than->trial.search.bound_samples_per_s);
}

struct searched searched_find(const struct ranking *ranking)
{
	struct searched found = { .closest = NULL };

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		found.measured += c->trial.state == TRIAL_DONE;
		if (!c->trial.search.predicted)
			continue;
		found.ruled_out += c->trial.search.ruled_out;
		found.open += !c->trial.search.ruled_out;
		if (c->trial.search.ruled_out &&
		    is_closer(ranking, c, found.closest))
			found.closest = c;
	}
	return found;
}

/* Both NAN, or the same. */
static bool is_same(double a, double b)
{
	return isnan(a) ? isnan(b) : a >= b && a <= b;
}

bool searched_for(const struct request *a, const struct request *b)
{
	return a->objective == b->objective && is_same(a->epochs, b->epochs) &&
	       is_same(a->min_throughput, b->min_throughput) &&
	       is_same(a->max_storage_bytes, b->max_storage_bytes) &&
	       is_same(a->max_prep_s, b->max_prep_s) && a->lossy == b->lossy;
}
