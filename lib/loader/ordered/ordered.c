/*
 * ordered.c - see ordered.h: the consumer's side, and the life of a run.
 *
 * A run is the work from a position on, for as many epochs as the consumer
 * takes.  A seek, or an error, ends it: all threads leave it, and the next call
 * begins another one.
 */
#include "lib/loader/ordered/ordered.h"

#include <unistd.h>

#include "lib/loader/ordered/ordered_output.h"
#include "lib/loader/ordered/ordered_run.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/sample/batch_home.h"

/* ---- messages to the consumer and the workers ---- */

void ordered_notify(struct ordered_loader *loader)
{
	consumer_notify(&loader->consumer);
}

void ordered_fail_locked(
    struct ordered_loader *loader, uint64_t slot, const struct error *err)
{
	if (slot < atomic_load(&loader->failed)) {
		loader->err = *err;
		atomic_store(&loader->failed, slot);
	}
	ordered_tell_workers(loader);
	pthread_cond_broadcast(&loader->room);
}

void ordered_fail(
    struct ordered_loader *loader, uint64_t slot, const struct error *err)
{
	pthread_mutex_lock(&loader->lock);
	ordered_fail_locked(loader, slot, err);
	pthread_mutex_unlock(&loader->lock);
}

void ordered_tell_workers(struct ordered_loader *loader)
{
	loader->events++;
	if (loader->workers_waiting)
		pthread_cond_broadcast(&loader->workable);
}

/* ---- positions ---- */

uint64_t ordered_loader_samples(const struct ordered_loader *loader)
{
	return loader->makes_many ? 0 : loader->order.end - loader->order.begin;
}

uint64_t ordered_loader_batches(const struct ordered_loader *loader)
{
	return loader->makes_many ? 0 : order_batches(&loader->order);
}

uint64_t ordered_loader_order(const struct ordered_loader *loader)
{
	return order_fingerprint(&loader->order);
}

uint64_t ordered_loader_skipped(const struct ordered_loader *loader)
{
	return atomic_load(&loader->skipped);
}

uint64_t ordered_loader_filtered(const struct ordered_loader *loader)
{
	return atomic_load(&loader->filtered);
}

struct ordered_position ordered_loader_position(
    const struct ordered_loader *loader)
{
	return loader->position;
}

void ordered_loader_seek(
    struct ordered_loader *loader, struct ordered_position position)
{
	if (position.epoch == loader->position.epoch &&
	    position.batch == loader->position.batch)
		return;
	loader->position = position;
	if (loader->is_running && loader->process == getpid())
		ordered_run_stop(loader);
}

void ordered_loader_interrupt(struct ordered_loader *loader)
{
	consumer_interrupt(&loader->consumer);
}

/* ---- the next batch, with the lock held ---- */

/*
 * Takes the next batch if it is full.  Says first which one that is, so that
 * the worker that fills it sooner or later knows whom to wake.
 */
static struct batch *take_full(struct ordered_loader *loader)
{
	atomic_store(&loader->waited, loader->taken);
	return ordered_output_take(loader);
}

/* Drops batches that are not delivered; false: one of them is not full yet. */
static bool drop_batches(struct ordered_loader *loader)
{
	while (loader->taken < loader->drop_until) {
		struct batch *batch = take_full(loader);

		if (!batch)
			return false;
		batch_give(batch);
	}
	return true;
}

/* Is the consumer behind the last batch of its epoch? */
static bool is_at_end(struct ordered_loader *loader)
{
	const struct ordered_end *end =
	    &loader->ends[loader->ends_taken % ORDERED_ENDS];

	return loader->ends_taken < loader->ends_known &&
	       loader->taken >= end->batch;
}

void ordered_count_lost(struct ordered_loader *loader, uint64_t slot)
{
	while (loader->lost_first < loader->lost_count &&
	       loader->lost[loader->lost_first].slot <= slot)
		atomic_fetch_add(
		    &loader->skipped, loader->lost[loader->lost_first++].count);
}

/* The position behind a span, or in front of the next epoch. */
static void pass_span(struct ordered_loader *loader)
{
	if (loader->plan.by_spans) {
		loader->spans_taken++;
		loader->is_between = true;
		return;
	}
	loader->position.epoch++;
	loader->position.batch = 0;
}

static void pass_end(struct ordered_loader *loader)
{
	const struct ordered_end *end =
	    &loader->ends[loader->ends_taken % ORDERED_ENDS];

	ordered_count_lost(loader, end->slot);
	if (end->drops)
		loader->drop_until = end->batch + 1;
	loader->ends_taken++;
	pass_span(loader);
	if (loader->fetchers_waiting)
		pthread_cond_broadcast(&loader->fetchable);
}

static enum answer take_batch(
    struct ordered_loader *loader, struct batch **batch, struct error *err)
{
	if (!drop_batches(loader))
		*batch = NULL;
	else if (is_at_end(loader)) {
		pass_end(loader);
		return ANSWER_END;
	} else
		*batch = take_full(loader);
	if (*batch) {
		loader->position.batch++;
		return ANSWER_BATCH;
	}
	if (atomic_load(&loader->failed) != UINT64_MAX &&
	    loader->workers_running == 0) {
		*err = loader->err;
		return ANSWER_ERROR;
	}
	ordered_output_make_room(loader);
	return ANSWER_WAIT;
}

/* Begins or continues a run, and looks for the next batch. */
static enum answer look(void *arg, struct batch **batch, struct error *err)
{
	struct ordered_loader *loader = arg;
	enum answer answer;

	pthread_mutex_lock(&loader->lock);
	if (loader->is_stopping && loader->running == 0)
		ordered_run_clear(loader);
	if (!loader->is_running && !loader->is_stopping)
		ordered_run_begin(loader);
	answer =
	    loader->is_stopping ? ANSWER_WAIT : take_batch(loader, batch, err);
	pthread_mutex_unlock(&loader->lock);
	if (answer == ANSWER_BATCH && loader->gaps > 0)
		batch_close_gaps(*batch, (*batch)->count);
	if (answer == ANSWER_ERROR)
		ordered_run_stop(loader);
	return answer;
}

/* A batch that has lost all its samples is not delivered. */
static bool is_empty(struct batch *batch)
{
	if (batch->count > 0)
		return false;
	batch_give(batch);
	return true;
}

static int check_process(const struct ordered_loader *loader, struct error *err)
{
	if (loader->process == 0 || loader->process == getpid())
		return 0;
	return error_set(err, ERROR_USAGE,
	    "this loader was used in process %ld, and a fork does not copy its "
	    "threads; make a loader in the process that uses it",
	    (long)loader->process);
}

int ordered_loader_next(struct ordered_loader *loader, unsigned wait_ms,
    struct batch **batch, struct error *err)
{
	struct consumer_wait wait = { .look = look, .loader = loader };
	enum answer answer;

	*batch = NULL;
	if (check_process(loader, err) ||
	    consumer_is_interrupted(&loader->consumer, err))
		return -1;
	if (loader->plan.by_spans && ordered_span_begin(loader, err))
		return -1;
	if (loader->order.begin == loader->order.end) {
		pass_span(loader);
		return 0;
	}
	if (ordered_run_start_threads(loader, err))
		return -1;
	wait.end_ns = consumer_end_ns(wait_ms);
	do {
		answer = look(loader, batch, err);
		if (answer == ANSWER_WAIT)
			answer =
			    consumer_wait(&loader->consumer, &wait, batch, err);
	} while (answer == ANSWER_BATCH && is_empty(*batch));
	return (int)answer;
}
