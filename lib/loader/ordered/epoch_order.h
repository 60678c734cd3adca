/*
 * epoch_order.h - which samples an epoch has, and at which place each comes;
 * for the ordered loader.  Only computations, no threads: see ordered.h for the
 * rules.
 *
 * A dataset is read in parts: picked samples, blocks or streams.  The samples
 * of all parts, in the order in which parts are read, have the indexes 0 to
 * samples - 1.  A sample's place in the epoch is its index, except with
 * windows: there, samples change places within each window.
 */
#ifndef LIB_LOADER_ORDERED_EPOCH_ORDER_H
#define LIB_LOADER_ORDERED_EPOCH_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/loader/ordered/ordered.h"
#include "lib/sample/random_order.h"

struct error;
struct pick;
struct reader;

enum order_way {
	ORDER_PICKS,   /* a part is some samples, fetched by number */
	ORDER_BLOCKS,  /* a part is a chunk that is known in advance */
	ORDER_STREAMS, /* a part is a stream */
};

/* The plan of the order; see struct ordered_plan. */
struct order_rule {
	const struct reader *reader; /* borrowed */
	unsigned batch;
	bool shuffle, drop_last;
	uint64_t seed;
	unsigned rank, world_size;
	unsigned window; /* samples; 0: by ORDERED_WINDOW */
	bool makes_many; /* sections are of samples before the steps */
};

/* A block or a stream. */
struct order_part {
	size_t stream;
	uint64_t number; /* number of the block in its stream */
	uint64_t samples;
};

/* Common to all epochs. */
struct order {
	struct order_rule rule;
	enum order_way way;
	struct order_part *parts; /* [part_count]; owned; none for picks */
	size_t part_count, part_capacity;
	uint64_t samples;    /* samples of all ranks */
	uint64_t begin, end; /* section of this rank: places */
	uint64_t window;     /* samples; 0: places are indexes */
	unsigned piece;      /* samples of a part, for picks */
};

#define ORDER_INIT            \
	{                     \
		.parts = NULL \
	}

/* Reads what the reader knows of its parts; ERROR_USAGE for a bad rule. */
int order_init(
    struct order *order, const struct order_rule *rule, struct error *err);
void order_release(struct order *order);
/* Batches of each epoch; not for makes_many. */
uint64_t order_batches(const struct order *order);
uint64_t order_fingerprint(const struct order *order);
/*
 * Returns how many batches in a row are read without reading much twice, if
 * several loaders share an epoch; 0: only all of them.
 */
uint64_t order_unit(const struct order *order);

/* One epoch, or its end. */
struct epoch_order {
	const struct order *order; /* borrowed */
	uint32_t epoch;
	uint64_t first, end;            /* places that are delivered */
	uint64_t index_from, index_end; /* samples that must be read */
	uint64_t part_from, part_end;   /* parts, in the order of reading */
	struct random_order whole; /* order of parts, or of picked samples */
	uint64_t window_key;
};

/*
 * A part of an epoch.  With makes_many it begins with the first batch, since
 * nobody knows which samples make a later one, and has the whole epoch.
 * `before`: a part that was read before it, which saves the search for its
 * first block from the beginning; NULL: none.
 */
void epoch_order_init(struct epoch_order *epoch, const struct order *order,
    struct ordered_span span, const struct epoch_order *before);
/* Returns a part for blocks and streams; `i`: part_from .. part_end - 1. */
const struct order_part *epoch_order_part(
    const struct epoch_order *epoch, uint64_t i);
/*
 * Fills picks with the samples of part `i`, sorted by number; there is room for
 * order->piece.  Returns their number.
 */
size_t epoch_order_picks(
    const struct epoch_order *epoch, uint64_t i, struct pick *picks);

/* Finds places of samples; remembers the last window.  For one thread. */
struct order_places {
	uint64_t key, window;
	struct random_order shuffle;
};

/* Returns the place of the sample with this index. */
uint64_t order_place(struct order_places *places,
    const struct epoch_order *epoch, uint64_t index);
/* The least place that a sample from this index on can have. */
uint64_t order_least_place(const struct epoch_order *epoch, uint64_t index);

#endif
