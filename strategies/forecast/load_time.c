/* load_time.c - see load_time.h. */
#include "strategies/forecast/load_time.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "lib/loader/loader.h"
#include "lib/stats/statistics.h"
#include "lib/stores/store.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/forecast/load_speed.h"
#include "strategies/forecast/models/epoch_time.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/loading.h"

enum {
	FOLDER_CHUNK = 16, /* samples of a chunk of the store `files` */
	LONG_STREAM = 64,  /* samples: it has several chunks */
};

/* Less cannot be told from nothing. */
static const double least_s = 1e-7;

/* Pairs of rehearsals that are compared, at most; their ratio, at most. */
enum { STRETCH_PAIRS = 256 };
static const double stretch_most = 1.6;
/*
 * Errors of a server's speed, as a fraction: twice that is the logarithm of the
 * interval.  Rehearsals read a few objects, which the server may keep in its
 * memory: a factor of 2.  Without them nothing is known: a factor of 10.
 */
static const double far_error = 0.35, far_unknown = 1.15;

static double at_least(double value, double least)
{
	return value > least ? value : least;
}

/* ---- the work of the threads ---- */

static unsigned width_of(const struct model *model, unsigned threads)
{
	const unsigned cores = model->machine.cores ? model->machine.cores : 1;

	return threads < 1 ? 1 : threads < cores ? threads : cores;
}

static bool is_same(const struct rehearsed *a, const struct rehearsed *b)
{
	return a->unprocessed == b->unprocessed && a->cached == b->cached &&
	       a->rep == b->rep && a->store == b->store && a->codec == b->codec;
}

/* Finds the data with these threads, else with the next number of threads. */
static const struct rehearsed *find_rehearsed(
    const struct model *model, const struct rehearsed *what)
{
	const struct rehearsed *best = NULL;

	for (size_t i = 0; i < model->rehearsed.count; i++) {
		const struct rehearsed *r = &model->rehearsed.list[i];

		if (!is_same(r, what))
			continue;
		if (!best || abs((int)r->threads - (int)what->threads) <
		                 abs((int)best->threads - (int)what->threads))
			best = r;
	}
	return best;
}

struct work {          /* per sample of the source */
	double busy_s; /* time of a thread, with as many threads as asked */
	double error;
};

static double speed_of(const struct model *model)
{
	return model->machine.speed > 0 ? model->machine.speed : 1;
}

/* The cores that worked in the rehearsal: those of this machine. */
static unsigned rehearsed_width(
    const struct model *model, const struct rehearsed *r)
{
	const unsigned own = model->machine.own_cores ? model->machine.own_cores
	                                              : model->machine.cores;

	return r->threads < own ? r->threads : own;
}

/* The time of a thread, with `threads`, as rehearsed with about as many. */
static struct work work_rehearsed(
    const struct model *model, const struct rehearsed *r, unsigned threads)
{
	const double core_s = r->sample_s * rehearsed_width(model, r);

	return (struct work){ core_s * threads / width_of(model, threads),
		r->error };
}

/* The same data with one thread; NULL: it was not rehearsed. */
static const struct rehearsed *find_alone(
    const struct model *model, struct rehearsed what)
{
	const struct rehearsed *alone;

	what.threads = 1;
	alone = find_rehearsed(model, &what);
	return alone && alone->threads == 1 && alone->cpu_s > 0 ? alone : NULL;
}

/* The median over all data: a single rehearsal may have been disturbed. */
static double stretch_of_pairs(const struct model *model, unsigned threads)
{
	double ratios[STRETCH_PAIRS];
	size_t count = 0;

	for (size_t i = 0; i < model->rehearsed.count && count < STRETCH_PAIRS;
	     i++) {
		const struct rehearsed *many = &model->rehearsed.list[i];
		const struct rehearsed *alone =
		    many->threads == threads ? find_alone(model, *many) : NULL;

		if (alone && !many->cached)
			ratios[count++] = many->cpu_s / alone->cpu_s;
	}
	return count ? median_of(ratios, count) : 0;
}

