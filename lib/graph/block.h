/*
 * block.h - some nodes of a graph whose rows are read together, and neighbours
 * of each of them: all, or so many by chance, each with the same.
 *
 *	block_read(&block, ...)      where the rows are
 *	block_split(&block, most)    for one layer, and then another:
 *	block_take(&block, ...)      the neighbours
 *
 * There are so many nodes in a block that reading rows, which waits for
 * memory, and drawing, which does not, go on side by side for long.
 */
#ifndef LIB_GRAPH_BLOCK_H
#define LIB_GRAPH_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/graph/csr.h"
#include "lib/graph/draw.h"

struct error;

enum { BLOCK_NODES = 512 };

/* Where neighbours are, and where they go. */
struct block_row {
	uint64_t begin; /* in the indices */
	size_t to;      /* in what is taken for the block */
	uint32_t degree;
};

struct block {
	size_t count; /* nodes, at most BLOCK_NODES */
	uint64_t begins[BLOCK_NODES];
	const int32_t *degrees; /* borrowed */
	/* For a layer: in front those of which some are taken, from behind
	 * those of which all are. */
	struct block_row rows[BLOCK_NODES];
	size_t some_count, all_count;
	uint32_t most;
	size_t edges; /* how many neighbours are taken in all */
};

/* What decides; of one thread. */
struct chance {
	struct draw draw;
	/* Which positions of a row are taken, where it is many. */
	uint32_t *marks;
	size_t mark_count;
	uint32_t mark;
};

void chance_release(struct chance *chance); /* zeroed ones, too */

/*
 * The first BLOCK_NODES of `count` nodes, or all; their degrees go to
 * `degrees`, which stays as it is meanwhile.  Rows that are not in the graph
 * are ERROR_DATA.
 */
int block_read(struct block *block, const struct csr *graph,
    const int32_t *nodes, size_t count, int32_t *degrees, struct error *err);
/* For a layer that takes so many neighbours of a node. */
void block_split(struct block *block, uint32_t most);
/* These neighbours; there is room for block->edges. */
int block_take(const struct block *block, const struct csr *graph,
    struct chance *chance, int32_t *ends, struct error *err);

#endif
