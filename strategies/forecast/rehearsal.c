/* rehearsal.c - see rehearsal.h. */
#include "strategies/forecast/rehearsal.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/loader/batch_freelist.h"
#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "lib/measure/cores.h"
#include "lib/measure/memory.h"
#include "lib/media/medium.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/memory_store.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal_cold.h"
#include "strategies/forecast/rehearsal_epochs.h"
#include "strategies/forecast/rehearsal_pool.h"
#include "strategies/forecast/rehearsal_store.h"

enum {
	/*
	 * Bytes of stored data: behind a codec, which takes time, and plain.
	 * Plain data that fits into the caches of the processor is faster than
	 * a dataset that does not: these caches hold a few dozen megabytes.
	 */
	PACKED_BYTES = 2 << 20,
	PLAIN_BYTES = 72 << 20,
	CACHED_BYTES = 24 << 20,
	DATASET_SAMPLES = 48,
	DATASET_STREAMS = 48,
	DATASET_CHUNKS = 4, /* of each of a few long streams */
	LONG_STREAM = 64,   /* samples */
	MEMORY_PART = 16,   /* batches may take one in so many free bytes */
};

/* Storing alone may take so much more time, as a part of that for all. */
static const double storing_fraction = 0.4;

/* Other programs that use more of the cores bend wall times. */
static const double busy_fraction = 0.05;

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

/* ---- the dataset ---- */

/*
 * A server is asked for several streams at a time, as in an epoch: one alone
 * would wait for each answer, and keep one thread busy.
 */
static double least_streams(const struct model *model)
{
	const unsigned threads = plan_most_threads(model->plan);

	if (!model->source->is_far)
		return 1;
	return 2.0 * fmax(threads, plan_fetchers(model->plan, threads));
}

/* Streams at equal distances, with about so many samples. */
static size_t choose_streams(const struct rehearsal *rehearsal, size_t *streams)
{
	const struct reader *source = rehearsal->model->source;
	const double each = (double)source->samples / (double)source->streams;
	const double samples =
	    fmin(DATASET_SAMPLES, rehearsal_most_samples(rehearsal, 0));
	double count = fmax(
	    ceil(samples / fmax(each, 1e-9)), least_streams(rehearsal->model));

	count = fmin(count, fmin(DATASET_STREAMS, (double)source->streams));
	if (count < 1)
		count = 1;
	for (size_t i = 0; i < (size_t)count; i++)
		streams[i] = (size_t)(((double)i + 0.5) *
		                      (double)source->streams / count);
	return (size_t)count;
}

static int rehearse_dataset(struct rehearsal *rehearsal, struct error *err)
{
	const struct reader *source = rehearsal->model->source;
	size_t streams[DATASET_STREAMS];
	struct stage stage = {
		.list = { .reader = source, .streams = streams, .repeats = 1 },
		.medium = rehearsal->how->medium,
		.what = { .unprocessed = true },
		.loading = rehearsal_loading(rehearsal, 0, CACHE_SYSTEM),
	};

	if (source->streams == 0 || source->samples == 0)
		return 0;
	stage.list.count = choose_streams(rehearsal, streams);
	if (source->samples / source->streams > LONG_STREAM)
		stage.list.chunk_most = DATASET_CHUNKS;
	for (size_t i = 0; !stage.list.chunk_most && i < stage.list.count; i++)
		stage.samples +=
		    (double)source->ops->stream_samples(source, streams[i]);
	return rehearsal_time(rehearsal, &stage, err);
}

/* ---- stored data ---- */

static double plain_bytes(const struct rehearsal *rehearsal)
{
	return fmin(fmax(rehearsal->room, CACHED_BYTES), PLAIN_BYTES);
}

static bool is_plain(const struct codec *codec)
{
	return !codec->ops->encode && !codec->transform;
}

/*
 * The writer of shards takes longer than the codec alone: it makes records,
 * sums them up, and begins each shard anew.  In memory, it copies once more.
 */
static void note_storing(
    struct model *model, const struct rehearsal_store *store)
{
	const struct rehearsed *what = &store->stage.what;
	struct packing *packing =
	    &model->packing[what->rep][what->store][what->codec];
	const double copy_s = model->machine.copy_bytes_per_s > 0
	                          ? 1 / model->machine.copy_bytes_per_s
	                          : 0;
	const double all_s =
	    store->cpu_s / store->stage.samples - packing->bytes * copy_s;

	if (all_s <= 0)
		return;
	packing->store_s = all_s;
	if (packing->encode_s > 0)
		packing->encode_s =
		    fmax(all_s - 2 * packing->bytes * copy_s, all_s / 2);
}

/* Runs the loader over pilot samples that are stored so. */
static int rehearse_store(struct rehearsal *rehearsal,
    const struct rehearsed *what, double most, struct error *err)
{
	struct rehearsal_store store;
	int rc;

	if (rehearsal_store_open(&store, rehearsal, what, most, 0, err))
		return rehearsal_forgive(err);
	note_storing(rehearsal->model, &store);
	rc = rehearsal_time(rehearsal, &store.stage, err);
	rehearsal_store_close(&store);
	return rc;
}

