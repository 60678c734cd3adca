/* ordered_take.c - see ordered_take.h. */
#include "lib/loader/ordered/ordered_take.h"

#include "lib/loader/ordered/ordered_fetcher.h"
#include "lib/loader/ordered/ordered_output.h"
#include "lib/loader/ordered/ordered_state.h"

/* ---- epochs ---- */

/* Returns the first slot of the batch behind those before `slot`. */
static uint64_t next_batch_slot(
    const struct ordered_loader *loader, uint64_t slot)
{
	const unsigned batch = loader->plan.batch;

	return (slot + batch - 1) / batch * batch;
}

void ordered_end_epoch(struct ordered_loader *loader, uint64_t slot)
{
	const unsigned batch = loader->plan.batch;
	struct ordered_end *end =
	    &loader->ends[loader->ends_known++ % ORDERED_ENDS];

	*end = (struct ordered_end){
		.slot = slot,
		.batch = next_batch_slot(loader, slot) / batch,
		.rest = (unsigned)(slot % batch),
	};
	if (end->rest > 0 && loader->plan.drop_last) {
		end->batch--;
		end->drops = true;
	}
	ordered_output_shorten(loader, slot);
	ordered_notify(loader);
}

/* With both locks held. */
static void begin_epoch(
    struct ordered_loader *loader, struct ordered_epoch *epoch)
{
	const struct epoch_order *order = &epoch->order;

	loader->taking = epoch;
	loader->take_epoch++;
	if (loader->fetchers_waiting)
		pthread_cond_broadcast(&loader->fetchable);
	loader->index = order->index_from;
	epoch->slot = loader->next_slot;
	if (loader->makes_many)
		return;
	ordered_end_epoch(loader, epoch->slot + (order->end - order->first));
	loader->next_slot =
	    next_batch_slot(loader, epoch->slot + (order->end - order->first));
	if (order->index_from >= order->index_end)
		atomic_store(&epoch->done, true);
}

/* With both locks held: no sample of this epoch is needed any more. */
static void end_taking(struct ordered_loader *loader)
{
	atomic_store(&loader->taking->done, true);
	if (loader->fetchers_waiting)
		pthread_cond_broadcast(&loader->fetchable);
}

/* ---- the next chunk, with both locks held ---- */

/* Leaves out the chunks of a lane that are behind the end of its epoch. */
static bool pass_rest(struct ordered_loader *loader, struct ordered_lane *lane)
{
	while (lane->taken < lane->put) {
		struct ordered_chunk *chunk =
		    &lane->chunks[lane->taken % loader->depth];

		if (chunk->state == CHUNK_UNPACKING)
			return false;
		if (lane->claimed > lane->taken)
			loader->ahead--;
		else
			lane->claimed = lane->taken + 1;
		lane->taken++;
		chunk->state = CHUNK_EMPTY;
		chunk_reset(&chunk->chunk);
		lane->held--;
		ordered_lane_leave(loader, lane);
	}
	return true;
}

/* Returns the next chunk of the lane if it is ready; NULL: not yet. */
static struct ordered_chunk *next_of_lane(
    struct ordered_loader *loader, struct ordered_lane *lane)
{
	struct ordered_chunk *chunk =
	    &lane->chunks[lane->taken % loader->depth];

	if (lane->taken == lane->put ||
	    (chunk->state != CHUNK_READY && chunk->state != CHUNK_FAILED))
		return NULL;
	if (lane->claimed > lane->taken)
		loader->ahead--;
	else
		lane->claimed = lane->taken + 1;
	lane->taken++;
	return chunk;
}

/* An epoch whose parts have ended lacks samples. */
static bool is_short(const struct ordered_loader *loader)
{
	return loader->taking && !atomic_load(&loader->taking->done);
}

/* Does a stream that has ended lack samples?  All behind it would move up. */
static bool is_short_stream(
    const struct ordered_loader *loader, const struct ordered_lane *lane)
{
	return loader->order.way == ORDER_STREAMS &&
	       !atomic_load(&lane->epoch->done) &&
	       lane->part < lane->epoch->order.part_end &&
	       lane->parsed <
	           epoch_order_part(&lane->epoch->order, lane->part)->samples;
}

static struct ordered_chunk *say_short(struct ordered_loader *loader)
{
	loader->is_broken = true;
	error_set(&loader->broken, ERROR_DATA,
	    "the dataset has fewer samples than when it was opened");
	return NULL;
}

