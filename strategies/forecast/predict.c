/* predict.c - see predict.h. */

#include "strategies/forecast/predict.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stores/store.h"
#include "strategies/forecast/load_time.h"
#include "strategies/plan/shard_count.h"

enum {
	SYNCS_ALL = 2, /* the manifest, and the list of shards */
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
	free(model->rehearsed.list);
	model->rehearsed = (struct rehearsed_list){ .list = NULL };
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

double model_block_bytes(
    const struct model *model, const struct strategy *strategy)
{
	const struct model *of = model_of(model, strategy);
	const unsigned rep = strategy->split;
	const double block = (double)store_block(&strategy->codec);
	const double many = of->many[rep];
	const double sample = many > 0 ? of->field_bytes[rep] / many : 0;

	if (sample <= 0)
		return block;
	if (schema_bytes(&of->pipeline->schemas[rep]) >= 0)
		return ceil(block / sample) * sample;
	return block + sample / 2;
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

/* Files beside a shard: its index, and one for other readers. */
static unsigned side_files(const struct strategy *strategy)
{
	return strategy->store->idx_line && !strategy->codec.ops->encode ? 2
	                                                                 : 1;
}

/* Blocks of a shard, each of which is written by itself; at least 1. */
static double blocks_of(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const struct model *of = model_of(model, strategy);
	const double bytes =
	    of->field_bytes[strategy->split] * (double)load->samples;

	if (!strategy->store->append)
		return 1;
	return fmax(ceil(bytes / model_shards(model, strategy, load->samples) /
	                 model_block_bytes(model, strategy)),
	    1);
}

/*
 * The time to make all files safe: each with its folder, the shard, its index,
 * and an index for other readers; those of several threads overlap.
 */
static double sync_seconds(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const double shards = model_shards(model, strategy, load->samples);
	const double count = (1 + side_files(strategy)) * shards +
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
	const double speed =
	    model->machine.speed > 0 ? model->machine.speed : 1;
	const double cores = model->machine.cores ? model->machine.cores : 1;
	const double left = fmax(cores - load->others, cores / 10);

	return (double)load->samples * cpu_s *
	       load_time_stretch(model, load->threads) / speed /
	       fmin(load->threads, left);
}

/* Threads that have a shard to make, as long as there are enough of them. */
static double busy_threads(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const double shards = model_shards(model, strategy, load->samples);

	return shards / ceil(shards / fmax(load->threads, 1));
}

/*
 * How long a preparation on an emulated storage takes, if its threads compute
 * for `compute_s`.  A thread reads, computes and writes in turn; only those of
 * several threads overlap.  The last one computes while the storage is idle.
 */
static double emulated_prep_s(const struct model *model,
    const struct strategy *strategy, const struct load *load, double compute_s)
{
	const struct storage_limits *limits = &model->plan->limits;
	const double n = (double)load->samples;
	const double shards = model_shards(model, strategy, load->samples);
	const double in = model->source->files_each;
	const double out = files_of(model, strategy);
	/* Each is written in blocks and synced; its index, in one. */
	const double side = side_files(strategy);
	const double requests =
	    (in > 0 ? n * in : n * model->source_bytes / STORE_BLOCK) +
	    2 * n * out +
	    shards * (blocks_of(model, strategy, load) + 1 + 2 * side);
	const double opens = n * (in + out) + (1 + side) * shards;
	const double bytes =
	    n * model->source_bytes +
	    model_storage_bytes(model, strategy, load->samples);
	const double threads = busy_threads(model, strategy, load);
	const double wait_s =
	    (requests * limits->latency + opens * limits->open) / threads +
	    SYNCS_ALL * limits->latency + limits->open; /* the manifest */
	double least_s = 0;

	if (limits->bandwidth > 0)
		least_s = bytes / limits->bandwidth;
	if (limits->iops > 0)
		least_s = fmax(least_s, requests / limits->iops);
	if (limits->opens > 0)
		least_s = fmax(least_s, opens / limits->opens);
	return fmax(least_s + compute_s / threads,
	    least_s / threads + wait_s + compute_s);
}

/* Seconds that a thread reads a sample of the dataset: it is not in memory. */
static double source_read_s(const struct model *model, unsigned threads)
{
	const double files = model->source->files_each;
	const struct read_cost *cost = model->sync.together.file_s > 0
	                                   ? &model->sync.together
	                                   : &model->sync.alone;

	if (model->source->is_far)
		return load_time_far_s(model, threads) * threads;
	if (files <= 0)
		return model->source_bytes * cost->byte_s;
	return files * read_cost_s(cost, model->source_bytes / files);
}

/* CPU time to read a sample, write it and sum it up, without its codec. */
static double output_s(const struct model *model, const struct packing *packing)
{
	const double copy_s = model->machine.copy_bytes_per_s > 0
	                          ? 1 / model->machine.copy_bytes_per_s
	                          : 0;

	if (packing->store_s > 0)
		return model->source_bytes * copy_s +
		       fmax(packing->store_s - packing->encode_s, 0);
	return (model->source_bytes + 2 * packing->bytes) * copy_s;
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
	if (of->fused[strategy->split] > 0)
		steps_s *= of->fused[strategy->split];
	others_s += output_s(model, packing);
	p->prep_steps_s = on_cores(of, load, steps_s);
	p->prep_encode_s = on_cores(of, load, packing->encode_s);
	compute_s =
	    p->prep_steps_s + p->prep_encode_s + on_cores(of, load, others_s);
	/* Earlier trials have dropped the dataset from memory. */
	if (!plan_emulates(model->plan))
		compute_s += (double)load->samples *
		             source_read_s(model, load->threads) /
		             load->threads;
	p->prep_s = emulated_prep_s(model, strategy, load, compute_s) +
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
	    of->correction.error[strategy->split]);
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
