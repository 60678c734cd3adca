/*
 * ordered_fetcher.c - fetches the parts of one epoch after the other, each into
 * a lane.  A fetcher stays with a part until its end.  Part i is always ahead
 * of part i + 1 in getting a lane, so the part that workers wait for has one.
 */
#include "lib/loader/ordered/ordered_fetcher.h"

#include <stdlib.h>

#include "lib/loader/open_streams.h"
#include "lib/loader/ordered/ordered_state.h"
#include "lib/sample/picks.h"

/* After an error workers may still need chunks: see ordered_take.c. */
static bool is_over(const struct ordered_loader *loader)
{
	return atomic_load(&loader->stop);
}

/* ---- lanes and chunks, with the lock held ---- */

static void wait_fetchable(struct ordered_loader *loader)
{
	loader->fetchers_waiting++;
	pthread_cond_wait(&loader->fetchable, &loader->lock);
	loader->fetchers_waiting--;
}

/*
 * Waking a thread costs more than fetching a cached chunk: fetchers wake when
 * there is work for a while.  All lanes but those in the hands of threads come
 * free when workers are idle, so nobody waits for ever.
 */
static void wake_fetchers(struct ordered_loader *loader)
{
	if (loader->fetchers_waiting &&
	    (loader->depth > 1 || loader->free_lanes >= loader->wake_at))
		pthread_cond_broadcast(&loader->fetchable);
}

void ordered_lane_leave(
    struct ordered_loader *loader, struct ordered_lane *lane)
{
	if (lane->is_used && lane->is_passed && lane->held == 0) {
		lane->is_used = false;
		loader->free_lanes++;
	}
	wake_fetchers(loader);
}

void ordered_chunk_free(
    struct ordered_loader *loader, struct ordered_chunk *chunk)
{
	struct buf *unpacked = &chunk->chunk.unpacked;

	chunk_reset(&chunk->chunk);
	pthread_mutex_lock(&loader->lock);
	if (loader->lends_bufs && unpacked->data) {
		loader->spare_bufs[loader->spare_count++] = *unpacked;
		*unpacked = (struct buf)BUF_INIT;
	}
	chunk->state = CHUNK_EMPTY;
	chunk->lane->held--;
	ordered_lane_leave(loader, chunk->lane);
	pthread_mutex_unlock(&loader->lock);
}

/* Begins the next epoch of the run; false: too many are under way. */
static bool begin_epoch(struct ordered_loader *loader)
{
	const uint64_t number = loader->fetch_epoch;
	struct ordered_epoch *epoch = &loader->epochs[number % ORDERED_EPOCHS];
	struct ordered_span span;

	/* The epoch whose place it takes must have no lanes any more. */
	if (number >= loader->ends_taken + ORDERED_EPOCHS ||
	    number + 1 >= loader->take_epoch + ORDERED_EPOCHS)
		return false;
	if (!ordered_span_find(loader, number, &span))
		return false;
	epoch_order_init(&epoch->order, &loader->order, span,
	    number == 0 ? NULL
	                : &loader->epochs[(number - 1) % ORDERED_EPOCHS].order);
	epoch->pass = ++loader->passes;
	atomic_store(&epoch->done, false);
	loader->fetch_epoch++;
	loader->fetch_part = epoch->order.part_from;
	return true;
}

/* Finds the next part, in this epoch or the next one; false: wait. */
static bool find_part(
    struct ordered_loader *loader, struct ordered_epoch **epoch)
{
	const uint64_t begun = loader->fetch_epoch;

	if (begun > 0) {
		*epoch = &loader->epochs[(begun - 1) % ORDERED_EPOCHS];
		if (!atomic_load(&(*epoch)->done) &&
		    loader->fetch_part < (*epoch)->order.part_end)
			return true;
	}
	if (!begin_epoch(loader))
		return false;
	*epoch = &loader->epochs[begun % ORDERED_EPOCHS];
	return true;
}

/* Returns the lane for the next part if both are there; NULL: not yet. */
static struct ordered_lane *find_lane(struct ordered_loader *loader)
{
	struct ordered_lane *lane =
	    &loader->lanes[loader->next_ticket % loader->lane_count];
	struct ordered_epoch *epoch = NULL;

	if (lane->is_used || !find_part(loader, &epoch))
		return NULL;
	lane->is_used = true;
	lane->epoch = epoch;
	lane->part = loader->fetch_part++;
	lane->put = lane->claimed = lane->taken = 0;
	lane->parsed = 0;
	lane->at_end = lane->is_passed = false;
	loader->next_ticket++;
	loader->free_lanes--;
	return lane;
}

/* Takes the next part and a lane for it; NULL: the run is over. */
static struct ordered_lane *take_part(struct ordered_loader *loader)
{
	struct ordered_lane *lane = NULL;

	pthread_mutex_lock(&loader->lock);
	while (!is_over(loader) && !(lane = find_lane(loader)))
		wait_fetchable(loader);
	pthread_mutex_unlock(&loader->lock);
	return lane;
}

/* Returns an empty chunk of the lane; NULL: the run, or the epoch, is over. */
static struct ordered_chunk *get_chunk(
    struct ordered_loader *loader, struct ordered_lane *lane)
{
	struct ordered_chunk *chunk = &lane->chunks[lane->put % loader->depth];
	bool is_wanted;

	pthread_mutex_lock(&loader->lock);
	while (chunk->state != CHUNK_EMPTY && !is_over(loader) &&
	       !atomic_load(&lane->epoch->done))
		wait_fetchable(loader);
	is_wanted = !is_over(loader) && !atomic_load(&lane->epoch->done);
	if (is_wanted) {
		chunk->state = CHUNK_FILLING;
		chunk->samples = UINT64_MAX;
		lane->held++;
	}
	pthread_mutex_unlock(&loader->lock);
	return is_wanted ? chunk : NULL;
}