/* Returns the next chunk in order if it is ready; NULL: not yet. */
static struct ordered_chunk *next_chunk(struct ordered_loader *loader)
{
	while (loader->take_ticket < loader->next_ticket) {
		struct ordered_lane *lane =
		    &loader->lanes[loader->take_ticket % loader->lane_count];

		if (lane->epoch != loader->taking) {
			if (is_short(loader))
				return say_short(loader);
			begin_epoch(loader, lane->epoch);
		}
		if (atomic_load(&lane->epoch->done)) {
			if (!pass_rest(loader, lane))
				return NULL;
		} else if (lane->taken < lane->put) {
			return next_of_lane(loader, lane);
		}
		if (!lane->at_end || lane->taken < lane->put)
			return NULL;
		if (is_short_stream(loader, lane))
			return say_short(loader);
		lane->is_passed = true;
		loader->take_ticket++;
		ordered_lane_leave(loader, lane);
	}
	return NULL;
}

/* ---- unpacking ---- */

/* Claims the next chunk to unpack; NULL: none, or enough are unpacked. */
static struct ordered_chunk *claim(struct ordered_loader *loader)
{
	if (loader->claim_ticket < loader->take_ticket)
		loader->claim_ticket = loader->take_ticket;
	while (loader->claim_ticket < loader->next_ticket &&
	       loader->ahead <= loader->plan.threads) {
		struct ordered_lane *lane =
		    &loader->lanes[loader->claim_ticket % loader->lane_count];
		struct ordered_chunk *chunk =
		    &lane->chunks[lane->claimed % loader->depth];

		if (lane->claimed == lane->put) {
			if (!lane->at_end)
				return NULL;
			loader->claim_ticket++;
			continue;
		}
		lane->claimed++;
		loader->ahead++;
		if (chunk->state != CHUNK_FETCHED) /* failed */
			continue;
		chunk->state = CHUNK_UNPACKING;
		if (loader->lends_bufs && loader->spare_count > 0 &&
		    !chunk->chunk.unpacked.data)
			chunk->chunk.unpacked =
			    loader->spare_bufs[--loader->spare_count];
		return chunk;
	}
	return NULL;
}

static void unpack(struct ordered_worker *worker, struct ordered_chunk *chunk)
{
	struct ordered_loader *loader = worker->loader;
	const int rc = reader_unpack(
	    loader->plan.reader, worker->unpacker, &chunk->chunk, &worker->err);

	if (rc) {
		chunk->err = worker->err;
		chunk_check(&chunk->chunk, -1, &chunk->err);
	}
	pthread_mutex_lock(&loader->lock);
	chunk->state = rc ? CHUNK_FAILED : CHUNK_READY;
	ordered_tell_workers(loader);
	pthread_mutex_unlock(&loader->lock);
}

/* ---- samples, with the take lock held ---- */

/* Ends the use of the current chunk by the sequence. */
static void leave_current(struct ordered_loader *loader)
{
	struct ordered_chunk *chunk = loader->current;

	loader->current = NULL;
	if (chunk)
		ordered_take_end(loader, chunk);
}

static void set_current(
    struct ordered_loader *loader, struct ordered_chunk *chunk)
{
	atomic_store(&chunk->users, 1);
	loader->current = chunk;
	loader->chunk_left = chunk->samples;
	if (chunk->state == CHUNK_FAILED) {
		loader->is_broken = true;
		loader->broken = chunk->err;
	}
}

/* Has a stream one sample more than it should?  Counts it. */
static bool is_one_more(struct ordered_loader *loader)
{
	struct ordered_lane *lane = loader->current->lane;

	return loader->order.way == ORDER_STREAMS &&
	       lane->parsed++ ==
	           epoch_order_part(&lane->epoch->order, lane->part)->samples;
}

/* Parses a sample: 1; 0 at the end of the chunk, or when it cannot be. */
static int parse(struct ordered_loader *loader, struct sample *sample)
{
	struct ordered_chunk *chunk = loader->current;
	int got;

	if (loader->is_broken || loader->chunk_left == 0)
		return 0;
	got = loader->plan.reader->ops->next(
	    loader->plan.reader, &chunk->chunk, sample, &loader->broken);
	if (got > 0 && !is_one_more(loader)) {
		loader->chunk_left--;
		return 1;
	}
	if (got > 0)
		got = error_set(&loader->broken, ERROR_DATA,
		    "the dataset has more samples than when it was opened");
	if (got == 0 && loader->order.way != ORDER_STREAMS)
		got = error_set(&loader->broken, ERROR_DATA,
		    "the data has fewer samples than its index says");
	loader->is_broken = got < 0;
	if (loader->is_broken)
		chunk_check(&chunk->chunk, -1, &loader->broken);
	return 0;
}

/* Leaves out samples in front of the first one that is delivered. */
static void skip_samples(
    struct ordered_loader *loader, struct ordered_take *take)
{
	const struct epoch_order *order = &loader->taking->order;