double load_time_stretch(const struct model *model, unsigned threads)
{
	const double pairs = threads > 1 ? stretch_of_pairs(model, threads) : 1;
	const struct rehearsed *many = find_rehearsed(model,
	    &(struct rehearsed){ .unprocessed = true, .threads = threads });

	if (pairs > 0)
		return fmin(at_least(pairs, 1), stretch_most);
	/* The steps of one thread were timed on a few samples as well. */
	if (many && many->threads != 1 && model->online_s[0] > 0)
		return fmin(at_least(many->cpu_s / model->online_s[0], 1),
		    stretch_most);
	return 1;
}

/* The same representation in this store, or in another one, without a codec. */
static const struct rehearsed *find_plain(
    const struct model *model, struct rehearsed what)
{
	const struct rehearsed *best = NULL;

	for (size_t i = 0; i < model->rehearsed.count; i++) {
		const struct rehearsed *r = &model->rehearsed.list[i];
		const struct codec *codec =
		    &model->plan->strategies.codecs[r->codec];

		if (r->unprocessed || r->cached || r->rep != what.rep ||
		    r->threads != what.threads || codec->ops->decode ||
		    codec->transform)
			continue;
		if (!best || r->store == what.store)
			best = r;
	}
	return best;
}

/* The sum of what was timed step by step. */
static struct work work_summed(
    const struct model *model, const struct rehearsed *what, double decode_s)
{
	const struct rehearsed *plain =
	    what->unprocessed || what->cached ? NULL : find_plain(model, *what);
	const double stretch = load_time_stretch(model, what->threads);
	double busy_s = model->online_s[what->rep];

	if (plain)
		return (struct work){
			work_rehearsed(model, plain, what->threads).busy_s +
			    decode_s * stretch * what->threads /
			        width_of(model, what->threads),
			plain->error
		};
	if (model->machine.copy_bytes_per_s > 0)
		busy_s += model->field_bytes[what->rep] /
		          model->machine.copy_bytes_per_s;
	busy_s = at_least(busy_s + decode_s, least_s) * stretch;
	return (struct work){
		busy_s * what->threads / width_of(model, what->threads), 0
	};
}

static struct work find_work(
    const struct model *model, const struct rehearsed *what, double decode_s)
{
	const struct rehearsed *found = find_rehearsed(model, what);
	struct work work = found ? work_rehearsed(model, found, what->threads)
	                         : work_summed(model, what, decode_s);

	work.busy_s = at_least(work.busy_s / speed_of(model), least_s);
	return work;
}

static struct work work_of(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	struct rehearsed what = { .unprocessed = strategy->unprocessed,
		.threads = load->threads ? load->threads : 1 };
	struct packing_place place;

	if (strategy->unprocessed)
		return find_work(model, &what, 0);
	place = model_place(model, strategy);
	what.rep = strategy->split;
	what.store = place.store;
	what.codec = place.codec;
	return find_work(
	    model, &what, model_packing(model, strategy)->decode_s);
}

/* The part of the cores that others leave to so many threads. */
static double free_part(const struct model *model, const struct load *load)
{
	const double cores = model->machine.cores ? model->machine.cores : 1;
	const unsigned threads = load->threads ? load->threads : 1;
	const double left = at_least(cores - load->others, cores / 10);

	return fmin(left / width_of(model, threads), 1);
}

/* ---- epochs ---- */

static struct epoch_work source_work(
    const struct model *model, const struct load *load)
{
	const struct reader *source = model->source;
	const double n = (double)load->samples;
	const double all = at_least((double)source->samples, 1);
	const double each = all / at_least((double)source->streams, 1);
	struct epoch_work work = { .streams = n / at_least(each, 1e-9),
		.chunks = 1 };

	if (source->streams == 0) {
		work.streams = n;
	} else if (each > LONG_STREAM && model->largest.chunk > 0) {
		work.chunks =
		    ceil(each * model->source_bytes / model->largest.chunk);
	}
	work.streams = at_least(round(work.streams), 1);
	work.bytes = n * model->source_bytes / work.streams / work.chunks;
	work.requests = work.opens =
	    source->files_each * n / work.streams / work.chunks;
	if (source->files_each == 0) {
		work.requests = 1;
		work.stream_opens = 1;
	}
	return work;
}

