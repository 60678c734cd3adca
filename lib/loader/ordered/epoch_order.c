/* epoch_order.c - see epoch_order.h. */
#include "lib/loader/ordered/epoch_order.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/sample/picks.h"
#include "lib/sample/reader.h"

enum {
	PIECE_BYTES = 256 << 10, /* picked samples that are fetched at once */
	/* See order_unit. */
	UNIT_BATCHES = 3,
	UNIT_BLOCKS = 8,
	UNIT_WINDOWS = 2,
};

/* Uses of the seed: the draws of one must not be those of another. */
enum { USE_PARTS = 1, USE_WINDOWS = 2 };

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- common to all epochs ---- */

static int check_rule(const struct order_rule *rule, struct error *err)
{
	if (rule->batch == 0)
		return error_set(
		    err, ERROR_USAGE, "a batch must have at least 1 sample");
	if (rule->world_size == 0)
		return error_set(
		    err, ERROR_USAGE, "the world size must be at least 1");
	if (rule->rank >= rule->world_size)
		return error_set(err, ERROR_USAGE,
		    "the rank must be less than the world size of %u, got %u",
		    rule->world_size, rule->rank);
	if (rule->makes_many && rule->drop_last && rule->world_size > 1)
		return error_set(err, ERROR_USAGE,
		    "drop_last cannot make %u ranks equal: a step makes "
		    "several samples of one, so their number is not known; "
		    "leave drop_last out",
		    rule->world_size);
	return 0;
}

static int add_part(struct order *order, size_t stream, uint64_t number,
    uint64_t samples, struct error *err)
{
	struct order_part *parts = array_grow(order->parts,
	    &order->part_capacity, order->part_count + 1, sizeof(*parts), err);

	if (!parts)
		return -1;
	order->parts = parts;
	parts[order->part_count++] = (struct order_part){
		.stream = stream,
		.number = number,
		.samples = samples,
	};
	return 0;
}

static int visit_chunk(void *arg, size_t stream, uint64_t number,
    uint64_t samples, struct error *err)
{
	return add_part(arg, stream, number, samples, err);
}

static int add_streams(struct order *order, struct error *err)
{
	const struct reader *reader = order->rule.reader;

	for (size_t i = 0; i < reader->streams; i++)
		if (add_part(order, i, 0,
		        reader->ops->stream_samples(reader, i), err))
			return -1;
	return 0;
}

static int find_parts(struct order *order, struct error *err)
{
	const struct reader *reader = order->rule.reader;

	order->way = ORDER_STREAMS;
	if (reader_can_pick(reader) && !reader->costly_picks)
		order->way = ORDER_PICKS;
	else if (reader->ops->each_chunk && !reader->costly_chunks)
		order->way = ORDER_BLOCKS;
	if (order->way == ORDER_BLOCKS)
		return reader->ops->each_chunk(reader, visit_chunk, order, err);
	return order->way == ORDER_STREAMS ? add_streams(order, err) : 0;
}

/* Mean bytes of a sample as it is stored, or fetched by number. */
static uint64_t sample_bytes_of(const struct reader *reader)
{
	uint64_t bytes = reader->picked_bytes;

	if (bytes == 0 && reader->samples > 0)
		bytes = reader->bytes / reader->samples;
	return bytes ? bytes : 1;
}

static void find_sizes(struct order *order)
{
	const struct order_rule *rule = &order->rule;
	const uint64_t bytes = sample_bytes_of(rule->reader);

	order->piece = (unsigned)least(PIECE_BYTES / bytes, rule->batch);
	if (order->piece == 0)
		order->piece = 1;
	if (!rule->shuffle || order->way == ORDER_PICKS || rule->makes_many)
		return;
	order->window = least(ORDERED_WINDOW / bytes, ORDERED_WINDOW_SAMPLES);
	if (rule->window)
		order->window = rule->window;
	if (order->window == 0)
		order->window = 1;
}

