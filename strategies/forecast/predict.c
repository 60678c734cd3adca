/* predict.c - see predict.h. */

#include "strategies/forecast/predict.h"

#include <math.h>

#include "lib/stores/store.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/plan/shard_count.h"

enum {
	SYNCS_SHARD = 4, /* a shard, its index, and their folder */
	SYNCS_ALL = 4,   /* the manifest, and the list of shards */
};

/*
 * See predict.h for the origin of these constants: copying into a batch, and
 * the fixed cost of a sample.
 */
static const double copy_bytes_per_s = 6e9;
static const double fixed_s = 1e-6;

const struct model *model_of(
    const struct model *model, const struct strategy *strategy)
{
	const struct model *of = model;

	while (of && strategy->pipeline && of->pipeline != strategy->pipeline)
		of = of->next;
	return of ? of : model;
}

struct load load_of_mode(uint64_t samples, const struct trial_mode *mode)
{
	return (struct load){
		.samples = samples,
		.threads = mode->threads,
		.cache = mode->cache,
		.place = mode->place,
		.fetchers = mode->fetchers,
		.read_ahead = mode->read_ahead,
		.shuffle = mode->shuffle,
		.batch = mode->batch,
	};
}

/* Finds the packing for the strategy's store and codec in the plan. */
static const struct packing *find_packing(
    const struct model *model, const struct strategy *strategy)
{
	const struct plan *plan = model->plan;

	for (unsigned s = 0; s < plan->strategies.store_count; s++)
		for (unsigned c = 0; c < plan->strategies.codec_count; c++)
			if (plan->strategies.stores[s] == strategy->store &&
			    codec_equal(
			        &plan->strategies.codecs[c], &strategy->codec))
				return &model->packing[strategy->split][s][c];
	return &model->packing[strategy->split][0][0];
}

double model_storage_bytes(const struct model *model,
    const struct strategy *strategy, uint64_t samples)
{
	const double bytes =
	    strategy->unprocessed
	        ? model->source_bytes
	        : find_packing(model_of(model, strategy), strategy)->bytes;

	return bytes * (double)samples;
}

const struct ceilings *model_ceilings(
    const struct model *model, const struct strategy *strategy)
{
	return strategy->unprocessed ? &model->source_ceilings
	                             : &model->stored_ceilings;
}

struct traffic { /* per sample */
	double bytes, requests, opens;
};

struct rate {
	double per_s; /* samples per second */
	const char *limit;
};

static void bound(struct rate *rate, double per_s, const char *limit)
{
	if (per_s < rate->per_s)
		*rate = (struct rate){ per_s, limit };
}

static void bound_emulated(struct rate *rate, const struct model *model,
    const struct load *load, const struct traffic *traffic)
{
	const struct storage_limits *limits = &model->plan->limits;
	const double wait_s =
	    limits->latency * traffic->requests + limits->open * traffic->opens;

	if (limits->bandwidth > 0)
		bound(rate, limits->bandwidth / traffic->bytes, "storage");
	if (limits->stream > 0)
		bound(rate,
		    plan_fetchers(model->plan, load->threads) * limits->stream /
		        traffic->bytes,
		    "storage");
	if (limits->iops > 0)
		bound(rate, limits->iops / traffic->requests, "latency");
	if (limits->opens > 0)
		bound(rate, limits->opens / traffic->opens, "latency");
	if (wait_s > 0)
		bound(rate, plan_fetchers(model->plan, load->threads) / wait_s,
		    "latency");
}

