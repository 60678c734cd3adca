/* trial_load.c - see trial_load.h. */
#include "strategies/session/trial_load.h"

#include "lib/loader/cache.h"
#include "strategies/plan/plan.h"
#include "strategies/session/trial.h"
#include "strategies/session/user_loader.h"

/* Sets what a loader gets from the trial, apart from how it loads. */
static void equip(const struct trial_plan *plan, struct loader_plan *loader)
{
	loader->reader = plan->reader;
	loader->medium = plan->medium;
	loader->skip_errors = plan->skip_errors;
	loader->skipped = plan->skipped;
	loader->stop = plan->stop;
	loader->freelist = plan->host.freelist;
}

static int open_cache(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	const struct loading *loading = &plan->loading;
	const unsigned at = loading_from(loading);
	const struct cache_plan how = {
		.schema = &loading->pipeline->schemas[at],
		.samples =
		    pipeline_makes_many(loading->pipeline, loading->from, at)
		        ? 0 /* not known */
		        : plan->reader->samples,
		.budget = plan->cache_budget,
	};

	load->cache = cache_new(&how, err);
	return load->cache ? 0 : -1;
}

int trial_load_open(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	struct loader_plan filler, loader;

	if (plan->user_loader) {
		load->user_loader = user_loader_open(plan->user_loader,
		    plan_complete_mode(plan->loading.plan, plan->loading.mode)
		        .batch,
		    plan->loading.mode.threads, err);
		return load->user_loader ? 0 : -1;
	}
	loading_plan(&plan->loading, &filler, &loader);
	equip(plan, &filler);
	equip(plan, &loader);
	if (plan->loading.mode.cache == CACHE_APPLICATION) {
		if (open_cache(plan, load, err))
			return -1;
		load->filler = loader_new(&filler, err);
		if (!load->filler)
			return -1;
		loader.reader = cache_reader(load->cache);
		loader.medium = NULL;
	}
	load->loader = loader_new(&loader, err);
	return load->loader ? 0 : -1;
}

void trial_load_close(struct trial_load *load)
{
	loader_free(load->loader);
	loader_free(load->filler);
	cache_free(load->cache);
	user_loader_close(load->user_loader);
}
