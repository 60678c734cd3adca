/* order_cost.c - see order_cost.h. */
#include "strategies/forecast/models/order_cost.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/sample/permutation.h"
#include "lib/sample/picks.h"
#include "lib/sample/reader.h"
#include "strategies/plan/stored_order.h"

struct block {
	const struct reader *source;
	struct chunk chunk;
	void *unpacker, *picker;
	struct pick *picks;
	size_t count; /* samples in the block */
};

/* Reads whole streams until there are as many samples as in the block. */
static int read_given(struct block *block, double *seconds, struct error *err)
{
	const struct reader *source = block->source;
	const uint64_t start = clock_now(&clock_thread_cpu);
	uint64_t samples = 0;

	for (size_t s = 0; s < source->streams && samples < block->count; s++) {
		void *stream = source->ops->stream_open(source, s, err);
		int got = stream ? 1 : -1;

		while (got > 0) {
			chunk_reset(&block->chunk);
			got = source->ops->stream_fetch(
			    stream, &block->chunk, err);
			block->chunk.stream = s;
			if (got > 0 && reader_unpack(source, block->unpacker,
			                   &block->chunk, err))
				got = -1;
		}
		source->ops->stream_close(stream);
		if (got < 0)
			return -1;
		samples += source->ops->stream_samples(source, s);
	}
	*seconds = (double)(clock_now(&clock_thread_cpu) - start) / 1e9 /
	           (double)samples;
	return 0;
}

static int read_stored(struct block *block, double *seconds, struct error *err)
{
	const struct reader *source = block->source;
	const uint64_t start = clock_now(&clock_thread_cpu);

	if (picks_fetch(source, block->picker, block->picks, block->count,
	        &block->chunk, err) ||
	    reader_unpack(source, block->unpacker, &block->chunk, err))
		return -1;
	*seconds = (double)(clock_now(&clock_thread_cpu) - start) / 1e9 /
	           (double)block->count;
	return 0;
}

/* Chooses the first block of the order. */
static int choose(
    struct block *block, const struct stored_order *order, struct error *err)
{
	struct permutation permutation;

	if (permutation_init(&permutation, block->source->samples, order->seed,
	        ORDER_USE_ALL, err))
		return -1;
	block->picks = calloc(block->count + 1, sizeof(*block->picks));
	if (block->picks)
		picks_choose(block->picks, &permutation, 0, block->count);
	permutation_release(&permutation);
	return block->picks ? 0 : error_memory(err, block->count);
}

static int open_block(
    struct block *block, const struct stored_order *order, struct error *err)
{
	const struct reader *source = block->source;

	block->count = (size_t)stored_order_samples(source, ORDER_BLOCK);
	if (block->count > source->samples)
		block->count = (size_t)source->samples;
	if (choose(block, order, err) ||
	    reader_unpacker_new(source, &block->unpacker, err))
		return -1;
	block->picker = source->ops->picker_open(source, err);
	return block->picker ? 0 : -1;
}

int order_cost_measure(struct order_cost *cost,
    const struct stored_order *order, const struct reader *source,
    struct error *err)
{
	struct block block = { .source = source, .chunk = CHUNK_INIT };
	int rc;

	*cost = (struct order_cost){ .given_s = 0 };
	if (stored_order_way(order, source) != ORDER_WHOLE || !source->samples)
		return 0;
	rc = open_block(&block, order, err);
	for (int i = 0; rc == 0 && i < 2; i++)
		if (read_stored(&block, &cost->stored_s, err) ||
		    read_given(&block, &cost->given_s, err))
			rc = -1;
	if (block.picker)
		source->ops->picker_close(block.picker);
	reader_unpacker_free(source, block.unpacker);
	chunk_release(&block.chunk);
	free(block.picks);
	return rc;
}
