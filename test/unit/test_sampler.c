/* test_sampler.c - neighbours are drawn uniformly, once each, and numbered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/graph/sampler.h"
#include "lib/sample/tensor.h"
#include "test/unit/test.h"

/* A graph in which node 0 has `degree` neighbours, 1 to degree. */
struct star {
	int64_t *indptr;
	int32_t *indices;
	struct csr csr;
};

static void make_star(struct star *star, size_t degree)
{
	const size_t nodes = degree + 1;

	star->indptr = malloc((nodes + 1) * sizeof(*star->indptr));
	star->indices = malloc((degree + 1) * sizeof(*star->indices));
	assert_true(star->indptr && star->indices);
	star->indptr[0] = 0;
	for (size_t i = 1; i <= nodes; i++)
		star->indptr[i] = (int64_t)degree;
	for (size_t i = 0; i < degree; i++)
		star->indices[i] = (int32_t)i + 1;
	star->csr = (struct csr){ star->indptr, star->indices, nodes, degree };
}

static void free_star(struct star *star)
{
	free(star->indptr);
	free(star->indices);
}

/* A sampler, and the edges that it made last. */
struct sampling {
	struct sampler sampler;
	struct tensor edges;
};

static void open_sampling(struct sampling *sampling, const char *fanout)
{
	struct fanouts fanouts;
	struct error err = ERROR_INIT;

	*sampling = (struct sampling){ .edges = TENSOR_INIT };
	test_ok(fanouts_parse(&fanouts, fanout, &err), &err);
	sampler_init(&sampling->sampler, &fanouts);
}

static void close_sampling(struct sampling *sampling)
{
	sampler_release(&sampling->sampler);
	tensor_release(&sampling->edges);
}

static void sample(struct sampling *sampling, const struct csr *graph,
    const int32_t *nodes, size_t count, uint64_t draw)
{
	const struct sampler_seeds seeds = { nodes, count, draw };
	const struct tensor *edges = &sampling->edges;
	struct error err = ERROR_INIT;

	test_ok(sampler_run(
	            &sampling->sampler, graph, &seeds, &sampling->edges, &err),
	    &err);
	assert_int_equal(edges->dtype, DTYPE_I32);
	assert_int_equal(edges->shape.count, 2);
	assert_int_equal(edges->shape.dims[0], 2);
	assert_int_equal(edges->shape.dims[1], sampling->sampler.edges);
}

/* ---- chance ---- */

/* As in test_graph.c: one in millions is beyond; seeds are fixed. */
static double chi_square_most(double freedom)
{
	double root = 1;

	for (int i = 0; i < 60; i++)
		root = (root + 2 * freedom / root) / 2;
	return freedom + 5.5 * root + 12;
}

/*
 * How often each neighbour is drawn.  Those of one draw exclude each other:
 * the sum of squares has the deviation of n - 1 degrees of freedom when it is
 * divided by (1 - k/n) n / (n - 1).
 */
static void check_uniform(size_t degree, const char *fanout, uint64_t turns)
{
	const size_t k = (size_t)strtol(fanout, NULL, 10);
	const double n = (double)degree, mean = (double)turns * (double)k / n;
	unsigned *seen = calloc(degree + 1, sizeof(*seen));
	struct sampling sampling;
	const struct sampler *sampler = &sampling.sampler;
	const int32_t seed = 0;
	struct star star;
	double sum = 0;

	assert_non_null(seen);
	make_star(&star, degree);
	open_sampling(&sampling, fanout);
	for (uint64_t turn = 0; turn < turns; turn++) {
		sample(&sampling, &star.csr, &seed, 1, turn * 0x9e3779b9);
		assert_int_equal(sampler->edges, k);
		assert_int_equal(sampler->map.count, k + 1);
		for (size_t i = 1; i <= k; i++)
			seen[sampler->map.nodes[i]]++;
	}
	for (size_t i = 1; i <= degree; i++)
		sum += (seen[i] - mean) * (seen[i] - mean) / mean;
	sum /= (1 - (double)k / n) * n / (n - 1);
	if (sum > chi_square_most(n - 1))
		fail_msg("%s of %zu: %g", fanout, degree, sum);
	close_sampling(&sampling);
	free_star(&star);
	free(seen);
}

