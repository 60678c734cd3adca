/* test_graph_steps.c - a pipeline of steps on graphs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/half.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const int32_t ring[] = { 0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 2 };
enum { RING_EDGES = 6, RING_NODES = 5 };

static struct schema schema_of(const char *name, const struct type *type)
{
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, name, type, &err), &err);
	return schema;
}

static struct type plain(enum dtype dtype, unsigned count, int64_t a, int64_t b)
{
	return (struct type){ .dtype = dtype, .shape = { count, { a, b } } };
}

static void view(
    struct tensor *tensor, enum dtype dtype, int64_t count, const void *data)
{
	const struct shape shape = { 1, { count } };

	tensor_view(tensor, dtype, &shape, data);
}

static void view_pairs(
    struct tensor *tensor, int64_t count, const int32_t *pairs)
{
	const struct shape shape = { 2, { count, 2 } };

	tensor_view(tensor, DTYPE_I32, &shape, pairs);
}

static void make_one(struct stepper *stepper, const struct sample *in,
    uint64_t i, struct sample *out)
{
	struct error err = ERROR_INIT;
	uint64_t count = 0;

	test_ok(stepper_begin(stepper, 3, in, &count, &err), &err);
	assert_true(i < count);
	test_ok(stepper_make(stepper, 3, in, i, out, &err), &err);
}

/* ---- text to rows ---- */

static void test_text_becomes_rows(void **state)
{
	static const char text[] = "# a ring\n0 1\n1 2\n2 3\n3 4\n4 0\n0 2\n";
	static const int64_t indptr[] = { 0, 3, 5, 8, 10, 12 };
	static const int32_t indices[] = { 1, 2, 4, 0, 2, 0, 1, 3, 2, 4, 0, 3 };
	const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	const struct type pairs = plain(DTYPE_I32, 2, -1, 2);
	struct tensor in = TENSOR_INIT, edges = TENSOR_INIT;
	struct sample both = SAMPLE_INIT, rows = SAMPLE_INIT;
	const struct schema schema = schema_of("data", &pairs);
	struct error err = ERROR_INIT;
	struct stepper csr;

	UNUSED(state);
	tensor_view_encoded(&in, text, sizeof(text) - 1, "txt");
	stepper_once("parse_edges", &file, &in, &edges);
	assert_memory_equal(edges.data, ring, sizeof(ring));
	both.count = 1;
	stepper_once("symmetrize", &pairs, &edges, &both.fields[0]);
	assert_int_equal(both.fields[0].shape.dims[0], 2 * RING_EDGES);
	test_ok(stepper_open_sample(&csr, "csr", &schema, 1, &err), &err);
	assert_string_equal(csr.schema.fields[0].name, "indptr");
	assert_string_equal(csr.schema.fields[1].name, "indices");
	make_one(&csr, &both, 0, &rows);
	assert_memory_equal(rows.fields[0].data, indptr, sizeof(indptr));
	assert_memory_equal(rows.fields[1].data, indices, sizeof(indices));
	stepper_close(&csr);
	sample_release(&both);
	sample_release(&rows);
	tensor_release(&edges);
}

