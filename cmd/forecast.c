/* forecast.c - see forecast.h. */
#include <string.h>

#include "cmd/forecast.h"
#include "lib/base/units.h"
#include "strategies/session.h"

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err)
{
	const unsigned threads = plan_most_threads(plan->plan);
	const unsigned trials =
	    plan->plan->thread_count * plan->plan->cache_count;
	char size[UNITS_TEXT], prep[UNITS_TEXT], rate[UNITS_TEXT];

	(void)err;
	fprintf(out, "%-34s %12s %12s %12s\n", "STRATEGY", "STORAGE",
	    "PREPARATION", "SAMPLES/S");
	for (size_t i = 0; i < plan->strategies->count; i++) {
		const struct strategy *s = &plan->strategies->list[i];
		const struct prediction p = model_predict(plan->model, s,
		    &(struct load){ .samples = plan->source->samples,
		        .threads = threads,
		        .cache = plan->plan->caches[0] });

		fprintf(out, "%-34s %12s %12s %12s\n", s->label,
		    units_bytes(p.storage_bytes, size),
		    s->unprocessed ? "-" : units_time(p.prep_s, prep),
		    units_number(p.samples_per_s, rate));
	}
	fprintf(out,
	    "\npredicted from %u samples, for %llu samples on %u thread%s\n"
	    "%zu strategies, each loaded in %u way%s: about %s, and at most "
	    "%s of disk at a time\n",
	    plan->model->samples, (unsigned long long)plan->source->samples,
	    threads, threads == 1 ? "" : "s", plan->strategies->count, trials,
	    trials == 1 ? "" : "s", units_time(session_seconds(plan), prep),
	    units_bytes(session_disk_bytes(plan), size));
	return 0;
}
