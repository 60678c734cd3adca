/* ordered_worker.c - takes samples, runs the steps, fills slots of batches. */
#include "lib/loader/ordered/ordered_worker.h"

#include "lib/loader/ordered/ordered_many.h"
#include "lib/loader/ordered/ordered_output.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/loader/ordered/ordered_take.h"
#include "lib/loader/ordered/ordered_view.h"
#include "lib/sample/batch_home.h"
#include "lib/sample/skipped.h"

enum { QUIET_MOST = 16 }; /* takes without waking the consumer */

int ordered_worker_init(struct ordered_worker *worker,
    struct ordered_loader *loader, struct error *err)
{
	const struct ordered_plan *plan = &loader->plan;
	const struct chain_plan steps = {
		.pipeline = plan->pipeline,
		.from = plan->from,
		.to = plan->to,
		.decode = plan->reader->decode,
		.pool = batch_home_pool(loader->home),
	};

	worker->loader = loader;
	worker->chain = chain_new(&steps, err);
	if (!worker->chain)
		return -1;
	if (loader->makes_many)
		worker->helper = chain_new(&steps, err);
	if (loader->makes_many && !worker->helper)
		return -1;
	worker->only_copies = chain_only_copies(worker->chain);
	worker->joins = schema_bytes(&plan->pipeline->schemas[plan->to]) >= 0;
	return reader_unpacker_new(plan->reader, &worker->unpacker, err);
}

void ordered_worker_release(struct ordered_worker *worker)
{
	if (!worker->loader)
		return;
	reader_unpacker_free(worker->loader->plan.reader, worker->unpacker);
	chain_free(worker->helper);
	chain_free(worker->chain);
}

int ordered_worker_refuse(
    struct ordered_worker *worker, uint64_t slot, const char *where)
{
	struct ordered_loader *loader = worker->loader;

	/* A truncated file reads as zeros: blames the file for the damage. */
	if (worker->err.code == ERROR_DATA &&
	    chunk_check(worker->source, 0, &worker->err)) {
		ordered_fail(loader, slot, &worker->err);
		return -1;
	}
	if (!loader->plan.skip_errors || worker->err.code != ERROR_DATA) {
		error_prefix(&worker->err, "sample %s", where);
		ordered_fail(loader, slot, &worker->err);
		return -1;
	}
	skipped_add(loader->plan.skipped, where, worker->err.text);
	return 0;
}

/*
 * Copies a sample as it is, sooner or later: ordered_output_tell copies what is
 * left.
 */
static int pass_on(struct ordered_worker *worker, const struct sample *in,
    struct batch *batch, unsigned slot)
{
	struct sample *out = &batch->slots[slot];

	if (chain_admit(worker->chain, in, &worker->err) ||
	    batch_put(batch, slot, in->key, &worker->err))
		return -1;
	if (!(worker->loader->view_window &&
	        ordered_view_make(worker, batch, slot, in)) &&
	    copy_run_add(&worker->run, in, out, &worker->err))
		return -1;
	out->label = in->label;
	out->count = in->count;
	if (!worker->joins)
		copy_run_flush(&worker->run);
	return 1;
}

/* Makes a sample in its slot: 1, 0 if it made none, -1 if a step refused it. */
static int make(struct ordered_worker *worker, const struct sample *in,
    struct batch *batch, unsigned slot)
{
	struct sample *out = &batch->slots[slot];
	int got;

	if (worker->only_copies)
		return pass_on(worker, in, batch, slot);
	if (chain_begin(worker->chain, in, &worker->err))
		return -1;
	got = chain_next(worker->chain, out, &worker->err);
	if (got > 0 && batch_put(batch, slot, out->key, &worker->err))
		return -1;
	return got;
}