/* nodes=, features of nodes without edges, and other fields handed on. */
static void test_rows_are_as_many_as_nodes(void **state)
{
	static const struct {
		const char *words;
		int64_t feature_rows, nodes;
	} cases[] = {
		{ "csr", 3, RING_NODES },
		{ "csr", 9, 9 },
		{ "csr nodes=7", 9, 7 },
	};
	static const float table[18];
	const struct type pairs = plain(DTYPE_I32, 2, -1, 2);
	const struct type floats = plain(DTYPE_F32, 2, -1, 2);
	struct schema schema = schema_of("features", &floats);
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(schema_add(&schema, "data", &pairs, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sample in = { .label = 4, .count = 2 };
		const struct shape shape = { 2, { cases[i].feature_rows, 2 } };
		struct sample out = SAMPLE_INIT;
		struct stepper csr;

		tensor_view(&in.fields[0], DTYPE_F32, &shape, table);
		view_pairs(&in.fields[1], RING_EDGES, ring);
		test_ok(
		    stepper_open_sample(&csr, cases[i].words, &schema, 2, &err),
		    &err);
		make_one(&csr, &in, 0, &out);
		assert_int_equal(
		    out.fields[0].shape.dims[0], cases[i].nodes + 1);
		assert_int_equal(
		    ((int64_t *)out.fields[0].data)[cases[i].nodes],
		    RING_EDGES);
		assert_string_equal(csr.schema.fields[2].name, "features");
		assert_ptr_equal(out.fields[2].data, table);
		stepper_close(&csr);
		sample_release(&out);
	}
}

static void test_rows_of_too_few_nodes_are_refused(void **state)
{
	const struct type pairs = plain(DTYPE_I32, 2, -1, 2);
	const struct schema schema = schema_of("data", &pairs);
	struct sample in = { .count = 1 }, out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper csr;

	UNUSED(state);
	view_pairs(&in.fields[0], RING_EDGES, ring);
	test_ok(
	    stepper_open_sample(&csr, "csr nodes=4", &schema, 1, &err), &err);
	test_error_is(stepper_make(&csr, 0, &in, 0, &out, &err), &err,
	    "has the node 4, but nodes=4");
	stepper_close(&csr);
	sample_release(&out);
}

/* ---- features ---- */

static void test_features_become_a_table(void **state)
{
	static const char text[] = "{\"1\": [0, 2], \"0\": [1]}";
	static const float wanted[] = { 0, 1, 0, 1, 0, 1 };
	const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	tensor_view_encoded(&in, text, sizeof(text) - 1, "json");
	stepper_once("features", &file, &in, &out);
	assert_int_equal(out.shape.dims[0], 2);
	assert_memory_equal(out.data, wanted, sizeof(wanted));
	stepper_once("features nodes=4 dim=5 dtype=half", &file, &in, &out);
	assert_int_equal(out.dtype, DTYPE_F16);
	assert_int_equal(out.shape.dims[0], 4);
	assert_int_equal(out.shape.dims[1], 5);
	assert_true(half_to_float(((uint16_t *)out.data)[1]) == 1);
	assert_true(half_to_float(((uint16_t *)out.data)[19]) == 0);
	tensor_release(&out);
}

static void test_features_do_not_grow_out_of_a_few_bytes(void **state)
{
	static const char text[] = "# 200000000 10000000\n0 1:1\n";
	const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	tensor_view_encoded(&in, text, sizeof(text) - 1, "features");
	test_ok(stepper_open(&stepper, "features", &file, &err), &err);
	test_error_is(stepper_run(&stepper, 0, &in, &out, &err), &err,
	    "200000000 nodes x 10000000 columns of 27 bytes of text: give "
	    "nodes= and dim= if that is so");
	stepper_close(&stepper);
}

/* ---- batches ---- */

/* A ring of `nodes` nodes, each with its two neighbours. */
struct graph {
	struct schema schema;
	struct sample sample;
	int64_t *indptr;
	int32_t *indices;
	int64_t train[3];
};

static void graph_open(struct graph *graph, int64_t nodes)
{
	const struct type indptr = plain(DTYPE_I64, 1, -1, 0);
	const struct type indices = plain(DTYPE_I32, 1, -1, 0);
	struct error err = ERROR_INIT;

	*graph = (struct graph){ .schema = schema_of("indptr", &indptr),
		.train = { 1, 9, 5 } };
	test_ok(schema_add(&graph->schema, "indices", &indices, &err), &err);
	test_ok(schema_add(&graph->schema, "train", &indptr, &err), &err);
	graph->indptr = calloc((size_t)nodes + 1, sizeof(int64_t));
	graph->indices = calloc((size_t)nodes * 2, sizeof(int32_t));
	assert_true(graph->indptr && graph->indices);
	for (int64_t i = 0; i < nodes; i++) {
		graph->indptr[i + 1] = 2 * i + 2;
		graph->indices[2 * i] = (int32_t)((i + 1) % nodes);
		graph->indices[2 * i + 1] = (int32_t)((i + nodes - 1) % nodes);
	}
	graph->sample.count = 3;
	view(&graph->sample.fields[0], DTYPE_I64, nodes + 1, graph->indptr);
	view(&graph->sample.fields[1], DTYPE_I32, 2 * nodes, graph->indices);
	view(&graph->sample.fields[2], DTYPE_I64, 3, graph->train);
}

static void graph_close(struct graph *graph)
{
	free(graph->indptr);
	free(graph->indices);
}

static void test_seeds_are_all_nodes_once(void **state)
{
	enum { NODES = 1000, BATCH = 64 };
	unsigned char seen[NODES] = { 0 };
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper seeds;
	struct graph graph;
	uint64_t count = 0;

	UNUSED(state);
	graph_open(&graph, NODES);
	test_ok(stepper_open_sample(
	            &seeds, "seeds batch=64", &graph.schema, 1, &err),
	    &err);
	test_ok(stepper_begin(&seeds, 1, &graph.sample, &count, &err), &err);
	assert_int_equal(count, (NODES + BATCH - 1) / BATCH);
	for (uint64_t i = 0; i < count; i++) {
		const struct tensor *made = &out.fields[3];

		test_ok(stepper_make(&seeds, 1, &graph.sample, i, &out, &err),
		    &err);
		assert_string_equal(seeds.schema.fields[3].name, "seeds");
		assert_ptr_equal(out.fields[1].data, graph.indices);
		assert_int_equal(
		    made->shape.dims[0], i + 1 < count ? BATCH : NODES % BATCH);
		for (int64_t k = 0; k < made->shape.dims[0]; k++) {
			const int32_t node = ((int32_t *)made->data)[k];

			assert_true(node >= 0 && node < NODES && !seen[node]);
			seen[node] = 1;
		}
	}
	stepper_close(&seeds);
	sample_release(&out);
	graph_close(&graph);
}

static void test_seeds_are_of_a_field_if_told(void **state)
{
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper seeds;
	struct graph graph;
	uint64_t count = 0;
	int32_t sum = 0;

	UNUSED(state);
	graph_open(&graph, 10);
	test_ok(stepper_open_sample(&seeds, "seeds batch=8 nodes=train",
	            &graph.schema, 1, &err),
	    &err);
	assert_int_equal(seeds.schema.count, 3);
	test_ok(stepper_begin(&seeds, 1, &graph.sample, &count, &err), &err);
	assert_int_equal(count, 1);
	test_ok(stepper_make(&seeds, 1, &graph.sample, 0, &out, &err), &err);
	assert_int_equal(out.fields[2].shape.dims[0], 3);
	for (int i = 0; i < 3; i++)
		sum += ((int32_t *)out.fields[2].data)[i];
	assert_int_equal(sum, 15);
	graph.train[1] = 10;
	test_error_is(stepper_make(&seeds, 1, &graph.sample, 0, &out, &err),
	    &err, "nodes has 10, of 10 nodes");
	stepper_close(&seeds);
	sample_release(&out);
	graph_close(&graph);
}

static void test_last_seeds_are_dropped_if_told(void **state)
{
	static const struct {
		const char *words;
		uint64_t count;
	} cases[] = {
		{ "seeds batch=3", 4 },
		{ "seeds batch=3 drop_last=yes", 3 },
		{ "seeds batch=5 drop_last=yes", 2 },
		{ "seeds batch=11 drop_last=yes", 0 },
		{ "seeds batch=11", 1 },
	};
	struct graph graph;

	UNUSED(state);
	graph_open(&graph, 10);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper seeds;
		uint64_t count = 9;

		test_ok(stepper_open_sample(
		            &seeds, cases[i].words, &graph.schema, 1, &err),
		    &err);
		test_ok(stepper_begin(&seeds, 1, &graph.sample, &count, &err),
		    &err);
		assert_int_equal(count, cases[i].count);
		stepper_close(&seeds);
	}
	graph_close(&graph);
}

