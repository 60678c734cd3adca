/*
 * sampler.c - see sampler.h.
 *
 * Memory is what it costs: rows and neighbours lie anywhere in the graph.  So
 * the rows of the nodes to come are fetched ahead, and positions are drawn
 * for many nodes before the first neighbour is looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/mix.h"
#include "lib/graph/sampler.h"

enum {
	PLACES_LEAST = 1024, /* drawn before they are looked at */
	SEARCHED_MOST = 32,  /* larger fanouts mark what is taken */
	ROWS_AHEAD = 16,
};

/* ---- chance ---- */

/* Uniform in 0 .. bound-1, without bias (Lemire 2019); 0 < bound < 2^32. */
static inline uint32_t draw_below(uint64_t *state, uint32_t bound)
{
	uint64_t product = (mix(*state += MIX_STEP) >> 32) * bound;

	if ((uint32_t)product < bound) {
		/* 2^32 modulo bound: so many low halves are one too many. */
		const uint32_t surplus = (uint32_t)(-bound) % bound;

		while ((uint32_t)product < surplus)
			product = (mix(*state += MIX_STEP) >> 32) * bound;
	}
	return (uint32_t)(product >> 32);
}

/* k of n positions behind `begin`; what is taken is searched one by one. */
static void choose_few(
    uint64_t *state, uint64_t begin, uint32_t n, uint32_t k, uint64_t *places)
{
	uint32_t taken[SEARCHED_MOST];

	for (uint32_t i = 0; i < k; i++) {
		const uint32_t j = n - k + i;
		uint32_t t = draw_below(state, j + 1), is_taken = 0;

		for (uint32_t c = 0; c < i; c++)
			is_taken |= taken[c] == t;
		t = is_taken ? j : t;
		taken[i] = t;
		places[i] = begin + t;
	}
}

/* The same by marks; a mark is a number, so they need not be wiped. */
static int choose_many(struct sampler *sampler, uint64_t begin, uint32_t n,
    uint32_t k, uint64_t *places, struct error *err)
{
	uint32_t *marks = sampler->marks;

	if (n > sampler->mark_count || ++sampler->mark == 0) {
		const size_t count = n > sampler->mark_count
		                         ? n + (size_t)n / 2
		                         : sampler->mark_count;

		marks = calloc(count, sizeof(*marks));
		if (!marks)
			return error_memory(err, count * sizeof(*marks));
		free(sampler->marks);
		sampler->marks = marks;
		sampler->mark_count = count;
		sampler->mark = 1;
	}
	for (uint32_t i = 0; i < k; i++) {
		const uint32_t j = n - k + i;
		uint32_t t = draw_below(&sampler->draw, j + 1);

		if (marks[t] == sampler->mark)
			t = j;
		marks[t] = sampler->mark;
		places[i] = begin + t;
	}
	return 0;
}

/* ---- neighbours ---- */

/* The neighbours at the places drawn become edges. */
static int look_up(
    struct sampler *sampler, const struct csr *graph, struct error *err)
{
	const size_t count = sampler->placed;
	uint32_t most = 0;
	int32_t *ends;

	ends = array_grow(sampler->ends, &sampler->ends_capacity,
	    sampler->edges + count + 1, sizeof(*ends), err);
	if (!ends)
		return -1;
	sampler->ends = ends;
	for (size_t i = 0; i < count; i++) {
		const int32_t node = graph->indices[sampler->places[i]];

		most = (uint32_t)node > most ? (uint32_t)node : most;
		sampler->drawn[i] = node;
	}
	if (count && most >= graph->nodes)
		return error_set(err, ERROR_DATA,
		    "an edge goes to node %d of %zu", (int32_t)most,
		    graph->nodes);
	if (node_map_add(&sampler->map, sampler->drawn, count,
	        ends + sampler->edges, err))
		return -1;
	sampler->edges += count;
	sampler->placed = 0;
	return 0;
}

static int take_all(struct sampler *sampler, const struct csr *graph,
    uint64_t begin, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (sampler->placed == sampler->places_most &&
		    look_up(sampler, graph, err))
			return -1;
		sampler->places[sampler->placed++] = begin + i;
	}
	return 0;
}

static int take_some(struct sampler *sampler, const struct csr *graph,
    uint64_t begin, uint32_t n, uint32_t k, struct error *err)
{
	uint64_t *places;

	if (sampler->placed + k > sampler->places_most &&
	    look_up(sampler, graph, err))
		return -1;
	places = sampler->places + sampler->placed;
	if (k <= SEARCHED_MOST)
		choose_few(&sampler->draw, begin, n, k, places);
	else if (choose_many(sampler, begin, n, k, places, err))
		return -1;
	for (uint32_t i = 0; i < k; i++)
		__builtin_prefetch(&graph->indices[places[i]]);
	sampler->placed += k;
	return 0;
}

