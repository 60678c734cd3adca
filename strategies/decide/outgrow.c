/* outgrow.c - see outgrow.h. */
#include "strategies/decide/outgrow.h"

#include <math.h>
#include <string.h>

#include "strategies/decide/rank.h"
#include "strategies/figures/candidate.h"

static const struct candidate *find_cold(
    const struct ranking *ranking, const struct candidate *c)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *other = &ranking->list[i];

		if (!candidate_is_cached(other) &&
		    other->trial.throughput.median > 0 &&
		    strcmp(other->trial.strategy, c->trial.strategy) == 0 &&
		    other->trial.threads == c->trial.threads)
			return other;
	}
	return NULL;
}

void ranking_look_at_memory(
    struct ranking *ranking, const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];
		const struct candidate *cold;

		/* Without a size of the memory the report decides. */
		if (!isnan(request->memory_bytes))
			c->full.outgrows_memory = candidate_full_kept_bytes(c) >
			                          request->memory_bytes;
		if (!c->full.outgrows_memory)
			continue;
		cold = find_cold(ranking, c);
		c->full.throughput = cold ? cold->trial.throughput.median
		                     : isnan(c->trial.throughput.first_epoch)
		                         ? c->trial.throughput.median
		                         : c->trial.throughput.first_epoch;
	}
}