/* One begins it all, another only makes the last: they agree. */
static void test_seeds_are_the_same_whoever_makes_them(void **state)
{
	struct sample first = SAMPLE_INIT, second = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper a, b;
	struct graph graph;
	uint64_t count = 0;

	UNUSED(state);
	graph_open(&graph, 700);
	test_ok(
	    stepper_open_sample(&a, "seeds batch=100", &graph.schema, 1, &err),
	    &err);
	test_ok(
	    stepper_open_sample(&b, "seeds batch=100", &graph.schema, 1, &err),
	    &err);
	test_ok(stepper_begin(&a, 1, &graph.sample, &count, &err), &err);
	for (uint64_t i = 0; i < count; i++) {
		test_ok(
		    stepper_make(&a, 1, &graph.sample, i, &first, &err), &err);
		test_ok(
		    stepper_begin(&b, 1, &graph.sample, &count, &err), &err);
		test_ok(
		    stepper_make(&b, 1, &graph.sample, i, &second, &err), &err);
		assert_int_equal(sample_hash(&first, &a.schema),
		    sample_hash(&second, &b.schema));
	}
	/* Another draw is another order. */
	test_ok(stepper_begin(&b, 2, &graph.sample, &count, &err), &err);
	test_ok(stepper_make(&b, 2, &graph.sample, 6, &second, &err), &err);
	assert_int_not_equal(
	    sample_hash(&first, &a.schema), sample_hash(&second, &b.schema));
	stepper_close(&a);
	stepper_close(&b);
	sample_release(&first);
	sample_release(&second);
	graph_close(&graph);
}