/* See predict.h.  A ceiling measured in memory says nothing of the storage. */
static void bound_measured(struct rate *rate, const struct ceilings *storage,
    unsigned threads, const struct traffic *traffic)
{
	const struct ceiling *large =
	    ceilings_find(storage, CEILING_SEQUENTIAL, threads);
	const struct ceiling *files =
	    ceilings_find(storage, CEILING_FILES, threads);
	double read_s, open_s = 0;

	if (!large || !large->cold || large->bytes_per_s <= 0)
		return;
	read_s = traffic->bytes / large->bytes_per_s;
	if (files && files->cold && files->requests_per_s > 0)
		open_s = 1 / files->requests_per_s -
		         (double)files->file_bytes / large->bytes_per_s;
	open_s = open_s > 0 ? traffic->opens * open_s : 0;
	bound(rate, 1 / (read_s + open_s),
	    open_s > read_s ? "latency" : "storage");
}

/*
 * Finds the rate that cores and storage allow. `storage`: its ceilings; NULL:
 * the data does not come from the storage.
 */
static struct rate find_rate(const struct model *model, const struct load *load,
    double cpu_s, const struct traffic *traffic, const struct ceilings *storage)
{
	const unsigned width =
	    load->threads < model->cores ? load->threads : model->cores;
	struct rate rate = { width / cpu_s, "cpu" };

	if (traffic->bytes <= 0)
		return rate;
	if (load->cache == CACHE_NONE)
		bound_emulated(&rate, model, load, traffic);
	if (storage)
		bound_measured(&rate, storage,
		    plan_fetchers(model->plan, load->threads), traffic);
	return rate;
}

/* Samples delivered for each sample of the source. */
static double delivered(const struct model *model)
{
	return model->many[model->pipeline->count];
}

/* The rate of samples that are in the application cache. */
static struct rate cached_rate(
    const struct model *model, const struct load *load, unsigned at)
{
	return find_rate(model, load, cache_place_hit_s(model, at),
	    &(struct traffic){ .bytes = 0 }, NULL);
}

/* Files of a stored sample; 0 for stores that put many samples in a file. */
static double files_of(
    const struct model *model, const struct strategy *strategy)
{
	const struct model *of = model_of(model, strategy);
	const struct store_ops *store = strategy->store;

	if (store->append || store->one_shape)
		return 0;
	return of->many[strategy->split] *
	       of->pipeline->schemas[strategy->split].count;
}

/* Counts the syncs of files that wait for each other. */
static double syncs(const struct model *model, const struct strategy *strategy,
    const struct load *load)
{
	const double bytes =
	    model_storage_bytes(model, strategy, load->samples);
	const double shards = shard_count(model->source,
	    &model->plan->strategies.order, strategy->shards, bytes);
	const double count = SYNCS_SHARD * shards +
	                     (double)load->samples * files_of(model, strategy);

	return SYNCS_ALL + count / fmin(load->threads, shards);
}

/* The traffic of a stored sample of so many bytes. */
static struct traffic stored_traffic(const struct model *model,
    const struct strategy *strategy, const struct load *load, double bytes)
{
	const double n = (double)load->samples;
	const double shards =
	    shard_count(model->source, &model->plan->strategies.order,
	        strategy->shards, bytes * n) /
	    n; /* per sample */
	const double arrays = strategy->store->one_shape
	                          ? model_of(model, strategy)
	                                ->pipeline->schemas[strategy->split]
	                                .count
	                          : 1;
	const double files = files_of(model, strategy);
	struct traffic t = { .bytes = bytes };

	/* An index is opened and read first, then the data. */
	t.opens = shards + (files > 0 ? files : arrays * shards);
	t.requests = shards + files;
	if (files <= 0)
		t.requests += arrays * fmin(1, bytes / (double)store_block(
		                                           &strategy->codec));
	return t;
}

/* Seconds of all samples, if each takes `cpu_s` of CPU time. */
static double on_cores(
    const struct model *model, const struct load *load, double cpu_s)
{
	return (double)load->samples * cpu_s /
	       fmin(load->threads, model->cores ? model->cores : 1);
}

/* Must each epoch read everything from storage again? */
static bool is_cold(const struct model *model, const struct load *load,
    const struct traffic *traffic)
{
	return load->cache == CACHE_NONE ||
	       (load->cache == CACHE_SYSTEM && model->memory > 0 &&
	           traffic->bytes * (double)load->samples >
	               (double)model->memory);
}

