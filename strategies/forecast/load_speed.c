/* load_speed.c - see load_speed.h. */
#include "strategies/forecast/load_speed.h"

#include <math.h>
#include <stdlib.h>

#include "lib/measure/storage/cold.h"
#include "lib/sample/reader.h"
#include "strategies/forecast/predict.h"

/* Seconds to open one of the probe's files, beside reading it. */
static double open_seconds(
    const struct ceiling *files, const struct ceiling *large)
{
	if (!files || !files->cold || files->requests_per_s <= 0)
		return 0;
	return fmax(1 / files->requests_per_s -
	                (double)files->file_bytes / large->bytes_per_s,
	    0);
}

static bool is_of_storage(const struct ceiling *large)
{
	return large && large->cold && large->bytes_per_s > 0;
}

/* A ceiling that was measured in memory says nothing of the storage. */
static bool measured_speed(const struct ceilings *storage, unsigned fetchers,
    struct storage_speed *speed)
{
	const struct ceiling *large =
	    ceilings_find(storage, CEILING_SEQUENTIAL, fetchers);
	const struct ceiling *one =
	    ceilings_find(storage, CEILING_SEQUENTIAL, 1);
	double open_s, alone_s;

	if (!is_of_storage(large))
		return false;
	speed->bandwidth = large->bytes_per_s;
	open_s = open_seconds(
	    ceilings_find(storage, CEILING_FILES, fetchers), large);
	if (open_s > 0)
		speed->opens = 1 / open_s;
	if (fetchers < 2 || !is_of_storage(one) || one->threads != 1)
		return true;
	if (one->bytes_per_s < large->bytes_per_s)
		speed->stream = one->bytes_per_s;
	alone_s = open_seconds(ceilings_find(storage, CEILING_FILES, 1), one);
	if (open_s > 0 && alone_s > open_s)
		speed->open = alone_s - open_s;
	return true;
}

/* Files that an epoch opens. */
static double opens_of(const struct epoch_work *work)
{
	return (work->opens * work->chunks + work->stream_opens) *
	       work->streams;
}

/* How fast files are read by as many threads as fetch. */
static const struct read_cost *reading_of(
    const struct model *model, const struct epoch_work *work)
{
	return work->fetchers > 1 && model->sync.together.file_s > 0
	           ? &model->sync.together
	           : &model->sync.alone;
}

/* The rehearsal with so many threads, or with the nearest number. */
static const struct rehearsed_cold *find_nearest(
    const struct rehearsed_colds *colds, unsigned threads)
{
	const struct rehearsed_cold *best = NULL;

	for (unsigned i = 0; i < colds->count; i++) {
		const struct rehearsed_cold *cold = &colds->list[i];

		if (!best || abs((int)cold->threads - (int)threads) <
		                 abs((int)best->threads - (int)threads))
			best = cold;
	}
	return best;
}

const struct rehearsed_cold *load_speed_rehearsed(
    const struct model *model, unsigned threads)
{
	return find_nearest(&model->rehearsed.cold, threads);
}

double load_speed_with_reading_s(const struct model *model,
    const struct load *load, const struct epoch_work *work, double warm_s)
{
	const struct rehearsed_cold *cold =
	    load_speed_rehearsed(model, load->threads);
	const double cores = fmax(model->machine.cores, 1);
	const double width = fmin(fmax(load->threads, 1), cores);
	const double bytes = work->bytes * work->chunks * work->streams;

	if (!cold || plan_emulates(model->plan) || model->machine.storage)
		return warm_s;
	return fmax(
	    warm_s, (warm_s * width + bytes * cold->cpu_byte_s) / cores);
}

/* Streams that each thread reads, one after the other. */
static double turns_of(const struct rehearsed_cold *cold)
{
	return cold->streams / fmin(cold->threads, cold->streams);
}

/*
 * Seconds of a thread to begin a stream, a shard with its index: what shards of
 * few bytes take beyond their part of the time of large ones.  0: not known.
 */
static double rehearsed_stream_s(const struct model *model, unsigned threads)
{
	const struct rehearsed_cold *large =
	    find_nearest(&model->rehearsed.cold, threads);
	const struct rehearsed_cold *small =
	    find_nearest(&model->rehearsed.cold_small, threads);
	double part, turns;

	if (!large || !small || large->threads != small->threads ||
	    large->epoch_s <= 0 || small->epoch_s <= 0)
		return 0;
	part = small->bytes / large->bytes;
	turns = turns_of(small) - part * turns_of(large);
	/* Both have shards of about one size: it cannot be told. */
	if (turns < turns_of(small) / 2)
		return 0;
	return fmax(small->epoch_s - part * large->epoch_s, 0) / turns;
}

