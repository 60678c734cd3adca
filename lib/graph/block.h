/*
 * block.h - some nodes of a graph whose rows are processed together, and
 * neighbours of each: all of them, or a number drawn at random, uniformly.
 *
 * 	block_read(&block, ...)      finds the rows
 * 	block_split(&block, most)    for each layer:
 * 	block_take(&block, ...)      gets the neighbours
 *
 * A block is large enough that reading rows, which waits for memory, overlaps
 * well with drawing, which does not.
 */
#ifndef LIB_GRAPH_BLOCK_H
#define LIB_GRAPH_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/graph/csr.h"
#include "lib/graph/draw.h"

struct error;

enum { BLOCK_NODES = 512 };

/* Source and destination of a node's neighbours. */
struct block_row {
	uint64_t begin; /* offset in the indices */
	size_t to;      /* offset in the neighbours taken for the block */
	uint32_t degree;
};

struct block {
	size_t count; /* number of nodes, at most BLOCK_NODES */
	uint64_t begins[BLOCK_NODES];
	const int32_t *degrees; /* borrowed */
	/*
	 * For a layer: first the rows of which some neighbours are taken; from
	 * the end backwards those of which all are.
	 */
	struct block_row rows[BLOCK_NODES];
	size_t some_count, all_count;
	uint32_t most;
	size_t edges; /* number of neighbours taken in all */
};

/* A source of random draws, for one thread. */
struct chance {
	struct draw draw;
	/* marks of the positions taken in a long row */
	uint32_t *marks;
	size_t mark_count;
	uint32_t mark;
};

void chance_release(struct chance *chance); /* a zeroed one, too */

/*
 * Finds the rows of the first BLOCK_NODES of `count` nodes, or of all.  Writes
 * their degrees to `degrees`, which the block uses afterwards.  ERROR_DATA for
 * a node or row outside the graph.
 */
int block_read(struct block *block, const struct csr *graph,
    const int32_t *nodes, size_t count, int32_t *degrees, struct error *err);
/* Prepares a layer that takes at most `most` neighbours of each node. */
void block_split(struct block *block, uint32_t most);
/* Writes the neighbours to `ends`, which has room for block->edges. */
int block_take(const struct block *block, const struct csr *graph,
    struct chance *chance, int32_t *ends, struct error *err);

#endif