static void test_neighbours_have_the_same_chance(void **state)
{
	static const struct {
		size_t degree;
		const char *fanout;
		uint64_t turns;
	} cases[] = {
		{ 2, "1", 100000 },
		{ 3, "2", 100000 },
		{ 16, "15", 50000 },
		{ 100, "15", 50000 },
		{ 7, "1", 50000 },
		{ 1000, "5", 50000 },
		{ 33, "32", 30000 },
		{ 34, "33", 30000 },
		{ 500, "64", 20000 },
		{ 5000, "100", 10000 },
		{ 2000, "1999", 300 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_uniform(cases[i].degree, cases[i].fanout,
		    TEST_TIMES(cases[i].turns));
}

/* Not only each neighbour: each set of them. */
static void test_sets_of_neighbours_have_the_same_chance(void **state)
{
	enum { DEGREE = 6, TAKEN = 3, SETS = 20, TURNS = TEST_TIMES(60000) };
	unsigned seen[1 << (DEGREE + 1)] = { 0 }, sets = 0;
	const double mean = (double)TURNS / SETS;
	struct sampling sampling;
	const int32_t seed = 0;
	struct star star;
	double sum = 0;

	UNUSED(state);
	make_star(&star, DEGREE);
	open_sampling(&sampling, "3");
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		unsigned set = 0;

		sample(&sampling, &star.csr, &seed, 1, turn);
		for (size_t i = 1; i <= TAKEN; i++)
			set |= 1u << sampling.sampler.map.nodes[i];
		seen[set]++;
	}
	for (size_t i = 0; i < ARRAY_LEN(seen); i++) {
		if (!seen[i])
			continue;
		sum += (seen[i] - mean) * (seen[i] - mean) / mean;
		sets++;
	}
	assert_int_equal(sets, SETS);
	assert_true(sum < chi_square_most(SETS - 1));
	close_sampling(&sampling);
	free_star(&star);
}

/* ---- layers ---- */

enum { NODES = 400 };

/* Degrees from 0 to about 60; rows without repetition. */
static void make_graph(struct star *graph)
{
	struct random random = random_stream(5, 0, 0, 0);
	size_t edges = 0;

	graph->indptr = malloc((NODES + 1) * sizeof(*graph->indptr));
	graph->indices = malloc(NODES * NODES * sizeof(*graph->indices));
	assert_true(graph->indptr && graph->indices);
	graph->indptr[0] = 0;
	for (size_t i = 0; i < NODES; i++) {
		const uint32_t chance = random_below(&random, 60);

		for (size_t k = 0; k < NODES; k++)
			if (random_below(&random, NODES) < chance)
				graph->indices[edges++] = (int32_t)k;
		graph->indptr[i + 1] = (int64_t)edges;
	}
	graph->csr =
	    (struct csr){ graph->indptr, graph->indices, NODES, edges };
}

static int has_edge(const struct csr *graph, int32_t from, int32_t to)
{
	for (int64_t i = graph->indptr[from]; i < graph->indptr[from + 1]; i++)
		if (graph->indices[i] == to)
			return 1;
	return 0;
}

/* How many neighbours the layer has to have of a node. */
static size_t wanted_of(const struct csr *graph, int32_t node, int32_t fanout)
{
	const size_t degree =
	    (size_t)(graph->indptr[node + 1] - graph->indptr[node]);

	return fanout < 0 || degree < (size_t)fanout ? degree : (size_t)fanout;
}

/* One layer: the right number for each node, in the graph, each once. */
static void check_layer(
    const struct sampling *sampling, const struct csr *graph, unsigned layer)
{
	const struct sampler *sampler = &sampling->sampler;
	const int32_t *ends = sampling->edges.data;
	const int32_t *targets = ends + sampler->edges;
	const int32_t *nodes = sampler->map.nodes;
	size_t at = sampler->layer_edges[layer];

	for (size_t i = 0; i < sampler->layer_nodes[layer]; i++) {
		const size_t wanted = wanted_of(
		    graph, nodes[i], sampler->fanouts.of_layer[layer]);

		for (size_t k = 0; k < wanted; k++) {
			const int32_t end = ends[at + k];

			assert_int_equal(targets[at + k], i);
			assert_true(
			    (size_t)end < sampler->layer_nodes[layer + 1]);
			assert_true(has_edge(graph, nodes[i], nodes[end]));
			for (size_t other = 0; other < k; other++)
				assert_int_not_equal(ends[at + other], end);
		}
		at += wanted;
	}
	assert_int_equal(at, sampler->layer_edges[layer + 1]);
}

static void check_batch(const struct sampling *sampling,
    const struct csr *graph, const int32_t *seeds, size_t count)
{
	const struct sampler *sampler = &sampling->sampler;
	unsigned char seen[NODES] = { 0 };

	assert_int_equal(sampler->layer_nodes[0], count);
	assert_memory_equal(sampler->map.nodes, seeds, count * sizeof(*seeds));
	for (size_t i = 0; i < sampler->map.count; i++) {
		assert_false(seen[sampler->map.nodes[i]]);
		seen[sampler->map.nodes[i]] = 1;
	}
	for (unsigned l = 0; l < sampler->fanouts.count; l++)
		check_layer(sampling, graph, l);
}

static void test_layers_are_of_the_graph(void **state)
{
	static const char *const fanouts[] = { "15,10,5", "1", "-1", "0,3",
		"3,-1,2", "40,40", "1,1,1,1,1,1,1,1", "65535" };
	int32_t seeds[30];
	struct star graph;

	UNUSED(state);
	make_graph(&graph);
	for (size_t i = 0; i < ARRAY_LEN(seeds); i++)
		seeds[i] = (int32_t)(i * 13 % NODES);
	for (size_t i = 0; i < ARRAY_LEN(fanouts); i++) {
		struct sampling sampling;

		open_sampling(&sampling, fanouts[i]);
		for (size_t count = 0; count <= ARRAY_LEN(seeds); count += 10) {
			sample(&sampling, &graph.csr, seeds, count, count);
			check_batch(&sampling, &graph.csr, seeds, count);
		}
		close_sampling(&sampling);
	}
	free_star(&graph);
}

/* A graph too large for the array gives the same batches by the hash table. */
static void test_both_maps_give_the_same(void **state)
{
	enum { MANY = NODE_MAP_DENSE + 5 };
	static const int32_t seeds[] = { 0, 7, 399, 20 };
	struct sampling dense, hashed;
	struct star graph;
	struct csr large;
	int64_t *indptr = malloc((MANY + 1) * sizeof(*indptr));

	UNUSED(state);
	assert_non_null(indptr);
	make_graph(&graph);
	large = graph.csr;
	large.nodes = MANY;
	large.indptr = indptr;
	for (size_t i = 0; i <= MANY; i++)
		indptr[i] = graph.indptr[i < NODES ? i : NODES];
	open_sampling(&dense, "15,10,5");
	open_sampling(&hashed, "15,10,5");
	for (uint64_t turn = 0; turn < 3; turn++) {
		sample(&dense, &graph.csr, seeds, 4, turn);
		sample(&hashed, &large, seeds, 4, turn);
		assert_int_equal(
		    dense.sampler.map.count, hashed.sampler.map.count);
		assert_int_equal(dense.edges.bytes, hashed.edges.bytes);
		assert_memory_equal(dense.sampler.map.nodes,
		    hashed.sampler.map.nodes,
		    dense.sampler.map.count * sizeof(int32_t));
		assert_memory_equal(
		    dense.edges.data, hashed.edges.data, dense.edges.bytes);
	}
	close_sampling(&dense);
	close_sampling(&hashed);
	free_star(&graph);
	free(indptr);
}

static void test_hash_table_grows(void **state)
{
	enum { COUNT = 20000, STEP = 700 };
	struct node_map map = NODE_MAP_INIT;
	struct error err = ERROR_INIT;
	int32_t nodes[STEP], numbers[STEP];

	UNUSED(state);
	for (int turn = 0; turn < 2; turn++) {
		test_ok(node_map_begin(&map, INT32_MAX, &err), &err);
		for (int32_t first = 0; first < COUNT; first += STEP / 2) {
			for (int32_t i = 0; i < STEP; i++)
				nodes[i] = (first + i) * 97001 % INT32_MAX;
			for (int32_t i = 0; i < STEP; i++)
				nodes[i] &= INT32_MAX;
			test_ok(node_map_add(&map, nodes, STEP, numbers, &err),
			    &err);
			for (int32_t i = 0; i < STEP; i++)
				assert_int_equal(
				    map.nodes[numbers[i]], nodes[i]);
		}
	}
	node_map_release(&map);
}

/* New ones and known ones, twice in a row or not, any number of them. */
static void test_array_numbers_nodes_as_they_come(void **state)
{
	enum { OF = 3000, MOST = 100, TURNS = 400 };
	struct random random = random_stream(1, 0, 0, 0);
	struct node_map map = NODE_MAP_INIT;
	struct error err = ERROR_INIT;
	int32_t nodes[MOST], numbers[MOST], of_node[OF], count = 0;

	UNUSED(state);
	memset(of_node, 0xff, sizeof(of_node));
	test_ok(node_map_begin(&map, OF, &err), &err);
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		const size_t n = random_below(&random, MOST + 1);

		for (size_t i = 0; i < n; i++)
			nodes[i] = (int32_t)random_below(
			    &random, turn % 2 ? OF : OF / 50);
		for (size_t i = 0; i < n; i++) {
			if (of_node[nodes[i]] < 0)
				of_node[nodes[i]] = count++;
			numbers[i] = of_node[nodes[i]];
		}
		test_ok(node_map_add(&map, nodes, n, nodes, &err), &err);
		assert_memory_equal(nodes, numbers, n * sizeof(*nodes));
	}
	assert_int_equal(map.count, count);
	for (int32_t i = 0; i < count; i++)
		assert_int_equal(of_node[map.nodes[i]], i);
	node_map_release(&map);
}

