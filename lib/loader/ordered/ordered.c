/*
 * ordered.c - see ordered.h: the consumer's side, and the life of a run.
 *
 * A run is the work from a position on, for as many epochs as the consumer
 * takes.  A seek, or an error, ends it: all threads leave it, and the next call
 * begins another one.
 */
#define _GNU_SOURCE /* sem_clockwait */
#include "lib/loader/ordered/ordered.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/loader/ordered/ordered_output.h"
#include "lib/loader/ordered/ordered_run.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/sample/batch_home.h"

/* ---- messages to the consumer and the workers ---- */

void ordered_notify(struct ordered_loader *loader)
{
	if (atomic_exchange(&loader->consumer_waits, false))
		sem_post(&loader->news);
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
	const int kept = errno;

	atomic_store(&loader->interrupted, true);
	sem_post(&loader->news);
	errno = kept;
}

/* ---- the next batch, with the lock held ---- */

enum answer { ANSWER_ERROR = -1, ANSWER_END, ANSWER_BATCH, ANSWER_WAIT };

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
static enum answer look(
    struct ordered_loader *loader, struct batch **batch, struct error *err)
{
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

/* ---- waiting ---- */

static struct timespec later(unsigned wait_ms)
{
	const uint64_t at =
	    clock_now(&clock_monotonic) + (uint64_t)wait_ms * 1000000;

	return (struct timespec){
		.tv_sec = (time_t)(at / 1000000000),
		.tv_nsec = (long)(at % 1000000000),
	};
}

/* Waits for news, all of which the next look is for; false: too long. */
static bool wait_for_news(
    struct ordered_loader *loader, const struct timespec *deadline)
{
	const int rc =
	    deadline ? sem_clockwait(&loader->news, CLOCK_MONOTONIC, deadline)
	             : sem_wait(&loader->news);

	if (rc)
		return errno == EINTR;
	while (sem_trywait(&loader->news) == 0)
		continue;
	return true;
}

static bool is_interrupted(struct ordered_loader *loader, struct error *err)
{
	if (!atomic_exchange(&loader->interrupted, false))
		return false;
	error_set(err, ERROR_INTERRUPTED, "interrupted");
	return true;
}

/* Looks again after it has said that it waits, so that no news are lost. */
static enum answer wait_for_batch(struct ordered_loader *loader,
    const struct timespec *deadline, struct batch **batch, struct error *err)
{
	enum answer answer;

	for (;;) {
		if (is_interrupted(loader, err)) {
			answer = ANSWER_ERROR;
			break;
		}
		atomic_store(&loader->consumer_waits, true);
		answer = look(loader, batch, err);
		if (answer != ANSWER_WAIT)
			break;
		if (!wait_for_news(loader, deadline)) {
			error_set(err, ERROR_INTERRUPTED,
			    "no batch came in the time that was allowed");
			answer = ANSWER_ERROR;
			break;
		}
	}
	atomic_store(&loader->consumer_waits, false);
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
	struct timespec deadline;
	enum answer answer;

	*batch = NULL;
	if (check_process(loader, err) || is_interrupted(loader, err))
		return -1;
	if (loader->plan.by_spans && ordered_span_begin(loader, err))
		return -1;
	if (loader->order.begin == loader->order.end) {
		pass_span(loader);
		return 0;
	}
	if (ordered_run_start_threads(loader, err))
		return -1;
	if (wait_ms)
		deadline = later(wait_ms);
	do {
		answer = look(loader, batch, err);
		if (answer == ANSWER_WAIT)
			answer = wait_for_batch(
			    loader, wait_ms ? &deadline : NULL, batch, err);
	} while (answer == ANSWER_BATCH && is_empty(*batch));
	return (int)answer;
}
