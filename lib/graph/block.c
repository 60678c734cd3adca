/* block.c - see block.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/block.h"

/* ---- rows ---- */

static int check_rows(const struct csr *graph, const int32_t *nodes,
    size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const int64_t begin = graph->indptr[nodes[i]];
		const int64_t end = graph->indptr[nodes[i] + 1];

		if (begin < 0 || end < begin || (uint64_t)end > graph->edges ||
		    end - begin > INT32_MAX)
			return error_set(err, ERROR_DATA,
			    "row %d goes from %lld to %lld of %zu edges",
			    nodes[i], (long long)begin, (long long)end,
			    graph->edges);
	}
	return 0;
}

int block_read(struct block *block, const struct csr *graph,
    const int32_t *nodes, size_t count, int32_t *degrees, struct error *err)
{
	bool is_bad = false;

	block->count = count < BLOCK_NODES ? count : BLOCK_NODES;
	for (size_t i = BLOCK_NODES; i < 2 * BLOCK_NODES && i < count; i++)
		__builtin_prefetch(&graph->indptr[nodes[i]]);
	for (size_t i = 0; i < block->count; i++) {
		const uint64_t begin = (uint64_t)graph->indptr[nodes[i]];
		const uint64_t end = (uint64_t)graph->indptr[nodes[i] + 1];
		const uint64_t degree = end - begin;

		is_bad |=
		    (end < begin) | (end > graph->edges) | (degree > INT32_MAX);
		block->begins[i] = begin;
		degrees[i] = (int32_t)degree;
	}
	block->degrees = degrees;
	return is_bad ? check_rows(graph, nodes, block->count, err) : 0;
}

void block_split(struct block *block, uint32_t most)
{
	size_t some = 0, all = 0, edges = 0;

	for (size_t i = 0; i < block->count; i++) {
		const uint32_t degree = (uint32_t)block->degrees[i];
		const bool is_some = degree > most;
		const struct block_row row = { block->begins[i], edges,
			degree };

		block->rows[is_some ? some : BLOCK_NODES - 1 - all] = row;
		some += is_some;
		all += !is_some;
		edges += is_some ? most : degree;
	}
	block->some_count = some;
	block->all_count = all;
	block->most = most;
	block->edges = edges;
}

/* ---- neighbours ---- */

static void take_all(
    const struct block *block, const int32_t *indices, int32_t *ends)
{
	for (size_t i = 0; i < block->all_count; i++) {
		const struct block_row *row = &block->rows[BLOCK_NODES - 1 - i];

		memcpy(ends + row->to, indices + row->begin,
		    row->degree * sizeof(*ends));
	}
}

/* Sixteen rows, and where the neighbours begin in each. */
struct group {
	const struct block_row *rows;
	size_t count;
	struct draw_ahead ahead;
	draw_row places[DRAW_MOST];
};

/* Draws for a group while the indices drawn for the last one are fetched. */
static void draw_group(struct group *group, struct draw *draw,
    const struct block *block, size_t first, const int32_t *indices,
    const struct group *before)
{
	const size_t left = block->some_count - first;
	draw_row degrees;

	group->rows = &block->rows[first];
	group->count = left < DRAW_LANES ? left : DRAW_LANES;
	group->ahead.places = group->places;
	for (size_t lane = 0; lane < DRAW_LANES; lane++) {
		const struct block_row *row =
		    &group->rows[lane < group->count ? lane : 0];

		degrees[lane] = row->degree;
		group->ahead.from[lane] = indices + row->begin;
	}
	draw_lanes(draw, degrees, block->most, group->places,
	    before ? &before->ahead : NULL);
}

static void take_group(const struct group *group, uint32_t k, int32_t *ends)
{
	for (size_t lane = 0; lane < group->count; lane++) {
		const int32_t *from = group->ahead.from[lane];
		int32_t *to = ends + group->rows[lane].to;

		for (uint32_t c = 0; c < k; c++)
			to[c] = from[group->places[c][lane]];
	}
}

/*
 * Takes up to DRAW_MOST neighbours per row.  While one group is drawn, the
 * previous one is fetched, and the one before that is copied.
 */
static void take_few(const struct block *block, const int32_t *indices,
    struct draw *draw, int32_t *ends)
{
	const uint32_t k = block->most;
	struct group groups[3];
	size_t n = 0;

	for (size_t i = 0; i < block->some_count; i += DRAW_LANES, n++) {
		draw_group(&groups[n % 3], draw, block, i, indices,
		    n ? &groups[(n - 1) % 3] : NULL);
		if (n > 1)
			take_group(&groups[(n - 2) % 3], k, ends);
	}
	if (n)
		draw_fetch(&groups[(n - 1) % 3].ahead, k);
	if (n > 1)
		take_group(&groups[(n - 2) % 3], k, ends);
	if (n)
		take_group(&groups[(n - 1) % 3], k, ends);
}

/* Prepares marks for n positions; their value changes, so none is cleared. */
static int begin_marks(struct chance *chance, size_t n, struct error *err)
{
	const size_t count =
	    n > chance->mark_count ? n + n / 2 : chance->mark_count;
	uint32_t *marks;

	if (n <= chance->mark_count && ++chance->mark)
		return 0;
	marks = calloc(count, sizeof(*marks));
	if (!marks)
		return error_memory(err, count * sizeof(*marks));
	free(chance->marks);
	chance->marks = marks;
	chance->mark_count = count;
	chance->mark = 1;
	return 0;
}

/* Takes any number of neighbours, row by row, marking the positions taken. */
static int take_many(const struct block *block, const int32_t *indices,
    struct chance *chance, int32_t *ends, struct error *err)
{
	for (size_t i = 0; i < block->some_count; i++) {
		const struct block_row *row = &block->rows[i];
		int32_t *to = ends + row->to;

		if (begin_marks(chance, row->degree, err))
			return -1;
		for (uint32_t j = row->degree - block->most; j < row->degree;
		     j++) {
			uint32_t t = draw_below(&chance->draw, j + 1);

			if (chance->marks[t] == chance->mark)
				t = j;
			chance->marks[t] = chance->mark;
			*to++ = indices[row->begin + t];
		}
	}
	return 0;
}

int block_take(const struct block *block, const struct csr *graph,
    struct chance *chance, int32_t *ends, struct error *err)
{
	take_all(block, graph->indices, ends);
	if (block->most > DRAW_MOST)
		return take_many(block, graph->indices, chance, ends, err);
	take_few(block, graph->indices, &chance->draw, ends);
	return 0;
}

void chance_release(struct chance *chance)
{
	free(chance->marks);
	*chance = (struct chance){ .marks = NULL };
}