/* ---- what is not right ---- */

static void check_refused(struct sampling *sampling, const struct csr *graph,
    int32_t seed, const char *text)
{
	const struct sampler_seeds seeds = { &seed, 1, 0 };
	struct error err = ERROR_INIT;

	test_error_is(sampler_run(&sampling->sampler, graph, &seeds,
	                  &sampling->edges, &err),
	    &err, text);
}

static void test_what_is_not_in_the_graph_is_refused(void **state)
{
	static const int32_t first = 0;
	int64_t indptr[] = { 0, 2, 2, 2 };
	int32_t indices[] = { 1, 2 };
	const struct csr graph = { indptr, indices, 3, 2 };
	struct sampling sampling;

	UNUSED(state);
	open_sampling(&sampling, "5");
	sample(&sampling, &graph, &first, 1, 0);
	check_refused(&sampling, &graph, 3, "seed 0 is node 3 of 3");
	check_refused(&sampling, &graph, -1, "seed 0 is node -1 of 3");
	indices[1] = 3;
	check_refused(&sampling, &graph, 0, "an edge goes to node 3 of 3");
	indices[1] = -1;
	check_refused(&sampling, &graph, 0, "an edge goes to node -1 of 3");
	indptr[1] = 3;
	check_refused(
	    &sampling, &graph, 0, "row 0 goes from 0 to 3 of 2 edges");
	indptr[0] = 1;
	indptr[1] = 0;
	check_refused(
	    &sampling, &graph, 0, "row 0 goes from 1 to 0 of 2 edges");
	indptr[0] = -1;
	check_refused(
	    &sampling, &graph, 0, "row 0 goes from -1 to 0 of 2 edges");
	close_sampling(&sampling);
}

static void test_fanouts_that_are_none_are_refused(void **state)
{
	static const char *const texts[] = { "", "x", "5,", "5;3", "-2",
		"65536", "5,,3" };
	struct fanouts fanouts;
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		assert_int_equal(fanouts_parse(&fanouts, texts[i], &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, "fanout must be numbers");
	}
	test_error_is(fanouts_parse(&fanouts, "1,1,1,1,1,1,1,1,1", &err), &err,
	    "fanout has more than 8 layers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_neighbours_have_the_same_chance),
		cmocka_unit_test(test_sets_of_neighbours_have_the_same_chance),
		cmocka_unit_test(test_layers_are_of_the_graph),
		cmocka_unit_test(test_both_maps_give_the_same),
		cmocka_unit_test(test_hash_table_grows),
		cmocka_unit_test(test_array_numbers_nodes_as_they_come),
		cmocka_unit_test(test_what_is_not_in_the_graph_is_refused),
		cmocka_unit_test(test_fanouts_that_are_none_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