/* Gives a chunk that was fetched, or could not be, to the workers. */
static void put_chunk(struct ordered_loader *loader,
    struct ordered_chunk *chunk, enum ordered_chunk_state state)
{
	pthread_mutex_lock(&loader->lock);
	chunk->state = state;
	chunk->lane->put++;
	ordered_tell_workers(loader);
	pthread_mutex_unlock(&loader->lock);
}

static void end_part(struct ordered_loader *loader, struct ordered_lane *lane)
{
	pthread_mutex_lock(&loader->lock);
	lane->at_end = true;
	ordered_tell_workers(loader);
	pthread_mutex_unlock(&loader->lock);
}

/* ---- fetching ---- */

/* Hands over what was fetched: `got` is 1, or -1 with fetcher->err. */
static void hand_over(
    struct ordered_fetcher *fetcher, struct ordered_chunk *chunk, int got)
{
	struct ordered_loader *loader = fetcher->loader;

	if (got > 0 && !loader->unpacks &&
	    reader_unpack(
	        loader->plan.reader, NULL, &chunk->chunk, &fetcher->err))
		got = -1;
	if (got < 0) {
		chunk->err = fetcher->err;
		chunk_check(&chunk->chunk, -1, &chunk->err);
	}
	put_chunk(loader, chunk,
	    got < 0           ? CHUNK_FAILED
	    : loader->unpacks ? CHUNK_FETCHED
	                      : CHUNK_READY);
}

static void fetch_picks(
    struct ordered_fetcher *fetcher, struct ordered_lane *lane)
{
	struct ordered_loader *loader = fetcher->loader;
	const struct reader *reader = loader->plan.reader;
	struct ordered_chunk *chunk = get_chunk(loader, lane);
	size_t count;
	int got = 1;

	if (!chunk)
		return;
	if (!fetcher->picker)
		fetcher->picker =
		    reader->ops->picker_open(reader, &fetcher->err);
	count =
	    epoch_order_picks(&lane->epoch->order, lane->part, fetcher->picks);
	chunk->samples = count;
	if (!fetcher->picker ||
	    picks_fetch(reader, fetcher->picker, fetcher->picks, count,
	        &chunk->chunk, &fetcher->err))
		got = -1;
	hand_over(fetcher, chunk, got);
}

static void fetch_block(
    struct ordered_fetcher *fetcher, struct ordered_lane *lane)
{
	struct ordered_loader *loader = fetcher->loader;
	const struct reader *reader = loader->plan.reader;
	const struct order_part *part =
	    epoch_order_part(&lane->epoch->order, lane->part);
	struct ordered_chunk *chunk = get_chunk(loader, lane);
	struct open_stream *open;
	int got = -1;

	if (!chunk)
		return;
	open = open_streams_get(
	    loader->streams, lane->epoch->pass, part->stream, &fetcher->err);
	chunk_reset(&chunk->chunk);
	chunk->samples = part->samples;
	chunk->chunk.reads_late = loader->reads_late;
	chunk->chunk.view_window = loader->view_window;
	if (open) {
		got = reader->ops->chunk_fetch(open_stream_handle(open),
		    part->number, &chunk->chunk, &fetcher->err);
		open_streams_put(loader->streams, open);
	}
	hand_over(fetcher, chunk, got);
}

/* Fetches the next chunk of a stream: 1; 0 at its end, and -1, end it. */
static int fetch_next(struct ordered_fetcher *fetcher,
    struct ordered_lane *lane, void *stream, size_t number)
{
	struct ordered_loader *loader = fetcher->loader;
	struct ordered_chunk *chunk = get_chunk(loader, lane);
	int got = -1;

	if (!chunk)
		return 0;
	chunk_reset(&chunk->chunk);
	chunk->chunk.reads_late = loader->reads_late;
	chunk->chunk.view_window = loader->view_window;
	chunk->chunk.stream = number;
	if (stream)
		got = loader->plan.reader->ops->stream_fetch(
		    stream, &chunk->chunk, &fetcher->err);
	chunk->chunk.stream = number;
	if (got == 0)
		ordered_chunk_free(loader, chunk);
	else
		hand_over(fetcher, chunk, got);
	return got;
}

static void fetch_stream(
    struct ordered_fetcher *fetcher, struct ordered_lane *lane)
{
	const struct reader *reader = fetcher->loader->plan.reader;
	const size_t number =
	    epoch_order_part(&lane->epoch->order, lane->part)->stream;
	void *stream = reader->ops->stream_open(reader, number, &fetcher->err);

	while (fetch_next(fetcher, lane, stream, number) > 0)
		continue;
	reader->ops->stream_close(stream);
}

static void fetch_part(
    struct ordered_fetcher *fetcher, struct ordered_lane *lane)
{
	const enum order_way way = fetcher->loader->order.way;

	/* The epoch has no parts, but its end must be seen. */
	if (lane->part >= lane->epoch->order.part_end)
		return;
	if (way == ORDER_PICKS)
		fetch_picks(fetcher, lane);
	else if (way == ORDER_BLOCKS)
		fetch_block(fetcher, lane);
	else
		fetch_stream(fetcher, lane);
}

void ordered_fetcher_run(struct ordered_fetcher *fetcher)
{
	struct ordered_loader *loader = fetcher->loader;
	struct ordered_lane *lane;

	while ((lane = take_part(loader))) {
		fetch_part(fetcher, lane);
		end_part(loader, lane);
	}
}

void ordered_fetcher_release(struct ordered_fetcher *fetcher)
{
	if (fetcher->picker)
		fetcher->loader->plan.reader->ops->picker_close(
		    fetcher->picker);
	free(fetcher->picks);
}