/*
 * The names and inodes of a few files stay in memory when their data is dropped
 * (residency.h).  The many small files of a probe were opened without: opening
 * a few takes as long as their first bytes.  A file that is not large is read
 * more slowly than the bandwidth says, since little of it is read ahead.
 */
static void open_few(const struct model *model, const struct epoch_work *work,
    struct storage_speed *speed)
{
	const struct read_cost *cost = reading_of(model, work);
	const double stream_s = rehearsed_stream_s(model, work->workers);
	const double bytes =
	    fmin(work->bytes * work->chunks, (double)SYNC_LARGE);
	double late_s;

	if (opens_of(work) > COLD_FEW_FILES || cost->file_s <= 0)
		return;
	speed->opens = 0;
	speed->open = cost->file_s;
	if (speed->bandwidth <= 0 || work->stream_opens < 2)
		return;
	if (stream_s > 0) {
		speed->open = stream_s / 2;
		return;
	}
	/* The other file of the stream is its small index. */
	late_s = fmin(read_cost_s(cost, bytes) - bytes / speed->bandwidth,
	    cost->middle_s);
	speed->open += fmax(late_s - cost->file_s, 0) / work->stream_opens;
}

/* Bytes per second of so many threads that rehearse; 0: not known. */
static double rehearsed_bandwidth(const struct model *model, unsigned threads)
{
	const struct rehearsed_cold *cold =
	    load_speed_rehearsed(model, threads);
	double open_s;

	if (!cold || cold->epoch_s <= 0)
		return 0;
	open_s = rehearsed_stream_s(model, threads);
	/* The index of each shard is opened as well. */
	if (open_s <= 0)
		open_s = 2 * model->sync.alone.file_s;
	open_s *= turns_of(cold);
	return cold->bytes / fmax(cold->epoch_s - open_s, cold->epoch_s / 2);
}

/* The loader reads no faster than in its rehearsals. */
static void slow_down(
    const struct model *model, unsigned threads, struct storage_speed *speed)
{
	const double all = rehearsed_bandwidth(model, threads);
	const double one = rehearsed_bandwidth(model, 1);

	if (all > 0 && (speed->bandwidth <= 0 || all < speed->bandwidth))
		speed->bandwidth = all;
	if (one > 0 && one < speed->bandwidth &&
	    (speed->stream <= 0 || one < speed->stream))
		speed->stream = one;
}

bool load_speed_is_far(
    const struct model *model, const struct strategy *strategy)
{
	return strategy->unprocessed && model->source &&
	       model->source->is_far && !model->machine.storage &&
	       !plan_emulates(model->plan) && !model->source_ceilings.count;
}

bool load_speed_find(const struct model *model, const struct strategy *strategy,
    const struct load *load, const struct epoch_work *work,
    struct storage_speed *speed)
{
	const struct storage_limits *limits = &model->plan->limits;

	*speed = (struct storage_speed){ .bandwidth = 0 };
	if (model->machine.storage) {
		*speed = *model->machine.storage;
		return true;
	}
	if (load_speed_is_far(model, strategy))
		return false;
	if (!plan_emulates(model->plan)) {
		if (measured_speed(model_ceilings(model, strategy),
		        work->fetchers, speed)) {
			if (!strategy->unprocessed)
				slow_down(model, load->threads, speed);
			open_few(model, work, speed);
			return true;
		}
		/*
		 * It was not probed: a rough idea of the work folder, for the
		 * dataset as well.  Memory would be no better one, and favour
		 * strategies that store nothing.
		 */
		if (model->sync.alone.byte_s <= 0)
			return false;
		speed->bandwidth = 1 / model->sync.alone.byte_s;
		speed->open = model->sync.alone.file_s;
		speed->latency = model->sync.alone.file_s;
		if (!strategy->unprocessed)
			slow_down(model, load->threads, speed);
		return true;
	}
	if (load->cache == CACHE_SYSTEM)
		return false; /* data beyond memory is read as it is */
	speed->bandwidth = limits->bandwidth;
	speed->latency = limits->latency;
	speed->iops = limits->iops;
	speed->open = limits->open;
	speed->stream = limits->stream;
	speed->opens = limits->opens;
	/* It copies what a warm epoch maps, from beyond the caches. */
	if (model->machine.copy_bytes_per_s > 0 && speed->stream <= 0)
		speed->stream = model->machine.copy_bytes_per_s / 2;
	return true;
}
