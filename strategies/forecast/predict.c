/* predict.c - see predict.h. */

#include "strategies/forecast/predict.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stores/store.h"
#include "strategies/forecast/load_time.h"
#include "strategies/plan/shard_count.h"

enum {
	SYNCS_SHARD = 4, /* a shard, its index, and their folder */
	SYNCS_ALL = 2,   /* the manifest, and the list of shards */
};

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

void model_release(struct model *model)
{
	if (!model)
		return;
	free(model->rehearsed);
	model->rehearsed = NULL;
	model->rehearsed_count = model->rehearsed_capacity = 0;
}

struct packing_place model_place(
    const struct model *model, const struct strategy *strategy)
{
	const struct plan_strategies *plan = &model->plan->strategies;

	for (unsigned s = 0; s < plan->store_count; s++)
		for (unsigned c = 0; c < plan->codec_count; c++)
			if (plan->stores[s] == strategy->store &&
			    codec_equal(&plan->codecs[c], &strategy->codec))
				return (struct packing_place){ s, c };
	return (struct packing_place){ 0, 0 };
}

const struct packing *model_packing(
    const struct model *model, const struct strategy *strategy)
{
	const struct packing_place place = model_place(model, strategy);

	return &model->packing[strategy->split][place.store][place.codec];
}

double model_shards(const struct model *model, const struct strategy *strategy,
    uint64_t samples)
{
	const struct plan_strategies *plan = &model->plan->strategies;
	const double bytes =
	    model_packing(model_of(model, strategy), strategy)->bytes;

	return shard_count(model->source, &plan->order, strategy->shards,
	    bytes * (double)samples);
}

double model_storage_bytes(const struct model *model,
    const struct strategy *strategy, uint64_t samples)
{
	const struct model *of = model_of(model, strategy);
	const double n = (double)samples;
	const struct packing *packing;

	if (strategy->unprocessed)
		return model->source_bytes * n;
	packing = model_packing(of, strategy);
	return (packing->bytes +
	           packing->overhead.sample * of->many[strategy->split]) *
	           n +
	       packing->overhead.shard *
	           model_shards(model, strategy, samples) +
	       packing->overhead.folder;
}

const struct ceilings *model_ceilings(
    const struct model *model, const struct strategy *strategy)
{
	return strategy->unprocessed ? &model->source_ceilings
	                             : &model->stored_ceilings;
}