/* Runs sample `i` of the take; false if it was not begun: the run is over. */
static bool run_sample(struct ordered_worker *worker, unsigned i, uint64_t slot)
{
	unsigned in_batch;
	struct batch *batch = ordered_output_open(worker, slot, &in_batch);
	char where[KEY_TEXT];
	int got;

	if (!batch)
		return false;
	got = make(worker, &worker->take.samples[i], batch, in_batch);
	if (got < 0) {
		ordered_take_where(worker, i, where);
		if (ordered_worker_refuse(worker, slot, where))
			return true;
	}
	if (got <= 0)
		batch->slots[in_batch].count = 0;
	ordered_output_done(worker, got > 0    ? SLOT_FILLED
	                            : got == 0 ? SLOT_DROPPED
	                                       : SLOT_SKIPPED);
	return true;
}

/* Finds the slot of sample `i` of the take; false: it is not wanted. */
static bool find_slot(struct ordered_worker *worker, unsigned i, uint64_t *slot)
{
	const struct ordered_take *take = &worker->take;
	const struct epoch_order *order = &take->order;
	const uint64_t place =
	    order_place(&worker->places, order, take->index + i);

	*slot = take->slot + (place - order->first);
	return place >= order->first && place < order->end &&
	       !ordered_is_over(worker->loader, *slot);
}

/* Runs the first steps of samples from `i` on, if several cost less. */
static unsigned prepare(
    struct ordered_worker *worker, unsigned i, uint64_t slot)
{
	struct ordered_take *take = &worker->take;
	const unsigned most = chain_several(worker->chain);
	unsigned count = 1;
	uint64_t ignored;

	while (count < most && i + count < take->count &&
	       find_slot(worker, i + count, &ignored))
		count++;
	if (count > 1 && chain_prepare(worker->chain, &take->samples[i], count,
	                     &worker->err)) {
		ordered_fail(worker->loader, slot, &worker->err);
		return 0;
	}
	return count;
}

static void run_take(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	const struct ordered_take *take = &worker->take;
	unsigned prepared = 0;
	uint64_t slot;

	worker->source = &take->chunk->chunk;
	worker->viewed = 0;
	chain_set_draw(worker->chain, loader->plan.seed, take->order.epoch);
	for (unsigned i = 0; i < take->count; i++) {
		const bool is_wanted = find_slot(worker, i, &slot);

		if (is_wanted && prepared == 0)
			prepared = prepare(worker, i, slot);
		if (is_wanted && prepared && run_sample(worker, i, slot)) {
			prepared--;
		} else if (prepared) { /* drops them */
			chain_set_draw(worker->chain, loader->plan.seed,
			    take->order.epoch);
			prepared = 0;
		}
	}
	ordered_output_tell(worker);
	ordered_take_end(loader, take->chunk);
}

void ordered_worker_wait(struct ordered_worker *worker, uint64_t seen)
{
	struct ordered_loader *loader = worker->loader;

	ordered_output_announce(worker);
	pthread_mutex_lock(&loader->lock);
	while (loader->events == seen && !atomic_load(&loader->stop)) {
		loader->workers_waiting++;
		pthread_cond_wait(&loader->workable, &loader->lock);
		loader->workers_waiting--;
	}
	pthread_mutex_unlock(&loader->lock);
}

static uint64_t read_events(struct ordered_loader *loader)
{
	uint64_t events;

	pthread_mutex_lock(&loader->lock);
	events = loader->events;
	pthread_mutex_unlock(&loader->lock);
	return events;
}

static void run_samples(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	enum taken got = TAKE_NOTHING;
	unsigned quiet = 0;

	while (got != TAKE_OVER && !atomic_load(&loader->stop)) {
		const uint64_t seen = read_events(loader);

		got = ordered_take(worker);
		if (got == TAKE_SAMPLES)
			run_take(worker);
		else if (got == TAKE_NOTHING)
			ordered_worker_wait(worker, seen);
		if (++quiet % QUIET_MOST == 0)
			ordered_output_announce(worker);
	}
}

void ordered_worker_run(struct ordered_worker *worker)
{
	worker->opened = 0;
	worker->batch = NULL;
	worker->done_count = 0;
	worker->run.count = 0;
	worker->is_quiet = false;
	if (worker->loader->makes_many)
		ordered_many_run(worker);
	else
		run_samples(worker);
	ordered_output_announce(worker);
	chain_rest(worker->chain);
	if (worker->helper)
		chain_rest(worker->helper);
}
