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
	COLD_BYTES = 32 << 20,      /* the most that is stored */
	COLD_BYTES_LEAST = 1 << 20, /* fewer say too little */
};

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

/* Finds the stored data with the least time of a thread for each byte. */
static const struct rehearsed *find_lightest(const struct model *model)
{
	const struct rehearsed *best = NULL;
	double best_s = 0;

	for (size_t i = 0; i < model->rehearsed.count; i++) {
		const struct rehearsed *r = &model->rehearsed.list[i];
		const double bytes =
		    model->packing[r->rep][r->store][r->codec].bytes;

		if (!is_plain(model, r) || bytes <= 0)
			continue;
		if (!best || r->cpu_s / bytes < best_s) {
			best = r;
			best_s = r->cpu_s / bytes;
		}
	}
	return best;
}

/* Reads what was dropped with so many threads, and notes how long it took. */
static int time_threads(struct rehearsal *rehearsal,
    struct rehearsal_store *store, unsigned threads, struct error *err)
{
	struct rehearsed_list *list = &rehearsal->model->rehearsed;
	const double bytes = (double)store->made.bytes;
	struct rehearsal_dropped found;

	if (rehearsal_time_dropped(
	        rehearsal, &store->stage, threads, &found, err))
		return -1;
	if (found.wall_s <= 0)
		return 0;
	list->cold[list->cold_count++] = (struct rehearsed_cold){
		.threads = threads,
		.bytes = bytes,
		.streams = (double)store->made.reader->streams,
		.epoch_s = found.wall_s,
		.cpu_byte_s = fmax(found.cpu_s - found.warm_cpu_s, 0) / bytes,
	};
	return 0;
}

int rehearsal_cold(struct rehearsal *rehearsal, struct error *err)
{
	const struct plan_load *load = &rehearsal->model->plan->load;
	const struct rehearsed *lightest =
	    is_wanted(rehearsal) ? find_lightest(rehearsal->model) : NULL;
	const uint64_t start = clock_now(&clock_monotonic);
	struct rehearsal_store store;
	struct rehearsed what;
	int rc = 0;

	if (!lightest || !rehearsal_has_time(rehearsal))
		return 0;
	what = *lightest;
	if (rehearsal_store_open(&store, rehearsal, &what, COLD_BYTES, err))
		return rehearsal_forgive(err);
	for (unsigned i = 0; rc == 0 && i < load->thread_count &&
	                     store.made.bytes >= COLD_BYTES_LEAST;
	     i++)
		if (load->threads[i] > 0 && rehearsal_has_time(rehearsal))
			rc = time_threads(
			    rehearsal, &store, load->threads[i], err);
	rehearsal_store_close(&store);
	/* The rehearsals in memory have all of their time. */
	rehearsal->deadline_ns += clock_now(&clock_monotonic) - start;
	return rc ? rehearsal_forgive(err) : 0;
}
