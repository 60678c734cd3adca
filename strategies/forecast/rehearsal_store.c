/* rehearsal_store.c - see rehearsal_store.h. */
#include "strategies/forecast/rehearsal_store.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/shard_count.h"

enum {
	SLOW_LEAST = 8, /* samples of an epoch, even where they take long */
	TURNS = 4,      /* shards for each thread, so that all end together */
};

/* The samples of an epoch take a thread no longer than this, about. */
static const double slow_s = 0.05;
/* A shard takes a thread so long that beginning it takes no part of that. */
static const double shard_s = 1e-3;

struct loading rehearsal_loading(
    const struct rehearsal *rehearsal, unsigned from, enum cache_mode cache)
{
	return (struct loading){
		.plan = rehearsal->model->plan,
		.pipeline = rehearsal->model->pipeline,
		.from = from,
		.mode = { .cache = cache },
		.cached = pipeline_last_split(rehearsal->model->pipeline),
		.share = 1,
	};
}

/*
 * Time of a thread for a sample of the representation, about.  Behind the last
 * step, a stored sample is only copied, which takes next to no time; what the
 * pilot took for all steps would leave so few samples that they stay in the
 * caches of the processor, as those of an epoch do not.
 */
static double sample_seconds(const struct model *model, unsigned rep)
{
	const struct pipeline *pipeline = model->pipeline;
	const bool only_copies = rep > 0 && rep == pipeline->count;
	bool waits = model->online_s[rep] <= 0 && !only_copies;

	for (unsigned i = rep; i < pipeline->count; i++)
		waits |= pipeline->steps[i].ops->own != NULL;
	return waits ? model->pilot_s
	             : model->online_s[rep] / fmax(model->many[rep], 1e-9);
}

double rehearsal_most_samples(const struct rehearsal *rehearsal, unsigned rep)
{
	const struct model *model = rehearsal->model;
	const double many = fmax(model->many[rep], 1e-9);
	double bytes = 1;

	for (unsigned i = rep; i <= model->pipeline->count; i++)
		bytes = fmax(bytes, model->field_bytes[i] / many);
	return fmin(
	    fmax(slow_s / fmax(sample_seconds(model, rep), 1e-9), SLOW_LEAST),
	    fmax(rehearsal->room / bytes, 1));
}

void rehearsal_plan_shards(const struct rehearsal *rehearsal, unsigned rep,
    double bytes, double most, struct memory_store_plan *plan)
{
	const struct model *model = rehearsal->model;
	const struct held_rep *held = &rehearsal->held->reps[rep];
	const double all = (double)rehearsal->samples * model->many[rep];
	const double shards =
	    shard_count(model->source, &model->plan->strategies.order,
	        model->plan->strategies.shards.values[0],
	        bytes * (double)rehearsal->samples);
	const double each = (double)held->bytes / (double)held->count;
	double samples = fmin(all, most / fmax(each, 1));

	samples = fmax(samples, fmin((double)held->count, HELD_LEAST));
	samples = fmin(samples, rehearsal_most_samples(rehearsal, rep));
	plan->samples = (uint64_t)fmax(samples, 1);
	plan->shards = (unsigned)fmax(
	    round(shards * (double)plan->samples / fmax(all, 1)), 1);
}

/*
 * A long epoch has many chunks for each thread.  A short one of few shards may
 * have fewer chunks than threads, and then some threads would do nothing: it
 * gets more shards, unless samples take so little time that the shards would
 * count.
 */
static void balance_shards(const struct rehearsal *rehearsal,
    const struct rehearsed *what, struct memory_store_plan *how)
{
	const struct model *model = rehearsal->model;
	const double many = fmax(model->many[what->rep], 1e-9);
	const double samples = (double)how->samples;
	const double each = (double)how->held->bytes / (double)how->held->count;
	const double decode_s =
	    model->packing[what->rep][what->store][what->codec].decode_s;
	const double alone_s =
	    samples * (sample_seconds(model, what->rep) + decode_s / many);
	const double chunks = samples * each / STORE_BLOCK;
	double wanted = (double)TURNS * plan_most_threads(model->plan);

	if (samples >= (double)rehearsal->samples * many || chunks >= wanted)
		return;
	wanted = fmin(fmin(wanted, samples), alone_s / shard_s);
	if (wanted > how->shards)
		how->shards = (unsigned)wanted;
}

/*
 * How many samples of the source the stored ones stand for: by their bytes,
 * since the few that are stored may be smaller or larger than others.
 */
static double count_samples(
    const struct rehearsal *rehearsal, const struct memory_store_plan *how)
{
	const struct model *model = rehearsal->model;
	const struct held_rep *held = how->held;
	double bytes = 0;

	for (uint64_t i = 0; i < how->samples; i++)
		bytes += (double)sample_bytes(&held->list[i % held->count]);
	if (bytes > 0 && model->field_bytes[how->rep] > 0)
		return bytes / model->field_bytes[how->rep];
	return (double)how->samples / fmax(model->many[how->rep], 1e-9);
}

static int list_streams(struct rehearsal_store *store, struct error *err)
{
	const size_t count = store->made.reader->streams;

	store->streams = calloc(count + 1, sizeof(size_t));
	if (!store->streams)
		return error_memory(err, count * sizeof(size_t));
	for (size_t i = 0; i < count; i++)
		store->streams[i] = i;
	store->stage.list = (struct stream_list){
		.reader = store->made.reader,
		.streams = store->streams,
		.count = count,
	};
	return 0;
}

int rehearsal_store_open(struct rehearsal_store *store,
    const struct rehearsal *rehearsal, const struct rehearsed *what,
    double most, unsigned shards, struct error *err)
{
	const struct model *model = rehearsal->model;
	const struct plan_strategies *plan = &model->plan->strategies;
	struct memory_store_plan how = {
		.pipeline = model->pipeline,
		.rep = what->rep,
		.store = plan->stores[what->store],
		.codec = &plan->codecs[what->codec],
		.held = &rehearsal->held->reps[what->rep],
		.dir = rehearsal->how->work_dir,
		.stop = rehearsal->how->stop,
	};
	uint64_t start;

	*store = (struct rehearsal_store){ .made = MEMORY_STORE_INIT };
	rehearsal_plan_shards(rehearsal, what->rep,
	    model->packing[what->rep][what->store][what->codec].bytes, most,
	    &how);
	if (shards > 0)
		how.shards =
		    shards < how.samples ? shards : (unsigned)how.samples;
	else
		balance_shards(rehearsal, what, &how);
	start = clock_now(&clock_thread_cpu);
	if (memory_store_make(&store->made, &how, err))
		return -1;
	store->cpu_s = (double)(clock_now(&clock_thread_cpu) - start) / 1e9;
	store->stage.what = *what;
	store->stage.loading =
	    rehearsal_loading(rehearsal, what->rep, CACHE_SYSTEM);
	store->stage.medium = store->made.medium;
	store->stage.samples = count_samples(rehearsal, &how);
	if (list_streams(store, err) == 0)
		return 0;
	rehearsal_store_close(store);
	return -1;
}

void rehearsal_store_close(struct rehearsal_store *store)
{
	free(store->streams);
	store->streams = NULL;
	memory_store_release(&store->made);
}
