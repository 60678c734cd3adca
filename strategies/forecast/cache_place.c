/* cache_place.c - see cache_place.h. */
#include "strategies/forecast/cache_place.h"

#include <math.h>

#include "lib/loader/cache.h"
#include "strategies/forecast/models/cache_model.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/shard_count.h"

double cache_place_bytes(
    const struct model *model, unsigned at, uint64_t samples)
{
	const double many = model->many[at];

	if (many <= 0)
		return 0;
	return (double)samples * many *
	       cache_sample_bytes(&model->pipeline->schemas[at],
	           model->field_bytes[at] / many, model->key_bytes);
}

double cache_place_hit_s(const struct model *model, unsigned at)
{
	const unsigned end = model->pipeline->count;
	double read_s = 0;

	/* A crop reads less than the cache holds: bytes delivered bound it. */
	if (model->machine.copy_bytes_per_s > 0)
		read_s = 1 / model->machine.copy_bytes_per_s;
	return cache_model_hit(model->online_s[at],
	    fmin(model->field_bytes[at], model->field_bytes[end]), read_s);
}

double cache_place_epoch_s(double share, double hits_s, double misses_s)
{
	return share * hits_s + (1 - share) * misses_s;
}

/* The first and the last representation that a strategy may cache. */
struct range {
	unsigned first, last;
};

static struct range legal_places(
    const struct model *model, const struct strategy *strategy)
{
	return (struct range){
		.first = strategy->unprocessed ? 0 : strategy->split,
		.last = pipeline_last_split(model->pipeline),
	};
}

/* The parts that the data of the strategy is in: streams, or shards. */
static double parts_of(const struct model *model,
    const struct strategy *strategy, uint64_t samples)
{
	if (strategy->unprocessed)
		return (double)model->source->streams;
	return shard_count(model->source, &model->plan->strategies.order,
	    strategy->shards, model_storage_bytes(model, strategy, samples));
}

/* A partial cache has whole parts. */
static struct cache_place place_at(const struct model *model,
    const struct strategy *strategy, unsigned at, const struct load *load,
    uint64_t budget)
{
	struct cache_place place = {
		.at = at,
		.bytes = cache_place_bytes(
		    model_of(model, strategy), at, load->samples),
	};

	place.share = cache_model_share(place.bytes, (double)budget);
	if (place.share < 1) {
		const double parts = parts_of(model, strategy, load->samples);

		place.share = floor(place.share * parts) / fmax(parts, 1);
	}
	return place;
}

/* Finds a place that was named in the pipeline as it is given. */
static unsigned named_place(const struct model *given, const struct model *own,
    struct range legal, unsigned place)
{
	const unsigned number = place == PLACE_RAW ? 0 : place;
	const int found = pipeline_find(
	    own->pipeline, pipeline_name(given->pipeline, number));

	if (found < 0 || (unsigned)found > legal.last)
		return legal.last;
	return (unsigned)found < legal.first ? legal.first : (unsigned)found;
}

/* Finds the partial cache with the shortest epoch. */
static struct cache_place best_partial(const struct model *model,
    const struct strategy *strategy, const struct load *load, uint64_t budget)
{
	const struct model *own = model_of(model, strategy);
	const struct range legal = legal_places(own, strategy);
	const double width =
	    fmin(load->threads, own->machine.cores ? own->machine.cores : 1);
	const double n = (double)load->samples;
	struct load missing = *load;
	struct cache_place best = { .share = 0 };
	double misses_s, least = INFINITY;

	missing.cache = CACHE_NONE;
	misses_s = model_predict(model, strategy, &missing).epoch_s;
	for (unsigned at = legal.first; at <= legal.last; at++) {
		const struct cache_place place =
		    place_at(model, strategy, at, load, budget);
		const double epoch_s = cache_place_epoch_s(place.share,
		    n * cache_place_hit_s(own, at) / width, misses_s);

		/* One that keeps nothing is taken where none keeps a part. */
		if (at == legal.first ||
		    (place.share > 0 && (best.share <= 0 || epoch_s < least))) {
			least = epoch_s;
			best = place;
		}
	}
	return best;
}

struct cache_place cache_place_find(const struct model *model,
    const struct strategy *strategy, const struct load *load, uint64_t budget)
{
	const struct model *own = model_of(model, strategy);
	const struct range legal = legal_places(own, strategy);

	if (load->place)
		return place_at(model, strategy,
		    named_place(model, own, legal, load->place), load, budget);
	for (unsigned at = legal.last + 1; at-- > legal.first;) {
		const struct cache_place place =
		    place_at(model, strategy, at, load, budget);

		if (place.share >= 1)
			return place;
	}
	return best_partial(model, strategy, load, budget);
}

uint64_t cache_place_budget(const struct model *model)
{
	return model->machine.cache_budget ? model->machine.cache_budget
	                                   : plan_cache_budget(model->plan);
}

struct cache_place cache_place_of(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	return cache_place_find(
	    model, strategy, load, cache_place_budget(model));
}
