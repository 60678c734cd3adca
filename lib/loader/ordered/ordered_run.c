/* ordered_run.c - see ordered_run.h: the threads, and the runs they work on. */
#include "lib/loader/ordered/ordered_run.h"

#include <unistd.h>

#include "lib/base/stop.h"
#include "lib/base/thread.h"
#include "lib/loader/ordered/ordered_fetcher.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/loader/ordered/ordered_worker.h"
#include "lib/sample/batch_home.h"

/* ---- threads ---- */

static void leave_run(struct ordered_loader *loader, bool is_worker)
{
	pthread_mutex_lock(&loader->lock);
	loader->running--;
	loader->workers_running -= is_worker;
	pthread_mutex_unlock(&loader->lock);
	ordered_notify(loader);
}

static void *fetcher_main(void *arg)
{
	struct ordered_fetcher *fetcher = arg;
	uint64_t seen = 0;

	while (gate_pass(&fetcher->loader->gate, &seen)) {
		ordered_fetcher_run(fetcher);
		leave_run(fetcher->loader, false);
	}
	return NULL;
}

static void *worker_main(void *arg)
{
	struct ordered_worker *worker = arg;
	uint64_t seen = 0;

	stop_watch(&worker->loader->stop);
	while (gate_pass(&worker->loader->gate, &seen)) {
		ordered_worker_run(worker);
		leave_run(worker->loader, true);
	}
	return NULL;
}

int ordered_run_start_threads(struct ordered_loader *loader, struct error *err)
{
	const struct ordered_plan *plan = &loader->plan;

	while (loader->fetchers_started < plan->fetchers) {
		struct ordered_fetcher *fetcher =
		    &loader->fetchers[loader->fetchers_started];

		if (thread_start(&fetcher->thread, fetcher_main, fetcher))
			return error_set(err, ERROR_SYSTEM,
			    "cannot start fetcher thread %u",
			    loader->fetchers_started + 1);
		loader->process = getpid();
		loader->fetchers_started++;
	}
	while (loader->workers_started < plan->threads) {
		struct ordered_worker *worker =
		    &loader->workers[loader->workers_started];

		if (thread_start(&worker->thread, worker_main, worker))
			return error_set(err, ERROR_SYSTEM,
			    "cannot start worker thread %u",
			    loader->workers_started + 1);
		loader->workers_started++;
	}
	return 0;
}

/* ---- runs ---- */

static void reset_lanes(struct ordered_loader *loader)
{
	for (unsigned i = 0; i < loader->lane_count; i++)
		loader->lanes[i].is_used = false;
	loader->free_lanes = loader->lane_count;
	loader->next_ticket = 0;
	loader->take_ticket = 0;
	loader->claim_ticket = 0;
	loader->fetch_epoch = 0;
	loader->fetch_part = 0;
	loader->take_epoch = 0;
	loader->ahead = 0;
}

/* Returns how many samples come before the first batch, which may be any. */
static uint64_t samples_before(const struct ordered_loader *loader)
{
	const uint64_t most = (uint64_t)INT64_MAX / loader->plan.batch;
	const uint64_t batch = loader->start.batch;

	return (batch < most ? batch : most) * loader->plan.batch;
}

static void reset_takes(struct ordered_loader *loader)
{
	loader->current = NULL;
	loader->taking = NULL;
	loader->next_slot = 0;
	loader->next_take = 0;
	loader->is_broken = false;
	loader->broken = (struct error)ERROR_INIT;
	loader->many_slot = 0;
	loader->many_place = 0;
	loader->many_first = samples_before(loader);
	loader->many_count = 0;
	loader->many_is_dead = false;
	loader->lost_first = loader->lost_count = 0;
	for (unsigned i = 0; i < loader->plan.threads; i++)
		loader->workers[i].input.is_held =
		    loader->workers[i].input.is_begun = false;
}

static void reset_outputs(struct ordered_loader *loader)
{
	atomic_store(&loader->opened, 0);
	loader->taken = 0;
	loader->room_told = 0;
	loader->drop_until = 0;
	loader->ends_known = 0;
	loader->ends_taken = 0;
	loader->err = (struct error)ERROR_INIT;
	atomic_store(&loader->failed, UINT64_MAX);
}

void ordered_run_begin(struct ordered_loader *loader)
{
	loader->start = loader->position;
	loader->spans_run = loader->spans_taken;
	reset_lanes(loader);
	reset_takes(loader);
	reset_outputs(loader);
	atomic_store(&loader->stop, false);
	loader->is_running = true;
	loader->running = loader->fetchers_started + loader->workers_started;
	loader->workers_running = loader->workers_started;
	gate_open(&loader->gate);
}

void ordered_run_stop(struct ordered_loader *loader)
{
	pthread_mutex_lock(&loader->lock);
	atomic_store(&loader->stop, true);
	loader->is_stopping |= loader->is_running;
	loader->is_running = false;
	ordered_tell_workers(loader);
	pthread_cond_broadcast(&loader->fetchable);
	pthread_cond_broadcast(&loader->room);
	pthread_mutex_unlock(&loader->lock);
}

void ordered_run_clear(struct ordered_loader *loader)
{
	const unsigned chunks = loader->lane_count * loader->depth;

	for (unsigned i = 0; i < chunks; i++) {
		chunk_reset(&loader->chunks[i].chunk);
		loader->chunks[i].state = CHUNK_EMPTY;
	}
	for (unsigned i = 0; i < loader->lane_count; i++)
		loader->lanes[i].held = 0;
	for (unsigned i = 0; i < loader->output_count; i++) {
		batch_give(loader->outputs[i].batch);
		loader->outputs[i].batch = NULL;
	}
	loader->is_stopping = false;
}