/* An index is opened and read first, then the data. */
static struct epoch_work stored_work(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const struct model *of = model_of(model, strategy);
	const struct store_ops *store = strategy->store;
	const double n = (double)load->samples;
	const double fields = of->pipeline->schemas[strategy->split].count;
	const double bytes = model_packing(of, strategy)->bytes * n;
	struct epoch_work work = {
		.streams = model_shards(model, strategy, load->samples),
		.requests = 1,
		.stream_requests = 1,
		.stream_opens = 2,
	};
	const double raw = of->field_bytes[strategy->split] * n / work.streams;
	const double many = of->many[strategy->split] * n / work.streams;

	work.chunks = ceil(fmax(raw, bytes / work.streams) /
	                   model_block_bytes(model, strategy));
	if (store->one_shape) {
		work.requests = fields;
		work.stream_opens = fields + 3; /* index, labels, keys */
		work.stream_requests = 3;
	} else if (!store->append) {
		work.chunks =
		    ceil(fmax(raw / STORE_FRAME, many / FOLDER_CHUNK));
		work.stream_opens = 1;
	}
	work.chunks = at_least(fmin(work.chunks, ceil(many)), 1);
	work.bytes = bytes / work.streams / work.chunks;
	if (!store->append && !store->one_shape)
		work.requests = work.opens = many * fields / work.chunks;
	return work;
}

/* Sets the threads and buffers of the loader. */
static void set_threads(const struct model *model,
    const struct strategy *strategy, const struct load *load,
    struct epoch_work *work)
{
	const struct loading loading = {
		.plan = model->plan,
		.pipeline = model_of(model, strategy)->pipeline,
		.from = strategy->unprocessed ? 0 : strategy->split,
		.mode = { .threads = load->threads,
		    .cache = CACHE_SYSTEM,
		    .fetchers = load->fetchers,
		    .read_ahead = load->read_ahead,
		    .shuffle = load->shuffle,
		    .batch = load->batch },
	};
	struct loader_plan filler, loader;
	struct loader_sizes sizes;

	loading_plan(&loading, &filler, &loader);
	loader_find_sizes(&loader, load->samples, &sizes);
	work->fetchers = sizes.fetchers;
	work->workers = load->threads;
	work->buffers = sizes.chunks;
}

struct load_time load_time_warm(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const struct work work =
	    work_of(model_of(model, strategy), strategy, load);

	return (struct load_time){
		.epoch_s = (double)load->samples * work.busy_s /
		           (load->threads ? load->threads : 1) /
		           free_part(model, load),
		.limit = "cpu",
		.error = work.error,
	};
}

/* Names what takes the longest when all else takes no time. */
static const char *find_limit(const struct epoch_work *work,
    const struct storage_speed *speed, double compute_s)
{
	const double chunks = work->streams * work->chunks;
	const double opens =
	    work->opens * chunks + work->stream_opens * work->streams;
	const double requests =
	    work->requests * chunks + work->stream_requests * work->streams;
	const unsigned fetchers = work->fetchers ? work->fetchers : 1;
	double storage_s = 0, latency_s;

	if (speed->bandwidth > 0)
		storage_s = work->bytes * chunks / speed->bandwidth;
	latency_s =
	    (requests * speed->latency + opens * speed->open) / fetchers;
	if (speed->iops > 0)
		latency_s = fmax(latency_s, requests / speed->iops);
	if (speed->opens > 0)
		latency_s = fmax(latency_s, opens / speed->opens);
	if (compute_s >= storage_s + (speed->opens > 0 ? latency_s : 0) &&
	    compute_s >= latency_s)
		return "cpu";
	return latency_s > storage_s ? "latency" : "storage";
}

double load_time_far_s(const struct model *model, unsigned threads)
{
	const struct rehearsed *r = find_rehearsed(model,
	    &(struct rehearsed){ .unprocessed = true, .threads = threads });

	if (!r)
		return 0;
	return at_least(r->sample_s - r->cpu_s / rehearsed_width(model, r), 0);
}

