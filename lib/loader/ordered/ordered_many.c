/* ordered_many.c - see ordered_many.h. */
#include "lib/loader/ordered/ordered_many.h"

#include "lib/base/array.h"
#include "lib/loader/ordered/ordered_output.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/loader/ordered/ordered_take.h"
#include "lib/loader/ordered/ordered_worker.h"
#include "lib/sample/batch_home.h"
#include "lib/sample/skipped.h"

static bool has_failed(const struct ordered_loader *loader)
{
	return atomic_load(&loader->failed) != UINT64_MAX;
}

/* ---- counting, with the lock held ---- */

static struct ordered_input *find_uncounted(struct ordered_loader *loader)
{
	for (unsigned i = 0; i < loader->plan.threads; i++) {
		struct ordered_input *input = &loader->workers[i].input;

		if (input->is_begun && !input->is_counted &&
		    input->ticket == loader->many_count)
			return input;
	}
	return NULL;
}

/* Returns how many places in front of a seek's batch are still to come. */
static uint64_t places_to_skip(const struct ordered_loader *loader)
{
	return loader->many_first > loader->many_place
	           ? loader->many_first - loader->many_place
	           : 0;
}

/* Notes a skipped input, for the consumer to be told of when it is there. */
static void note_lost(struct ordered_loader *loader, uint64_t slot)
{
	struct error ignored = ERROR_INIT;
	struct ordered_lost *list = loader->lost;

	if (loader->lost_first < loader->lost_count &&
	    list[loader->lost_count - 1].slot == slot) {
		list[loader->lost_count - 1].count++;
		return;
	}
	if (loader->lost_first == loader->lost_count)
		loader->lost_first = loader->lost_count = 0;
	list = array_grow(list, &loader->lost_capacity, loader->lost_count + 1,
	    sizeof(*list), &ignored);
	if (!list)
		return; /* a statistic only */
	loader->lost = list;
	list[loader->lost_count++] = (struct ordered_lost){ slot, 1 };
}

/* Goes on behind the samples of an input. */
static void add_places(
    struct ordered_loader *loader, uint64_t count, bool is_last)
{
	const unsigned batch = loader->plan.batch;
	uint64_t end = loader->many_slot;

	loader->many_count++;
	loader->many_place += count;
	if (!is_last)
		return;
	if (loader->many_place > loader->many_first)
		end += loader->many_place - loader->many_first;
	ordered_end_epoch(loader, end);
	loader->many_slot = (end + batch - 1) / batch * batch;
	loader->many_place = 0;
	loader->many_first = 0;
}

/* Returns the slot of the next place; below 0 (modulo 2^64) in front of a seek.
 */
static uint64_t next_slot(const struct ordered_loader *loader)
{
	return loader->many_slot + loader->many_place - loader->many_first;
}

/* Gives inputs their slots, as far as all before them were begun. */
static void count_inputs(struct ordered_loader *loader)
{
	struct ordered_input *input;

	while (!loader->is_nested && !loader->many_is_dead &&
	       (input = find_uncounted(loader))) {
		const uint64_t skip = places_to_skip(loader);

		if (input->has_failed) {
			loader->many_is_dead = true;
			ordered_fail_locked(loader,
			    skip ? loader->many_slot : next_slot(loader),
			    &input->err);
			return;
		}
		input->slot = next_slot(loader);
		if (input->is_skipped)
			note_lost(
			    loader, skip ? loader->many_slot : input->slot);
		input->next = skip < input->count ? skip : input->count;
		input->step = input->count / (2 * loader->plan.threads);
		if (input->step > loader->plan.batch)
			input->step = loader->plan.batch;
		if (input->step == 0)
			input->step = 1;
		input->is_counted = true;
		add_places(loader, input->count, input->is_last);
		ordered_tell_workers(loader);
	}
}

/* Is everything of the input made, or not needed any more? */
static bool is_finished(
    const struct ordered_loader *loader, const struct ordered_input *input)
{
	if (!input->is_counted)
		return loader->many_is_dead;
	return input->users == 0 && input->next == input->count;
}

/* Returns the first input with samples to make; NULL: none. */
static struct ordered_input *find_input(struct ordered_loader *loader)
{
	struct ordered_input *first = NULL;

