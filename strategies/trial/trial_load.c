/* trial_load.c - see trial_load.h. */
#include "strategies/trial/trial_load.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/cache.h"
#include "strategies/plan/plan.h"
#include "strategies/trial/trial.h"
#include "strategies/trial/user_loader.h"

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
	const unsigned at = loading->cached;
	const struct cache_plan how = {
		.schema = &loading->pipeline->schemas[at],
		.samples = pipeline_changes_count(
		               loading->pipeline, loading->from, at) ||
		                   loading_is_partial(loading)
		               ? 0 /* not known */
		               : plan->reader->samples,
		.budget = plan->cache_budget,
	};

	load->cache = cache_new(&how, err);
	return load->cache ? 0 : -1;
}

/* Which streams a partial cache has, and which it lacks. */
struct division {
	size_t *streams; /* owned: first those in the cache, then the others */
	size_t cached, count;
};

/*
 * Puts as many streams into the cache as the share has samples for, spread over
 * the data.
 */
static int divide(
    const struct trial_plan *plan, struct division *division, struct error *err)
{
	const struct reader *reader = plan->reader;
	/* Shares of whole streams may be rounded down a little. */
	const double room = plan->loading.share * (double)reader->samples + .5;
	const size_t most =
	    (size_t)(plan->loading.share * (double)reader->streams + 1e-6);
	size_t end = reader->streams;
	double samples = 0;

	division->count = reader->streams;
	division->streams =
	    memory_zeroed((reader->streams + 1) * sizeof(size_t), err);
	if (!division->streams)
		return -1;
	for (size_t i = 0, next = 0; i < reader->streams; i++) {
		const double more =
		    (double)reader->ops->stream_samples(reader, i);

		if (division->cached < most &&
		    i == next * reader->streams / most) {
			next++;
			if (samples + more <= room) {
				samples += more;
				division->streams[division->cached++] = i;
				continue;
			}
		}
		division->streams[--end] = i;
	}
	return 0;
}

/* Opens the third loader, and has each of the other two read its part. */
static int open_rest(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	struct division division = { .streams = NULL };
	struct loader_plan rest;
	int rc = divide(plan, &division, err);

	if (rc == 0 && division.cached == 0)
		rc = error_set(err, ERROR_LIMIT,
		    "one of %zu parts of %s needs more memory than the "
		    "application cache is allowed (load.cache_budget)",
		    division.count,
		    pipeline_name(
		        plan->loading.pipeline, plan->loading.cached));
	loading_plan_rest(&plan->loading, &rest);
	equip(plan, &rest);
	load->rest = rc ? NULL : loader_new(&rest, err);
	if (!load->rest ||
	    loader_set_streams(
	        load->filler, division.streams, division.cached, err) ||
	    loader_set_streams(load->rest, division.streams + division.cached,
	        division.count - division.cached, err))
		rc = -1;
	free(division.streams);
	return rc;
}

static int open_cached(const struct trial_plan *plan, struct trial_load *load,
    const struct loader_plan *filler, struct error *err)
{
	if (open_cache(plan, load, err))
		return -1;
	load->filler = loader_new(filler, err);
	if (!load->filler)
		return -1;
	return loading_is_partial(&plan->loading) ? open_rest(plan, load, err)
	                                          : 0;
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
		if (open_cached(plan, load, &filler, err))
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
	loader_free(load->rest);
	loader_free(load->filler);
	cache_free(load->cache);
	user_loader_close(load->user_loader);
}