/* It was rehearsed over the server; if not, nothing is known of that. */
static void wait_for_server(
    const struct model *model, const struct load *load, struct load_time *time)
{
	const double part = free_part(model, load);
	const double all_s = time->epoch_s * part;
	const double waits_s =
	    fmin(load_time_far_s(model, load->threads) * (double)load->samples,
	        all_s);

	/* Other programs take time of the cores, and not of the server. */
	time->epoch_s = waits_s + (all_s - waits_s) / part;
	time->is_cold = true;
	time->error = hypot(time->error, far_error);
	if (!find_rehearsed(model, &(struct rehearsed){ .unprocessed = true,
	                               .threads = load->threads })) {
		time->limit = "storage";
		time->error = far_unknown;
	} else if (waits_s > time->epoch_s / 2) {
		time->limit = "storage";
	}
}

struct load_time load_time_cold(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	static const struct storage_speed memory;
	struct load_time time = load_time_warm(model, strategy, load);
	struct epoch_work work = strategy->unprocessed
	                             ? source_work(model, load)
	                             : stored_work(model, strategy, load);
	struct storage_speed speed;
	double alone_s;

	set_threads(model, strategy, load, &work);
	if (!load_speed_find(model, strategy, load, &work, &speed)) {
		if (load_speed_is_far(model, strategy))
			wait_for_server(model, load, &time);
		return time;
	}
	/* So that the workers alone would take the time of a warm epoch. */
	work.compute_s = 1;
	alone_s = epoch_time(&work, &memory);
	time.epoch_s =
	    load_speed_with_reading_s(model, load, &work, time.epoch_s);
	work.compute_s = time.epoch_s / alone_s;
	time.limit = find_limit(&work, &speed, time.epoch_s);
	time.epoch_s = epoch_time(&work, &speed);
	time.error = epoch_time_error(&work, &speed, time.error);
	time.is_cold = true;
	return time;
}

/* The work on a sample that is in the application cache at `at`. */
static struct work cached_work(
    const struct model *of, unsigned at, unsigned threads)
{
	const unsigned last = pipeline_last_split(of->pipeline);
	const struct rehearsed what = {
		.cached = true, .rep = last, .threads = threads
	};
	struct work work;

	if (!find_rehearsed(of, &what))
		return (
		    struct work){ at_least(cache_place_hit_s(of, at), least_s) *
			              load_time_stretch(of, threads) * threads /
			              width_of(of, threads) / speed_of(of),
			0 };
	work = find_work(of, &what, 0);
	/* An earlier place leaves more to do than the last one. */
	work.busy_s +=
	    at_least(
	        cache_place_hit_s(of, at) - cache_place_hit_s(of, last), 0) *
	    load_time_stretch(of, threads) * threads / width_of(of, threads) /
	    speed_of(of);
	return work;
}

struct load_time load_time_cached(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const struct cache_place place = cache_place_of(model, strategy, load);
	const unsigned threads = load->threads ? load->threads : 1;
	const struct work work =
	    cached_work(model_of(model, strategy), place.at, threads);
	const double all_s = (double)load->samples * work.busy_s / threads /
	                     free_part(model, load);
	struct load missed = *load;
	struct load_time time = { .epoch_s = all_s,
		.hits_s = all_s,
		.limit = "cpu",
		.error = work.error };

	if (place.share >= 1)
		return time;
	/* The other samples come from storage in each epoch. */
	missed.cache = CACHE_NONE;
	time = load_time_cold(model, strategy, &missed);
	time.hits_s = place.share * all_s;
	if (time.hits_s >= (1 - place.share) * time.epoch_s)
		time.limit = "cpu";
	time.epoch_s = cache_place_epoch_s(place.share, all_s, time.epoch_s);
	return time;
}

/* Does memory keep less than an epoch reads? */
static bool exceeds_memory(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	return model->machine.memory > 0 &&
	       model_storage_bytes(model, strategy, load->samples) >
	           (double)model->machine.memory;
}

struct load_time load_time_of(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	if (load->cache == CACHE_APPLICATION)
		return load_time_cached(model, strategy, load);
	if (load->cache == CACHE_NONE ||
	    exceeds_memory(model, strategy, load) ||
	    load_speed_is_far(model, strategy))
		return load_time_cold(model, strategy, load);
	return load_time_warm(model, strategy, load);
}