	for (unsigned i = 0; i < loader->plan.threads; i++) {
		struct ordered_input *input = &loader->workers[i].input;

		if (!input->is_held || !input->is_counted ||
		    input->next == input->count)
			continue;
		if (ordered_is_over(loader, input->slot + input->next)) {
			input->next = input->count;
			ordered_tell_workers(loader);
		} else if (!first || input->ticket < first->ticket) {
			first = input;
		}
	}
	return first;
}

/* ---- making samples ---- */

/* Makes a sample in its slot, or notes the gap. */
static void make_sample(struct ordered_worker *worker, struct chain *chain,
    uint64_t slot, const char *where)
{
	unsigned in_batch;
	struct batch *batch = ordered_output_open(worker, slot, &in_batch);
	struct sample *out;
	int got;

	if (!batch)
		return;
	out = &batch->slots[in_batch];
	got = chain_next(chain, out, &worker->err);
	if (got > 0 && batch_put(batch, in_batch, out->key, &worker->err))
		got = -1;
	if (got < 0 && ordered_worker_refuse(worker, slot, where))
		return;
	if (got <= 0)
		out->count = 0;
	ordered_output_done(worker, got > 0 ? SLOT_FILLED
	                            : chain_take_filtered(chain) == 0
	                                ? SLOT_SKIPPED
	                                : SLOT_DROPPED);
}

/* Returns the worker's chain with this input; NULL: failed. */
static struct chain *chain_of(
    struct ordered_worker *worker, struct ordered_input *input)
{
	if (input == &worker->input)
		return worker->chain;
	if (worker->joined == input->ticket + 1)
		return worker->helper;
	chain_set_draw(worker->helper, worker->loader->plan.seed, input->epoch);
	worker->joined = 0;
	if (chain_join(worker->helper, &input->split, &worker->err))
		return NULL;
	worker->joined = input->ticket + 1;
	return worker->helper;
}

static void make_range(struct ordered_worker *worker,
    struct ordered_input *input, uint64_t from, uint64_t end)
{
	struct ordered_loader *loader = worker->loader;
	struct chain *chain = chain_of(worker, input);

	worker->source = &input->chunk->chunk;
	if (!chain) {
		error_prefix(&worker->err, "sample %s", input->where);
		ordered_fail(loader, input->slot + from, &worker->err);
		return;
	}
	for (uint64_t number = from; number < end; number++) {
		if (ordered_is_over(loader, input->slot + number))
			continue;
		chain_set_range(chain, number, number + 1);
		make_sample(worker, chain, input->slot + number, input->where);
	}
	ordered_output_tell(worker);
}

/* Makes some samples of an input; with the lock held, which it releases. */
static void make_some(
    struct ordered_worker *worker, struct ordered_input *input)
{
	struct ordered_loader *loader = worker->loader;
	const uint64_t from = input->next;
	uint64_t end = from + input->step;

	if (end > input->count)
		end = input->count;
	input->next = end;
	input->users++;
	pthread_mutex_unlock(&loader->lock);
	make_range(worker, input, from, end);
	pthread_mutex_lock(&loader->lock);
	input->users--;
	if (is_finished(loader, input))
		ordered_tell_workers(loader);
	pthread_mutex_unlock(&loader->lock);
}

/* Makes and drops a sample in front of a seek's batch: as chain_next. */
static int make_nowhere(struct ordered_worker *worker)
{
	struct batch *batch =
	    batch_home_take(worker->loader->home, &worker->err);
	int got;

	if (!batch)
		return -1;
	got = chain_next(worker->chain, &batch->slots[0], &worker->err);
	batch_give(batch);
	return got;
}

/* Makes all samples of the worker's own input, whose turn it is. */
static void make_nested(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_input *input = &worker->input;
	uint64_t skip = places_to_skip(loader), made = 0;
	const uint64_t slot = next_slot(loader);
	const uint64_t first = skip ? loader->many_slot : slot;
	bool is_dead = input->has_failed;

	worker->source = &input->chunk->chunk;
	if (input->has_failed)
		ordered_fail(loader, first, &input->err);
	while (!is_dead && chain_more(worker->chain) &&
	       !ordered_is_over(loader, skip ? 0 : slot + made)) {
		if (skip == 0)
			make_sample(
			    worker, worker->chain, slot + made, input->where);
		else if (make_nowhere(worker) < 0)
			is_dead = ordered_worker_refuse(worker,
			              loader->many_slot, input->where) != 0;
		skip -= skip > 0;
		made++;
	}
	ordered_output_tell(worker);
	pthread_mutex_lock(&loader->lock);
	loader->many_is_dead |= is_dead;
	if (!is_dead) {
		input->is_counted = true;
		input->next = input->count;
		if (input->is_skipped)
			note_lost(loader, first);
		add_places(loader, made, input->is_last);
	}
	ordered_tell_workers(loader);
	pthread_mutex_unlock(&loader->lock);
}

