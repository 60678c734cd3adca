/* ordered_output.c - see ordered_output.h. */
#include "lib/loader/ordered/ordered_output.h"

#include "lib/base/copy.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/loader/ordered/ordered_view.h"
#include "lib/sample/batch_home.h"

static struct ordered_output *output_of(
    struct ordered_loader *loader, uint64_t batch)
{
	return &loader->outputs[batch % loader->output_count];
}

/* ---- opening batches ---- */

/* Returns how many slots a batch has, as far as the ends are known. */
static unsigned slots_of(const struct ordered_loader *loader, uint64_t batch)
{
	uint64_t i = loader->ends_taken;

	/* A batch may be dropped behind the end that was taken last. */
	for (i -= i > 0; i < loader->ends_known; i++) {
		const struct ordered_end *end = &loader->ends[i % ORDERED_ENDS];

		if (end->rest && batch + 1 == end->batch + end->drops)
			return end->rest;
	}
	return loader->plan.batch;
}

/* Opens the next batch; with the lock held. */
static int open_next(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	const uint64_t number = atomic_load(&loader->opened);
	struct ordered_output *output = output_of(loader, number);

	output->batch = batch_home_take(loader->home, &worker->err);
	if (!output->batch)
		return -1;
	output->slots = slots_of(loader, number);
	atomic_store(&output->gaps, 0);
	atomic_store(&output->dropped, 0);
	atomic_store(&output->missing, output->slots);
	atomic_store(&output->making, output->slots);
	output->is_mixed = false;
	atomic_store(&loader->opened, number + 1);
	return 0;
}

/* Waits until the ring has room for the batch; with the lock held. */
static bool wait_for_room(
    struct ordered_worker *worker, uint64_t batch, uint64_t slot)
{
	struct ordered_loader *loader = worker->loader;

	loader->room_waiters++;
	if (batch >= loader->taken + loader->output_count)
		ordered_notify(loader);
	while (batch >= loader->taken + loader->output_count &&
	       !ordered_is_over(loader, slot))
		pthread_cond_wait(&loader->room, &loader->lock);
	loader->room_waiters--;
	return !ordered_is_over(loader, slot);
}

/* ---- slots ---- */

/*
 * Waking the consumer takes as long as copying 50 kB.  Where samples are only
 * copied, it is woken once for several batches.
 */
void ordered_output_announce(struct ordered_worker *worker)
{
	if (!worker->is_quiet)
		return;
	worker->is_quiet = false;
	ordered_notify(worker->loader);
}

/* Tells of the slots of one batch. */
static void tell_batch(
    struct ordered_worker *worker, const struct ordered_done *done)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_output *output = output_of(loader, done->batch);

	if (ordered_view_done(loader, output, done->slots, &worker->err)) {
		ordered_fail(
		    loader, done->batch * loader->plan.batch, &worker->err);
		return;
	}
	if (atomic_fetch_sub(&output->missing, done->slots) == done->slots &&
	    atomic_load(&loader->waited) == done->batch)
		worker->is_quiet = true;
}

/* Returns the least batch of the slots that are to be told of. */
static uint64_t least_batch(const struct ordered_worker *worker, unsigned count)
{
	uint64_t least = worker->done[0].batch;

	for (unsigned i = 1; i < count; i++)
		if (worker->done[i].batch < least)
			least = worker->done[i].batch;
	return least;
}

static void tell(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	const unsigned count = worker->done_count;

	worker->done_count = 0;
	copy_run_flush(&worker->run);
	/* Were mapped files whole while samples were made from them? */
	if (chunk_check(worker->source, 0, &worker->err)) {
		ordered_fail(loader,
		    least_batch(worker, count) * loader->plan.batch,
		    &worker->err);
		return;
	}
	copy_fence();
	for (unsigned i = 0; i < count; i++)
		tell_batch(worker, &worker->done[i]);
}

