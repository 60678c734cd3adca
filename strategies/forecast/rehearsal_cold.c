/* rehearsal_cold.c - see rehearsal_cold.h. */
#include "strategies/forecast/rehearsal_cold.h"

#include <math.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal_epochs.h"
#include "strategies/forecast/rehearsal_store.h"

enum {
	/* Bytes to store, at least and at most, if there are as many. */
	COLD_BYTES = 32 << 20,
	COLD_BYTES_MOST = 96 << 20,
	COLD_BYTES_LEAST = 1 << 20, /* fewer say too little */
	/* Shards of few bytes, which are mostly opened. */
	SMALL_SHARDS = 8,
	SMALL_BYTES = 64 << 10, /* of each */
};

/* Reading what is stored takes so long, by the rough speed of the storage. */
static const double cold_s = 0.1;

static bool is_wanted(const struct rehearsal *rehearsal)
{
	const struct plan *plan = rehearsal->model->plan;
	bool cold = false;

	for (unsigned i = 0; i < plan->load.cache_count; i++)
		cold |= plan->load.caches[i] == CACHE_NONE;
	return cold && plan->measure.probe && !plan_emulates(plan) &&
	       rehearsal->how->work_dir && !rehearsal->how->reordered;
}

static bool is_plain(const struct model *model, const struct rehearsed *r)
{
	const struct codec *codec = &model->plan->strategies.codecs[r->codec];

	return !r->unprocessed && !r->cached && !codec->ops->encode &&
	       !codec->transform;
}

/* Time of a thread for a byte. */
static double weight_of_byte(
    const struct model *model, const struct rehearsed *r)
{
	return r->cpu_s / model->packing[r->rep][r->store][r->codec].bytes;
}

/* Bytes of a sample, in a store whose shards are two files. */
static double size_of_sample(
    const struct model *model, const struct rehearsed *r)
{
	return model->plan->strategies.stores[r->store]->append
	           ? model->packing[r->rep][r->store][r->codec].bytes
	           : INFINITY;
}

/* Finds the plain stored data with the least of something; NULL: none. */
static const struct rehearsed *find_least(const struct model *model,
    double (*of)(const struct model *model, const struct rehearsed *r))
{
	const struct rehearsed *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < model->rehearsed.count; i++) {
		const struct rehearsed *r = &model->rehearsed.list[i];
		const double bytes =
		    model->packing[r->rep][r->store][r->codec].bytes;

		if (!is_plain(model, r) || bytes <= 0 || of(model, r) >= least)
			continue;
		best = r;
		least = of(model, r);
	}
	return best;
}

/* Reads what was dropped with so many threads, and notes how long it took. */
static int time_threads(struct rehearsal *rehearsal,
    struct rehearsal_store *store, unsigned threads,
    struct rehearsed_colds *colds, struct error *err)
{
	const double bytes = (double)store->made.bytes;
	const double streams = (double)store->made.reader->streams;
	struct rehearsal_dropped found;

	if (rehearsal_time_dropped(
	        rehearsal, &store->stage, threads, &found, err))
		return -1;
	if (found.wall_s <= 0)
		return 0;
	colds->list[colds->count++] = (struct rehearsed_cold){
		.threads = threads,
		.bytes = bytes,
		.streams = streams,
		/* The last stream is computed when nothing is read. */
		.epoch_s = fmax(found.wall_s - found.warm_cpu_s / streams,
		    found.wall_s / 2),
		.cpu_byte_s = fmax(found.cpu_s - found.warm_cpu_s, 0) / bytes,
	};
	return 0;
}

/* Rehearses data with each number of threads; it has at least so many bytes. */
static int rehearse(struct rehearsal *rehearsal, const struct rehearsed *data,
    double most, unsigned shards, uint64_t least, struct rehearsed_colds *colds,
    struct error *err)
{
	const struct plan_load *load = &rehearsal->model->plan->load;
	const struct rehearsed what = *data;
	struct rehearsal_store store;
	int rc = 0;

	if (rehearsal_store_open(&store, rehearsal, &what, most, shards, err))
		return rehearsal_forgive(err);
	for (unsigned i = 0;
	     rc == 0 && i < load->thread_count && store.made.bytes >= least;
	     i++)
		if (load->threads[i] > 0 && rehearsal_has_time(rehearsal))
			rc = time_threads(
			    rehearsal, &store, load->threads[i], colds, err);
	rehearsal_store_close(&store);
	return rc ? rehearsal_forgive(err) : 0;
}

/* As many bytes as are read in a short time: a ramp of a fast storage counts.
 */
static double large_bytes(const struct rehearsal *rehearsal)
{
	const double byte_s = rehearsal->model->sync.alone.byte_s;
	const double bytes = byte_s > 0 ? cold_s / byte_s : COLD_BYTES;

	return fmin(
	    fmax(fmin(bytes, rehearsal->room), COLD_BYTES), COLD_BYTES_MOST);
}

int rehearsal_cold(struct rehearsal *rehearsal, struct error *err)
{
	struct model *model = rehearsal->model;
	struct rehearsed_list *list = &model->rehearsed;
	const bool wanted = is_wanted(rehearsal);
	const struct rehearsed *lightest =
	    wanted ? find_least(model, weight_of_byte) : NULL;
	const struct rehearsed *smallest =
	    wanted ? find_least(model, size_of_sample) : NULL;
	const uint64_t start = clock_now(&clock_monotonic);
	int rc = 0;

	if (lightest && rehearsal_has_time(rehearsal))
		rc = rehearse(rehearsal, lightest, large_bytes(rehearsal), 0,
		    COLD_BYTES_LEAST, &list->cold, err);
	if (rc == 0 && smallest && rehearsal_has_time(rehearsal))
		rc = rehearse(rehearsal, smallest,
		    (double)SMALL_SHARDS * SMALL_BYTES, SMALL_SHARDS, 0,
		    &list->cold_small, err);
	/* The rehearsals in memory have all of their time. */
	rehearsal->deadline_ns += clock_now(&clock_monotonic) - start;
	return rc;
}