/* Copies what was rehearsed with `from`, which has the same frames. */
static int copy_rehearsed(struct model *model, const struct rehearsed *what,
    unsigned from, struct error *err)
{
	struct rehearsed_list *all = &model->rehearsed;
	struct packing *packings = model->packing[what->rep][what->store];
	const size_t count = all->count;

	packings[what->codec].store_s = packings[from].store_s;
	packings[what->codec].encode_s = packings[from].encode_s;
	for (size_t i = 0; i < count; i++) {
		struct rehearsed *list = array_grow(all->list, &all->capacity,
		    all->count + 1, sizeof(*list), err);

		if (!list)
			return -1;
		all->list = list;
		if (list[i].unprocessed || list[i].cached ||
		    list[i].rep != what->rep || list[i].store != what->store ||
		    list[i].codec != from)
			continue;
		list[all->count] = list[i];
		list[all->count++].codec = what->codec;
	}
	return 0;
}

/* Rehearses a store, unless an earlier codec has the same frames. */
static int rehearse_once(struct rehearsal *rehearsal,
    const struct rehearsed *what, double most, struct error *err)
{
	const struct model *model = rehearsal->model;
	const struct codec *codecs = model->plan->strategies.codecs;

	for (unsigned c = 0; c < what->codec; c++)
		if (codec_shares_frames(&codecs[c], &codecs[what->codec]) &&
		    model->packing[what->rep][what->store][c].store_s > 0)
			return copy_rehearsed(rehearsal->model, what, c, err);
	return rehearse_store(rehearsal, what, most, err);
}

/*
 * Is there time to store samples?  Without time to load them, that takes a
 * little longer: writers may take several times what a codec alone does.
 */
static bool may_store(const struct rehearsal *rehearsal)
{
	return now() < rehearsal->deadline_ns +
	                   (uint64_t)(storing_fraction *
	                              rehearsal->how->rehearse_s * 1e9);
}

/* Stores of all representations, with or without a codec. */
static int rehearse_stores(
    struct rehearsal *rehearsal, bool plain, struct error *err)
{
	const struct model *model = rehearsal->model;
	const struct plan_strategies *plan = &model->plan->strategies;
	const unsigned last = pipeline_last_split(model->pipeline);
	const unsigned kinds = plan->store_count * plan->codec_count;
	const double most = plain ? plain_bytes(rehearsal) : PACKED_BYTES;

	for (unsigned i = 0; i < (last + 1) * kinds; i++) {
		const struct rehearsed what = {
			.rep = i / kinds,
			.store = i % kinds / plan->codec_count,
			.codec = i % plan->codec_count,
		};

		if (is_plain(&plan->codecs[what.codec]) != plain ||
		    !pilot_wants(rehearsal->how, model, &what) ||
		    rehearsal->held->reps[what.rep].count == 0)
			continue;
		if (!may_store(rehearsal))
			return 0;
		if (stop_check(rehearsal->how->stop, err) ||
		    rehearse_once(rehearsal, &what,
		        rehearsal_has_time(rehearsal) ? most : PACKED_BYTES,
		        err))
			return -1;
	}
	return 0;
}

/* ---- the application cache ---- */

/* Fills the cache from stored data in memory. */
static int fill_cache(const struct rehearsal *rehearsal, struct cache *cache,
    const struct memory_store *made, unsigned at, struct error *err)
{
	const struct loading loading =
	    rehearsal_loading(rehearsal, at, CACHE_APPLICATION);
	struct loader_plan filler, plan;
	const struct batch *batch;
	struct loader *loader;
	int rc = 0;

	loading_plan(&loading, &filler, &plan);
	filler.threads = 1;
	filler.reader = made->reader;
	filler.medium = made->medium;
	loader = loader_new(&filler, err);
	if (!loader)
		return -1;
	loader_begin(loader, 0, false);
	while (rc == 0 && (batch = loader_next(loader)))
		rc = cache_add(cache, batch, err);
	if (loader_end(loader, err))
		rc = -1;
	loader_free(loader);
	return rc;
}

static int time_cache(struct rehearsal *rehearsal, struct cache *cache,
    unsigned at, struct error *err)
{
	struct stage stage = {
		.what = { .cached = true, .rep = at },
		.loading = rehearsal_loading(rehearsal, at, CACHE_APPLICATION),
	};
	const struct reader *reader = cache_reader(cache);
	size_t *streams = calloc(reader->streams + 1, sizeof(size_t));
	int rc;

	if (!streams)
		return error_memory(err, reader->streams * sizeof(size_t));
	for (size_t i = 0; i < reader->streams; i++)
		streams[i] = i;
	stage.list = (struct stream_list){
		.reader = reader,
		.streams = streams,
		.count = reader->streams,
		.repeats = 1,
	};
	stage.samples = (double)cache_samples(cache) /
	                fmax(rehearsal->model->many[at], 1e-9);
	rc = rehearsal_time(rehearsal, &stage, err);
	free(streams);
	return rc;
}