static int sample_node(struct sampler *sampler, const struct csr *graph,
    int32_t node, int32_t fanout, struct error *err)
{
	const int64_t begin = graph->indptr[node];
	const int64_t end = graph->indptr[node + 1];
	const int64_t degree = end - begin;

	if (begin < 0 || degree < 0 || (uint64_t)end > graph->edges ||
	    degree > INT32_MAX)
		return error_set(err, ERROR_DATA,
		    "row %d goes from %lld to %lld of %zu edges", node,
		    (long long)begin, (long long)end, graph->edges);
	if (fanout == SAMPLER_ALL || degree <= fanout) {
		sampler->taken[sampler->looked++] = (int32_t)degree;
		return take_all(
		    sampler, graph, (uint64_t)begin, (size_t)degree, err);
	}
	sampler->taken[sampler->looked++] = fanout;
	return take_some(sampler, graph, (uint64_t)begin, (uint32_t)degree,
	    (uint32_t)fanout, err);
}

/* Of all nodes that there are when the layer begins. */
static int sample_layer(struct sampler *sampler, const struct csr *graph,
    int32_t fanout, struct error *err)
{
	const size_t count = sampler->map.count;
	int32_t *taken = array_grow(sampler->taken, &sampler->taken_capacity,
	    sampler->looked + count + 1, sizeof(*taken), err);

	if (!taken)
		return -1;
	sampler->taken = taken;
	for (size_t i = 0; i < count; i++) {
		/* The list may move as it grows. */
		const int32_t *nodes = sampler->map.nodes;

		if (i + ROWS_AHEAD < count)
			__builtin_prefetch(
			    &graph->indptr[nodes[i + ROWS_AHEAD]]);
		if (sample_node(sampler, graph, nodes[i], fanout, err))
			return -1;
	}
	return look_up(sampler, graph, err);
}

static int add_seeds(struct sampler *sampler, const struct csr *graph,
    const int32_t *seeds, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if ((uint32_t)seeds[i] >= graph->nodes)
			return error_set(err, ERROR_DATA,
			    "seed %zu is node %d of %zu", i, seeds[i],
			    graph->nodes);
	while (count) {
		const size_t n =
		    count < sampler->places_most ? count : sampler->places_most;

		if (node_map_add(&sampler->map, seeds, n, sampler->drawn, err))
			return -1;
		seeds += n;
		count -= n;
	}
	return 0;
}

int sampler_run(struct sampler *sampler, const struct csr *graph,
    const int32_t *seeds, size_t count, uint64_t draw, struct error *err)
{
	sampler->draw = draw;
	sampler->placed = sampler->edges = sampler->looked = 0;
	if (node_map_begin(&sampler->map, graph->nodes, err) ||
	    add_seeds(sampler, graph, seeds, count, err))
		return -1;
	sampler->layer_nodes[0] = sampler->map.count;
	sampler->layer_edges[0] = 0;
	for (unsigned l = 0; l < sampler->layers.count; l++) {
		if (sample_layer(
		        sampler, graph, sampler->layers.fanout[l], err))
			return -1;
		sampler->layer_nodes[l + 1] = sampler->map.count;
		sampler->layer_edges[l + 1] = sampler->edges;
	}
	return 0;
}

void sampler_targets(const struct sampler *sampler, int32_t *targets)
{
	const int32_t *taken = sampler->taken;

	for (unsigned l = 0; l < sampler->layers.count; l++)
		for (size_t i = 0; i < sampler->layer_nodes[l]; i++)
			for (int32_t n = *taken++; n > 0; n--)
				*targets++ = (int32_t)i;
}

/* ---- a sampler ---- */

int sampler_parse_layers(
    struct sampler_layers *layers, const char *text, struct error *err)
{
	const char *at = text;

	layers->count = 0;
	for (;;) {
		char *end;
		const long fanout = strtol(at, &end, 10);

		if (end == at || (*end && *end != ',') ||
		    fanout < SAMPLER_ALL || fanout > SAMPLER_FANOUT_MAX)
			return error_set(err, ERROR_USAGE,
			    "fanout must be numbers of neighbours with commas, "
			    "-1 to %d (-1: all), got '%s'",
			    SAMPLER_FANOUT_MAX, text);
		if (layers->count == SAMPLER_LAYERS)
			return error_set(err, ERROR_USAGE,
			    "fanout has more than %d layers", SAMPLER_LAYERS);
		layers->fanout[layers->count++] = (int32_t)fanout;
		if (!*end)
			return 0;
		at = end + 1;
	}
}

int sampler_init(struct sampler *sampler, const struct sampler_layers *layers,
    struct error *err)
{
	*sampler = (struct sampler){
		.layers = *layers,
		.places_most = PLACES_LEAST,
	};
	for (unsigned l = 0; l < layers->count; l++)
		if (layers->fanout[l] > (int64_t)sampler->places_most)
			sampler->places_most = (size_t)layers->fanout[l];
	sampler->places =
	    malloc(sampler->places_most * sizeof(*sampler->places));
	sampler->drawn = malloc(sampler->places_most * sizeof(*sampler->drawn));
	if (sampler->places && sampler->drawn)
		return 0;
	sampler_release(sampler);
	return error_memory(
	    err, sampler->places_most * sizeof(*sampler->places));
}

void sampler_release(struct sampler *sampler)
{
	node_map_release(&sampler->map);
	free(sampler->places);
	free(sampler->drawn);
	free(sampler->marks);
	free(sampler->ends);
	free(sampler->taken);
	*sampler = (struct sampler){ .layers = { .count = 0 } };
}