static void find_section(struct order *order)
{
	const struct order_rule *rule = &order->rule;
	uint64_t samples, rest;

	if (rule->drop_last && !rule->makes_many) {
		samples = order->samples / rule->world_size / rule->batch *
		          rule->batch;
		rest = 0;
	} else {
		samples = order->samples / rule->world_size;
		rest = order->samples % rule->world_size;
	}
	order->begin = samples * rule->rank + least(rule->rank, rest);
	order->end = order->begin + samples + (rule->rank < rest);
}

int order_init(
    struct order *order, const struct order_rule *rule, struct error *err)
{
	*order = (struct order)ORDER_INIT;
	order->rule = *rule;
	order->samples = rule->reader->samples;
	if (check_rule(rule, err))
		return -1;
	if (find_parts(order, err)) {
		order_release(order);
		return -1;
	}
	find_sizes(order);
	find_section(order);
	return 0;
}

void order_release(struct order *order)
{
	free(order->parts);
	*order = (struct order)ORDER_INIT;
}

static uint64_t batches_of(uint64_t samples, unsigned batch)
{
	return samples / batch + (samples % batch > 0);
}

uint64_t order_batches(const struct order *order)
{
	return batches_of(order->end - order->begin, order->rule.batch);
}

uint64_t order_fingerprint(const struct order *order)
{
	const struct order_rule *rule = &order->rule;
	const uint64_t facts[] = { order->samples, order->window, rule->batch,
		rule->shuffle, rule->drop_last, rule->seed, rule->rank,
		rule->world_size, rule->makes_many,
		rule->shuffle ? (uint64_t)order->way : 0 };
	uint64_t hash = hash_bytes(facts, sizeof(facts), 0);

	for (size_t i = 0; rule->shuffle && i < order->part_count; i++)
		hash = hash_bytes(&order->parts[i].samples,
		    sizeof(order->parts[i].samples), hash);
	return hash;
}

/*
 * A stream is read from its beginning, a block or a window as a whole: several
 * of these make what two loaders both read a small part.
 */
uint64_t order_unit(const struct order *order)
{
	const unsigned batch = order->rule.batch;
	uint64_t samples = batch;

	if (order->rule.makes_many)
		return 0;
	if (order->window)
		samples = UNIT_WINDOWS * order->window;
	else if (order->part_count > 0)
		samples = (order->way == ORDER_BLOCKS ? UNIT_BLOCKS : 1) *
		          (order->samples / order->part_count);
	return batches_of(samples, batch) + UNIT_BATCHES;
}

/* ---- one epoch ---- */

static uint64_t part_samples(const struct epoch_order *epoch, uint64_t i)
{
	return epoch_order_part(epoch, i)->samples;
}

/* Finds the blocks or streams with the samples from `from` to `end`. */
static void find_read_parts(struct epoch_order *epoch, uint64_t from,
    uint64_t end, const struct epoch_order *before)
{
	const uint64_t count = epoch->order->part_count;
	uint64_t index = 0, i = 0;

	if (before && before->epoch == epoch->epoch &&
	    before->index_from <= from) {
		index = before->index_from;
		i = before->part_from;
	}
	while (i < count && index + part_samples(epoch, i) <= from)
		index += part_samples(epoch, i++);
	epoch->part_from = i;
	epoch->index_from = index;
	while (i < count && index < end)
		index += part_samples(epoch, i++);
	epoch->part_end = i;
	epoch->index_end = end;
}

/* Pieces do not cross the borders of batches. */
static uint64_t pieces_of_batch(const struct order *order)
{
	return batches_of(order->rule.batch, order->piece);
}

/* Returns where a piece begins, counted from the beginning of the section. */
static uint64_t piece_start(const struct order *order, uint64_t i)
{
	const uint64_t pieces = pieces_of_batch(order);

	return i / pieces * order->rule.batch + i % pieces * order->piece;
}