/* ---- samples and their features ---- */

static void test_batches_are_sampled_and_gathered(void **state)
{
	static const int32_t seeds[] = { 5, 0 };
	const struct type ints = plain(DTYPE_I32, 1, -1, 0);
	struct sample in, sampled = SAMPLE_INIT, gathered = SAMPLE_INIT;
	const struct tensor *nodes, *edges, *features;
	struct stepper sampler, gather;
	struct error err = ERROR_INIT;
	struct graph graph;
	const int64_t *layers;

	UNUSED(state);
	graph_open(&graph, 40);
	test_ok(schema_add(&graph.schema, "seeds", &ints, &err), &err);
	in = graph.sample;
	in.count = 4;
	view(&in.fields[3], DTYPE_I32, 2, seeds);
	test_ok(stepper_open_sample(&sampler, "neighbor_sample fanout=2,1",
	            &graph.schema, 1, &err),
	    &err);
	make_one(&sampler, &in, 0, &sampled);
	nodes = &sampled.fields[0];
	edges = &sampled.fields[1];
	layers = sampled.fields[2].data;
	assert_int_equal(sampled.count, 4); /* train is handed on */
	assert_int_equal(sampled.fields[2].shape.dims[0], 3);
	assert_int_equal(layers[0], 2);
	assert_int_equal(layers[1], 0);
	assert_int_equal(layers[2], 6);
	assert_int_equal(layers[3], 4);
	assert_int_equal(layers[5], 10);
	assert_int_equal(layers[4], nodes->shape.dims[0]);
	assert_int_equal(edges->shape.dims[1], 10);
	assert_memory_equal(nodes->data, seeds, sizeof(seeds));
	for (int64_t i = 0; i < 10; i++) {
		const int32_t *end = edges->data, *node = nodes->data;
		const int32_t from = node[end[i]], to = node[end[10 + i]];

		assert_true(
		    (from - to + 40) % 40 == 1 || (to - from + 40) % 40 == 1);
	}
	test_ok(stepper_open_sample(
	            &gather, "gather dim=6 seed=3", &sampler.schema, 1, &err),
	    &err);
	make_one(&gather, &sampled, 0, &gathered);
	features = &gathered.fields[4];
	assert_string_equal(gather.schema.fields[4].name, "features");
	assert_int_equal(features->shape.dims[0], nodes->shape.dims[0]);
	assert_int_equal(features->shape.dims[1], 6);
	assert_ptr_equal(gathered.fields[0].data, nodes->data);
	stepper_close(&sampler);
	stepper_close(&gather);
	sample_release(&sampled);
	sample_release(&gathered);
	graph_close(&graph);
}