/* ---- inputs ---- */

/* Begins the input that was taken. */
static void begin_input(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_input *input = &worker->input;
	const struct ordered_take *take = &worker->take;
	bool is_skipped = false;
	uint64_t count = 0;
	int rc;

	ordered_take_where(worker, 0, input->where);
	chain_set_draw(worker->chain, loader->plan.seed, take->order.epoch);
	rc = chain_begin(worker->chain, &take->samples[0], &worker->err);
	atomic_fetch_add(&loader->filtered, chain_take_filtered(worker->chain));
	/* A truncated file reads as zeros: that is no sample to be skipped. */
	if (chunk_check(&take->chunk->chunk, 0, &worker->err)) {
		input->err = worker->err;
		rc = -1;
	} else if (rc == 0) {
		count = chain_count(worker->chain);
		chain_offer(worker->chain, &input->split);
		chain_set_range(worker->chain, 0, UINT64_MAX);
	} else if (loader->plan.skip_errors && worker->err.code == ERROR_DATA) {
		skipped_add(
		    loader->plan.skipped, input->where, worker->err.text);
		is_skipped = true;
		rc = 0;
	} else {
		input->err = worker->err;
		error_prefix(&input->err, "sample %s", input->where);
	}
	pthread_mutex_lock(&loader->lock);
	input->epoch = take->order.epoch;
	input->chunk = take->chunk;
	input->ticket = take->ticket;
	input->is_last = take->is_last;
	input->count = count;
	input->next = 0;
	input->users = 0;
	input->has_failed = rc != 0;
	input->is_skipped = is_skipped;
	input->is_counted = false;
	input->is_held = input->is_begun = true;
	ordered_tell_workers(loader);
	pthread_mutex_unlock(&loader->lock);
}

static void leave_input(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;

	pthread_mutex_lock(&loader->lock);
	worker->input.is_held = worker->input.is_begun = false;
	pthread_mutex_unlock(&loader->lock);
	ordered_take_end(loader, worker->input.chunk);
}

enum job { JOB_NONE, JOB_MAKE, JOB_NESTED, JOB_LEAVE, JOB_BEGIN, JOB_END };

/* Chooses what to do; with the lock held. */
static enum job choose_job(
    struct ordered_worker *worker, struct ordered_input **input)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_input *own = &worker->input;

	if (atomic_load(&loader->stop))
		return JOB_END;
	count_inputs(loader);
	*input = find_input(loader);
	if (*input)
		return JOB_MAKE;
	if (!own->is_held)
		return has_failed(loader) ? JOB_END : JOB_BEGIN;
	if (loader->is_nested && !own->is_counted && !loader->many_is_dead &&
	    own->ticket == loader->many_count)
		return JOB_NESTED;
	return is_finished(loader, own) ? JOB_LEAVE : JOB_NONE;
}

/* Does something: false if there is nothing to do now. */
static bool work(
    struct ordered_worker *worker, enum job job, struct ordered_input *input)
{
	struct ordered_loader *loader = worker->loader;
	enum taken got = TAKE_NOTHING;

	if (job == JOB_MAKE) {
		make_some(worker, input);
		return true;
	}
	pthread_mutex_unlock(&loader->lock);
	if (job == JOB_NESTED)
		make_nested(worker);
	if (job == JOB_LEAVE)
		leave_input(worker);
	if (job == JOB_BEGIN) {
		got = ordered_take(worker);
		if (got == TAKE_SAMPLES)
			begin_input(worker);
	}
	return job == JOB_NESTED || job == JOB_LEAVE || got == TAKE_SAMPLES ||
	       got == TAKE_UNPACKED;
}

void ordered_many_run(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_input *input;
	uint64_t seen;
	enum job job;

	worker->joined = 0;
	for (;;) {
		pthread_mutex_lock(&loader->lock);
		seen = loader->events;
		job = choose_job(worker, &input);
		if (job == JOB_END)
			break;
		if (!work(worker, job, input))
			ordered_worker_wait(worker, seen);
	}
	pthread_mutex_unlock(&loader->lock);
}