	while (!loader->order.window && loader->index < order->first &&
	       parse(loader, &take->samples[0]))
		loader->index++;
}

/* Takes samples of the current chunk; leaves it at its end. */
static void take_samples(struct ordered_worker *worker, unsigned most)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_take *take = &worker->take;
	const struct epoch_order *order = &loader->taking->order;

	skip_samples(loader, take);
	take->chunk = loader->current;
	take->order = *order;
	take->slot = loader->taking->slot;
	take->index = loader->index;
	take->count = 0;
	while (take->count < most && loader->index < order->index_end &&
	       parse(loader, &take->samples[take->count])) {
		take->marks[take->count++] =
		    chunk_get_mark(&take->chunk->chunk);
		loader->index++;
	}
	take->is_last = loader->index == order->index_end;
	if (take->count > 0) {
		take->ticket = loader->next_take++;
		atomic_fetch_add(&take->chunk->users, 1);
	}
	if (take->is_last) {
		pthread_mutex_lock(&loader->lock);
		end_taking(loader);
		pthread_mutex_unlock(&loader->lock);
	}
	if (take->is_last || take->count < most)
		leave_current(loader);
}

/* The least slot that the samples that were not taken can have. */
static uint64_t least_slot(const struct ordered_loader *loader)
{
	const struct ordered_epoch *epoch = loader->taking;

	if (loader->makes_many) /* counted in ordered_many.c */
		return UINT64_MAX - 1;
	if (!epoch || atomic_load(&epoch->done))
		return loader->next_slot;
	return epoch->slot + (order_least_place(&epoch->order, loader->index) -
	                         epoch->order.first);
}

/* Finds the chunk with the next samples, or one to unpack. */
static enum taken find_work(
    struct ordered_loader *loader, struct ordered_chunk **claimed)
{
	struct ordered_chunk *chunk = NULL;

	*claimed = NULL;
	if (loader->current)
		return TAKE_SAMPLES;
	pthread_mutex_lock(&loader->lock);
	if (!loader->is_broken)
		chunk = next_chunk(loader);
	if (!chunk && !loader->is_broken && loader->unpacks)
		*claimed = claim(loader);
	pthread_mutex_unlock(&loader->lock);
	if (chunk)
		set_current(loader, chunk);
	if (chunk)
		return TAKE_SAMPLES;
	return *claimed ? TAKE_UNPACKED : TAKE_NOTHING;
}

/* More are taken where a step takes several at a time. */
static unsigned most_samples(const struct ordered_worker *worker)
{
	const unsigned most = worker->loader->take_most;
	const unsigned several = chain_several(worker->chain);

	if (worker->loader->makes_many || several <= most)
		return most;
	return several < ORDERED_TAKE ? several : ORDERED_TAKE;
}

enum taken ordered_take(struct ordered_worker *worker)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_take *take = &worker->take;
	struct ordered_chunk *claimed = NULL;
	enum taken got = TAKE_NOTHING;

	pthread_mutex_lock(&loader->take_lock);
	take->count = 0;
	if (least_slot(loader) >= atomic_load(&loader->failed)) {
		pthread_mutex_unlock(&loader->take_lock);
		return TAKE_OVER;
	}
	do {
		got = find_work(loader, &claimed);
		if (got == TAKE_SAMPLES && !loader->is_broken)
			take_samples(worker, most_samples(worker));
		if (loader->is_broken && take->count == 0) {
			leave_current(loader);
			ordered_fail(
			    loader, least_slot(loader), &loader->broken);
			got = TAKE_NOTHING;
		}
	} while (got == TAKE_SAMPLES && take->count == 0);
	pthread_mutex_unlock(&loader->take_lock);
	if (claimed)
		unpack(worker, claimed);
	return got;
}

void ordered_take_end(
    struct ordered_loader *loader, struct ordered_chunk *chunk)
{
	if (atomic_fetch_sub(&chunk->users, 1) == 1)
		ordered_chunk_free(loader, chunk);
}

void ordered_take_where(struct ordered_worker *worker, unsigned i, char *where)
{
	struct ordered_loader *loader = worker->loader;
	struct ordered_take *take = &worker->take;
	struct chunk *chunk = &take->chunk->chunk;
	struct chunk_mark mark;

	/* The chunk may be the current one: puts it back as it was. */
	pthread_mutex_lock(&loader->take_lock);
	mark = chunk_get_mark(chunk);
	chunk_set_mark(chunk, take->marks[i]);
	reader_where(loader->plan.reader, chunk, &take->samples[i], where);
	chunk_set_mark(chunk, mark);
	pthread_mutex_unlock(&loader->take_lock);
}