static void find_read_pieces(struct epoch_order *epoch)
{
	const struct order *order = epoch->order;
	const uint64_t batch = order->rule.batch,
	               pieces = pieces_of_batch(order);
	const uint64_t samples = epoch->end - order->begin;

	epoch->part_from = (epoch->first - order->begin) / batch * pieces;
	epoch->part_end = samples / batch * pieces +
	                  batches_of(samples % batch, order->piece);
	epoch->index_from = epoch->first;
	epoch->index_end = epoch->end;
	if (epoch->first == epoch->end)
		epoch->part_from = epoch->part_end;
}

/* Returns the place where a batch begins, or the end of the section. */
static uint64_t batch_place(const struct order *order, uint64_t batch)
{
	const uint64_t samples = order->end - order->begin;

	return order->begin + (batch < batches_of(samples, order->rule.batch)
	                              ? batch * order->rule.batch
	                              : samples);
}

/* The parts with the places of the epoch, and all of their windows. */
static void find_read(
    struct epoch_order *epoch, const struct epoch_order *before)
{
	const struct order *order = epoch->order;
	uint64_t from = epoch->first, end = epoch->end;

	if (order->way == ORDER_PICKS) {
		find_read_pieces(epoch);
		return;
	}
	if (from >= end)
		return;
	if (order->window) {
		from = from / order->window * order->window;
		end = least(order->samples,
		    batches_of(end, (unsigned)order->window) * order->window);
	}
	find_read_parts(epoch, from, end, before);
}

void epoch_order_init(struct epoch_order *epoch, const struct order *order,
    struct ordered_span span, const struct epoch_order *before)
{
	const uint64_t key =
	    order->rule.seed + span.epoch * (uint64_t)0xd1342543de82ef95;

	*epoch = (struct epoch_order){
		.order = order,
		.epoch = span.epoch,
		.first = order->begin,
		.end = order->end,
		.window_key = key ^ (uint64_t)USE_WINDOWS << 56,
	};
	if (!order->rule.makes_many) {
		epoch->end = batch_place(order, span.end);
		epoch->first = least(batch_place(order, span.from), epoch->end);
	}
	if (order->rule.shuffle)
		random_order_init(&epoch->whole,
		    order->way == ORDER_PICKS ? order->samples
		                              : order->part_count,
		    key, USE_PARTS);
	find_read(epoch, before);
}

const struct order_part *epoch_order_part(
    const struct epoch_order *epoch, uint64_t i)
{
	return &epoch->order->parts[epoch->order->rule.shuffle
	                                ? random_order_at(&epoch->whole, i)
	                                : i];
}

size_t epoch_order_picks(
    const struct epoch_order *epoch, uint64_t i, struct pick *picks)
{
	const struct order *order = epoch->order;
	const uint64_t from = order->begin + piece_start(order, i);
	const uint64_t end =
	    least(least(from + order->piece,
	              order->begin +
	                  piece_start(order, (i / pieces_of_batch(order) + 1) *
	                                         pieces_of_batch(order))),
	        epoch->end);

	for (uint64_t place = from; place < end; place++)
		picks[place - from] = (struct pick){
			.number = order->rule.shuffle
			              ? random_order_at(&epoch->whole, place)
			              : place,
			.place = (size_t)(place - from),
		};
	if (order->rule.shuffle)
		picks_sort(picks, (size_t)(end - from));
	return (size_t)(end - from);
}

/* ---- places ---- */

uint64_t order_place(struct order_places *places,
    const struct epoch_order *epoch, uint64_t index)
{
	const struct order *order = epoch->order;
	const uint64_t size = order->window;
	uint64_t window, start;

	if (size == 0)
		return index;
	window = index / size;
	start = window * size;
	if (places->key != epoch->window_key || places->window != window ||
	    places->shuffle.count == 0) {
		places->key = epoch->window_key;
		places->window = window;
		random_order_init(&places->shuffle,
		    least(size, order->samples - start), epoch->window_key,
		    window);
	}
	return start + random_order_at(&places->shuffle, index - start);
}

uint64_t order_least_place(const struct epoch_order *epoch, uint64_t index)
{
	const uint64_t size = epoch->order->window;
	const uint64_t place = size ? index / size * size : index;

	return place < epoch->first ? epoch->first : place;
}