static void test_features_of_the_samples_are_gathered(void **state)
{
	static const int32_t wanted[] = { 2, 0, 2 };
	static const float table[] = { 1, 2, 3, 4, 5, 6 };
	static const float rows[] = { 5, 6, 1, 2, 5, 6 };
	const struct shape shape = { 2, { 3, 2 } };
	const struct type ints = plain(DTYPE_I32, 1, -1, 0);
	const struct type floats = plain(DTYPE_F32, 2, -1, 2);
	struct schema schema = schema_of("nodes", &ints);
	struct sample in = { .count = 2 }, out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper gather;

	UNUSED(state);
	test_ok(schema_add(&schema, "features", &floats, &err), &err);
	view(&in.fields[0], DTYPE_I32, 3, wanted);
	tensor_view(&in.fields[1], DTYPE_F32, &shape, table);
	test_ok(stepper_open_sample(&gather, "gather", &schema, 1, &err), &err);
	make_one(&gather, &in, 0, &out);
	assert_memory_equal(out.fields[1].data, rows, sizeof(rows));
	in.fields[1].shape.dims[0] = 2;
	test_error_is(stepper_make(&gather, 0, &in, 0, &out, &err), &err,
	    "node 2 has no features: there are 2 rows");
	stepper_close(&gather);
	sample_release(&out);
}

static void test_steps_say_what_is_missing(void **state)
{
	static const struct {
		const char *words, *message;
	} cases[] = {
		{ "csr",
		    "takes edges, int32 ?x2, not int64 ?: step parse_edges "
		    "makes them" },
		{ "seeds",
		    "takes the field 'indptr', which the samples do not have: "
		    "step csr makes it" },
		{ "neighbor_sample",
		    "takes the field 'indptr', which the samples do not have: "
		    "step csr makes it" },
		{ "gather",
		    "takes a field 'nodes' of int32 with 1 dimension, not "
		    "int64 ?" },
	};
	const struct type wide = plain(DTYPE_I64, 1, -1, 0);
	const struct schema schema = schema_of("nodes", &wide);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct stepper stepper;

		test_error_is(stepper_open_sample(
		                  &stepper, cases[i].words, &schema, 1, &err),
		    &err, cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
		stepper_close(&stepper);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_becomes_rows),
		cmocka_unit_test(test_rows_are_as_many_as_nodes),
		cmocka_unit_test(test_rows_of_too_few_nodes_are_refused),
		cmocka_unit_test(test_features_become_a_table),
		cmocka_unit_test(test_features_do_not_grow_out_of_a_few_bytes),
		cmocka_unit_test(test_seeds_are_all_nodes_once),
		cmocka_unit_test(test_seeds_are_of_a_field_if_told),
		cmocka_unit_test(test_last_seeds_are_dropped_if_told),
		cmocka_unit_test(test_seeds_are_the_same_whoever_makes_them),
		cmocka_unit_test(test_batches_are_sampled_and_gathered),
		cmocka_unit_test(test_features_of_the_samples_are_gathered),
		cmocka_unit_test(test_steps_say_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