/* Samples delivered for each sample of the source. */
static double delivered(const struct model *model)
{
	return model->many[model->pipeline->count];
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

/*
 * The time to make all files safe: each with its folder, the shard, its index,
 * and an index for other readers; those of several threads overlap.
 */
static double sync_seconds(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const double shards = model_shards(model, strategy, load->samples);
	const bool has_idx =
	    strategy->store->idx_line && !strategy->codec.ops->encode;
	const double count = (has_idx ? 3 : 2) * shards +
	                     (double)load->samples * files_of(model, strategy);

	return (SYNCS_ALL + count / fmin(load->threads, shards)) *
	           model->sync.file_s +
	       model_storage_bytes(model, strategy, load->samples) *
	           model->sync.byte_s;
}

/* Seconds of all samples, if each takes `cpu_s` of CPU time. */
static double on_cores(
    const struct model *model, const struct load *load, double cpu_s)
{
	const double speed = model->speed > 0 ? model->speed : 1;
	const double cores = model->cores ? model->cores : 1;
	const double left = fmax(cores - load->others, cores / 10);

	return (double)load->samples * cpu_s *
	       load_time_stretch(model, load->threads) / speed /
	       fmin(load->threads, left);
}

/* The least that an emulated storage takes to read and write it all. */
static double emulated_prep_s(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const struct storage_limits *limits = &model->plan->limits;
	const double n = (double)load->samples;
	const double shards = model_shards(model, strategy, load->samples);
	const double files = 1 + files_of(model, strategy);
	/* A shard and its index are made, written and synced. */
	const double requests = n * files + SYNCS_SHARD * shards;
	const double opens = n * files + 2 * shards;
	const double bytes =
	    n * model->source_bytes +
	    model_storage_bytes(model, strategy, load->samples);
	const double wait_s =
	    (requests * limits->latency + opens * limits->open) /
	    fmin(load->threads, shards);
	double least_s = 0;

	if (limits->bandwidth > 0)
		least_s = bytes / limits->bandwidth;
	if (limits->iops > 0)
		least_s = fmax(least_s, requests / limits->iops);
	if (limits->opens > 0)
		least_s = fmax(least_s, opens / limits->opens);
	return fmax(least_s, wait_s);
}

/* Predicts preparing a strategy that stores something. */
static void predict_preparation(const struct model *model,
    const struct strategy *strategy, const struct load *load,
    struct prediction *p)
{
	const struct model *of = model_of(model, strategy);
	const struct packing *packing = model_packing(of, strategy);
	double steps_s = 0, others_s = order_cost_more(&model->order);
	double compute_s;

	for (unsigned i = 0; i < strategy->split; i++)
		steps_s += of->step_s[i];
	if (model->copy_bytes_per_s > 0) /* reading, writing, summing up */
		others_s += (model->source_bytes + 2 * packing->bytes) /
		            model->copy_bytes_per_s;
	p->prep_steps_s = on_cores(of, load, steps_s);
	p->prep_encode_s = on_cores(of, load, packing->encode_s);
	compute_s =
	    p->prep_steps_s + p->prep_encode_s + on_cores(of, load, others_s);
	/* Earlier trials have dropped the dataset from memory. */
	if (!plan_emulates(model->plan))
		compute_s +=
		    (double)load->samples *
		    (model->source_bytes * model->sync.read_byte_s +
		        model->source->files_each * model->sync.read_file_s) /
		    load->threads;
	p->prep_s = fmax(compute_s, emulated_prep_s(model, strategy, load)) +
	            sync_seconds(model, strategy, load);
}

static void predict_epochs(const struct model *model,
    const struct strategy *strategy, const struct load *load,
    struct prediction *p)
{
	const struct load_time time = load_time_of(model, strategy, load);
	const double n = (double)load->samples;

	p->first_epoch_s = load_time_cold(model, strategy, load).epoch_s;
	p->untimed_s = load_time_warm(model, strategy, load).epoch_s;
	if (load->cache == CACHE_APPLICATION) {
		p->first_epoch_s += time.hits_s;
		p->untimed_s += time.hits_s;
	}
	p->epoch_s = time.epoch_s;
	p->limit = time.limit;
	if (p->epoch_s > 0)
		p->samples_per_s =
		    n * delivered(model_of(model, strategy)) / p->epoch_s;
	p->error = time.error;
	p->is_cold = time.is_cold;
}

static void add_intervals(const struct model *model,
    const struct strategy *strategy, struct prediction *p)
{
	const struct accuracy *accuracy = &model->accuracy;
	const struct model *of = model_of(model, strategy);
	struct accuracy_range range;

	range = accuracy_range(p->is_cold ? &accuracy->cold : &accuracy->warm,
	    p->samples_per_s, p->error);
	p->low_samples_per_s = range.low;
	p->high_samples_per_s = range.high;
	if (strategy->unprocessed) { /* it is known */
		p->low_storage_bytes = p->high_storage_bytes = p->storage_bytes;
		return;
	}
	range = accuracy_range(&accuracy->storage, p->storage_bytes,
	    of->size_error[strategy->split]);
	p->low_storage_bytes = range.low;
	p->high_storage_bytes = range.high;
	range = accuracy_range(&accuracy->preparation, p->prep_s, 0);
	p->low_prep_s = range.low;
	p->high_prep_s = range.high;
}

struct prediction model_predict(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	struct prediction p = { .storage_bytes = model_storage_bytes(
		                    model, strategy, load->samples) };

	predict_epochs(model, strategy, load, &p);
	if (!strategy->unprocessed)
		predict_preparation(model, strategy, load, &p);
	add_intervals(model, strategy, &p);
	return p;
}