/* The last place that the cache may have; it is filled without a codec. */
static int rehearse_cache(struct rehearsal *rehearsal, struct error *err)
{
	const struct model *model = rehearsal->model;
	const unsigned at = pipeline_last_split(model->pipeline);
	const struct codec none = { .ops = &codec_none };
	struct memory_store_plan how = {
		.pipeline = model->pipeline,
		.rep = at,
		.store = &store_files,
		.codec = &none,
		.held = &rehearsal->held->reps[at],
		.dir = rehearsal->how->work_dir,
		.stop = rehearsal->how->stop,
	};
	const struct cache_plan plan = {
		.schema = &model->pipeline->schemas[at],
		.budget = (uint64_t)2 * PLAIN_BYTES,
	};
	struct memory_store made;
	struct cache *cache;
	int rc = -1;

	if (how.held->count == 0 || !rehearsal_has_time(rehearsal))
		return 0;
	rehearsal_plan_shards(rehearsal, at, model->field_bytes[at],
	    plain_bytes(rehearsal), &how);
	if (memory_store_make(&made, &how, err))
		return rehearsal_forgive(err);
	cache = cache_new(&plan, err);
	if (cache && fill_cache(rehearsal, cache, &made, at, err) == 0)
		rc = time_cache(rehearsal, cache, at, err);
	cache_free(cache);
	memory_store_release(&made);
	return rc ? rehearsal_forgive(err) : 0;
}

static bool plans_cache(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->load.cache_count; i++)
		if (plan->load.caches[i] == CACHE_APPLICATION)
			return true;
	return false;
}

/* Does a step run code of the user's, perhaps in processes of its own? */
static bool runs_own(const struct pipeline *pipeline)
{
	for (unsigned i = pipeline->from; i < pipeline->count; i++)
		if (pipeline->steps[i].ops->own)
			return true;
	return false;
}

/*
 * Other programs used the cores meanwhile, so the wall time is too long.  All
 * threads of a loader are busy when its data is in memory: the CPU time then
 * says how long it would take alone, but for waiting of a few percent.  A far
 * dataset is not in memory: its threads wait for the server.
 */
static void correct_busy(struct model *model)
{
	static const double waiting = 1.04;

	for (size_t i = 0; i < model->rehearsed.count; i++) {
		struct rehearsed *r = &model->rehearsed.list[i];
		const unsigned width = r->threads < model->machine.cores
		                           ? r->threads
		                           : model->machine.cores;
		const double alone_s = waiting * r->cpu_s / width;

		if (r->unprocessed && model->source->is_far)
			continue;
		if (alone_s > 0 && alone_s < r->sample_s)
			r->sample_s = alone_s;
	}
	for (unsigned i = 0; i < model->rehearsed.cold.count; i++)
		model->rehearsed.cold.list[i].epoch_s = 0;
	for (unsigned i = 0; i < model->rehearsed.cold_small.count; i++)
		model->rehearsed.cold_small.list[i].epoch_s = 0;
}

int rehearsal_run(struct model *model, const struct pilot_plan *how,
    struct held *held, struct error *err)
{
	struct rehearsal rehearsal = {
		.model = model,
		.how = how,
		.held = held,
		.freelist = batch_freelist_new(),
		.deadline_ns = now() + (uint64_t)(how->rehearse_s * 1e9),
		.samples = how->source->samples,
		.room = (double)memory_available("") / MEMORY_PART,
	};
	const uint64_t start = now();
	struct cores_mark mark;
	struct cores cores;
	int rc;

	if (how->rehearse_s <= 0 || !rehearsal.freelist) {
		batch_freelist_free(rehearsal.freelist);
		return 0;
	}
	cores_mark(&mark);
	rc = how->reordered ? 0 : rehearse_dataset(&rehearsal, err);
	if (rc == 0)
		rc = rehearse_stores(&rehearsal, true, err);
	if (rc == 0)
		rc = rehearsal_cold(&rehearsal, err);
	if (rc == 0 && plans_cache(model->plan))
		rc = rehearse_cache(&rehearsal, err);
	if (rc == 0)
		rc = rehearse_stores(&rehearsal, false, err);
	cores_since(&mark, &cores);
	/* Processes of the steps themselves would count as other programs. */
	if (!runs_own(model->pipeline) &&
	    cores.others_ns + (int64_t)cores.stolen_ns > 0)
		model->machine.others =
		    (double)(cores.others_ns + (int64_t)cores.stolen_ns) /
		    (double)(now() - start);
	if (model->machine.others > busy_fraction * model->machine.cores)
		correct_busy(model);
	rehearsal_pool(model);
	batch_freelist_free(rehearsal.freelist);
	return rc;
}