static struct load cold_load(const struct load *load)
{
	return (struct load){ .samples = load->samples,
		.threads = load->threads,
		.cache = CACHE_NONE };
}

/* Predicts epochs from the CPU time and traffic of a sample. */
static void predict_epochs(const struct model *model, const struct load *load,
    double cpu_s, const struct traffic *traffic, const struct ceilings *storage,
    struct prediction *p)
{
	const double n = (double)load->samples;
	const struct load cold = cold_load(load);
	const struct rate first =
	    find_rate(model, &cold, cpu_s, traffic, storage);
	struct rate rate = find_rate(model, load, cpu_s, traffic,
	    is_cold(model, load, traffic) ? storage : NULL);

	p->first_epoch_s = n / first.per_s;
	p->untimed_s = n / find_rate(model, &cold, cpu_s, traffic, NULL).per_s;
	/* What is not in the cache comes from storage in each epoch. */
	if (load->cache == CACHE_APPLICATION)
		rate = first;
	p->epoch_s = n / rate.per_s;
	p->limit = rate.limit;
	if (p->epoch_s > 0)
		p->samples_per_s = n * delivered(model) / p->epoch_s;
}

/* Takes the samples that are in the application cache from there. */
static void predict_cached(const struct model *model, const struct load *load,
    const struct cache_place *place, struct prediction *p)
{
	const struct rate rate = cached_rate(model, load, place->at);
	const double hits_s = (double)load->samples / rate.per_s;
	const double misses_s = p->epoch_s;

	p->first_epoch_s += place->share * hits_s;
	p->untimed_s += place->share * hits_s;
	p->epoch_s = cache_place_epoch_s(place->share, hits_s, misses_s);
	if (place->share * hits_s >= (1 - place->share) * misses_s)
		p->limit = rate.limit;
	if (p->epoch_s > 0)
		p->samples_per_s =
		    (double)load->samples * delivered(model) / p->epoch_s;
}

struct prediction model_predict(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const unsigned split = strategy->unprocessed ? 0 : strategy->split;
	const struct model *of = model_of(model, strategy);
	const struct load cold = cold_load(load);
	struct prediction p = { .storage_bytes = model_storage_bytes(
		                    model, strategy, load->samples) };
	/* sources are read in files, stores in blocks */
	struct traffic online = { model->source_bytes, 1, 1 };
	struct traffic offline = online;
	double online_s = fixed_s, offline_s = fixed_s, steps_s = 0;

	online_s *= delivered(of);
	offline_s *= of->many[split];
	for (unsigned i = 0; i < split; i++)
		steps_s += of->step_s[i];
	offline_s += steps_s;
	online_s += of->online_s[split];
	online_s += of->field_bytes[split] / copy_bytes_per_s;
	if (!strategy->unprocessed) {
		const struct packing *packing = find_packing(of, strategy);

		online = stored_traffic(model, strategy, load, packing->bytes);
		online_s += packing->decode_s;
		offline_s += packing->encode_s +
		             packing->bytes / copy_bytes_per_s +
		             order_cost_more(&model->order);
		offline.bytes += packing->bytes;
		offline.opens += online.opens;
		offline.requests += online.requests;
		p.prep_steps_s = on_cores(model, load, steps_s);
		p.prep_encode_s = on_cores(model, load, packing->encode_s);
		/* ceilings are of reading only: writing was not measured */
		p.prep_s =
		    (double)load->samples /
		        find_rate(model, &cold, offline_s, &offline, NULL)
		            .per_s +
		    syncs(model, strategy, load) * model->sync_s;
	}
	predict_epochs(
	    of, load, online_s, &online, model_ceilings(model, strategy), &p);
	if (load->cache == CACHE_APPLICATION) {
		const struct cache_place place =
		    cache_place_of(model, strategy, load);

		predict_cached(of, load, &place, &p);
	}
	return p;
}