/* Notes a slot that stays empty. */
static void note_gap(struct ordered_worker *worker, enum slot_end end)
{
	struct ordered_output *output =
	    output_of(worker->loader, worker->filling);

	atomic_fetch_add(&output->gaps, 1);
	if (end == SLOT_DROPPED)
		atomic_fetch_add(&output->dropped, 1);
}

void ordered_output_done(struct ordered_worker *worker, enum slot_end end)
{
	const unsigned count = worker->done_count;

	if (end != SLOT_FILLED)
		note_gap(worker, end);
	if (count > 0 && worker->done[count - 1].batch == worker->filling) {
		worker->done[count - 1].slots++;
		return;
	}
	if (count == ORDERED_TAKE)
		tell(worker);
	worker->done[worker->done_count++] =
	    (struct ordered_done){ .batch = worker->filling, .slots = 1 };
}

void ordered_output_tell(struct ordered_worker *worker)
{
	if (worker->done_count > 0)
		tell(worker);
	if (!worker->only_copies)
		ordered_output_announce(worker);
}

/* Opens all batches up to this one. */
static bool open_until(
    struct ordered_worker *worker, uint64_t batch, uint64_t slot)
{
	struct ordered_loader *loader = worker->loader;
	bool is_over;
	int rc = 0;

	ordered_output_tell(worker);
	pthread_mutex_lock(&loader->lock);
	is_over = !wait_for_room(worker, batch, slot);
	while (!is_over && rc == 0 && atomic_load(&loader->opened) <= batch)
		rc = open_next(worker);
	worker->opened = atomic_load(&loader->opened);
	pthread_mutex_unlock(&loader->lock);
	if (rc)
		ordered_fail(loader, slot, &worker->err);
	return !is_over && rc == 0;
}

struct batch *ordered_output_open(
    struct ordered_worker *worker, uint64_t slot, unsigned *in_batch)
{
	struct ordered_loader *loader = worker->loader;
	const uint64_t size = loader->plan.batch;

	/* A slot that is not told of keeps its batch open. */
	if (!worker->batch || slot - worker->filling * size >= size) {
		const uint64_t batch = slot / size;

		worker->batch = NULL;
		if (batch >= worker->opened && !open_until(worker, batch, slot))
			return NULL;
		worker->filling = batch;
		worker->batch = output_of(loader, batch)->batch;
	}
	*in_batch = (unsigned)(slot - worker->filling * size);
	return worker->batch;
}

/* ---- the consumer's side ---- */

void ordered_output_shorten(struct ordered_loader *loader, uint64_t slot)
{
	const unsigned rest = (unsigned)(slot % loader->plan.batch);
	const uint64_t batch = slot / loader->plan.batch;
	struct ordered_output *output = output_of(loader, batch);

	if (rest == 0 || batch >= atomic_load(&loader->opened))
		return;
	output->slots = rest;
	atomic_fetch_sub(&output->missing, loader->plan.batch - rest);
}

void ordered_output_make_room(struct ordered_loader *loader)
{
	if (loader->room_waiters == 0 || loader->room_told == loader->taken)
		return;
	loader->room_told = loader->taken;
	pthread_cond_broadcast(&loader->room);
}

struct batch *ordered_output_take(struct ordered_loader *loader)
{
	const uint64_t opened = atomic_load(&loader->opened);
	struct ordered_output *output = output_of(loader, loader->taken);
	struct batch *batch = output->batch;
	unsigned dropped;

	if (loader->taken == opened || atomic_load(&output->missing) > 0)
		return NULL;
	output->batch = NULL;
	loader->taken++;
	if (opened - loader->taken <= loader->output_count / 2)
		ordered_output_make_room(loader);
	batch->count = output->slots;
	loader->gaps = atomic_load(&output->gaps);
	dropped = atomic_load(&output->dropped);
	atomic_fetch_add(&loader->skipped, loader->gaps - dropped);
	atomic_fetch_add(&loader->filtered, dropped);
	ordered_count_lost(loader, loader->taken * loader->plan.batch - 1);
	return batch;
}
