/* test_generate_graph.c - graphs made from a seed. */
#include <stdlib.h>
#include <string.h>

#include "datasets/generator.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/csr.h"
#include "lib/graph/edge_list.h"
#include "lib/graph/feature_file.h"
#include "lib/graph/label_file.h"
#include "lib/syntax/option.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

static char *generate(uint64_t seed, unsigned threads, uint64_t count)
{
	const struct generator_ops *ops = generator_find("graph");
	char *dir = test_scratch();
	struct error err = ERROR_INIT;
	void *options = malloc(ops->options_size);
	const struct generate_plan plan = {
		.dir = dir,
		.count = count,
		.seed = seed,
		.threads = threads,
		.options = options,
	};

	assert_non_null(options);
	memcpy(options, ops->defaults, ops->options_size);
	test_ok(
	    option_set(ops->options, options, "edges", "40000", &err), &err);
	test_ok(ops->run(&plan, &err), &err);
	free(options);
	return dir;
}

static void test_graphs_depend_on_the_seed_only(void **state)
{
	static const struct {
		uint64_t seed;
		unsigned threads;
		int same;
	} cases[] = { { 1, 3, 1 }, { 1, 1, 1 }, { 2, 2, 0 } };
	uint64_t first[2] = { 0 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *dir = generate(cases[i].seed, cases[i].threads, 2);
		struct opened opened;

		opened_all(&opened, dir, "source = edges\npath = .", 0);
		assert_int_equal(opened.count, 2);
		assert_string_equal(opened.seen[0].key, "000000/graph");
		assert_int_not_equal(opened.seen[0].hash, opened.seen[1].hash);
		for (size_t k = 0; k < 2; k++) {
			if (i == 0)
				first[k] = opened.seen[k].hash;
			assert_int_equal(
			    opened.seen[k].hash == first[k], cases[i].same);
		}
		opened_close(&opened);
		test_scratch_remove(dir);
	}
}

/* A tail of power 2.4: the mean is 16, the first node has hundreds. */
static void check_degrees(const int32_t *pairs, size_t count, size_t nodes)
{
	size_t *degrees = calloc(nodes, sizeof(*degrees));
	size_t most = 0, alone = 0, many = 0;

	assert_non_null(degrees);
	for (size_t i = 0; i < count; i++) {
		assert_int_not_equal(pairs[2 * i], pairs[2 * i + 1]);
		degrees[pairs[2 * i]]++;
		degrees[pairs[2 * i + 1]]++;
	}
	for (size_t i = 0; i < nodes; i++) {
		most = degrees[i] > most ? degrees[i] : most;
		alone += degrees[i] == 0;
		many += degrees[i] > 100;
	}
	assert_in_range(most, 300, 1500);
	assert_in_range(many, nodes / 200, nodes / 20);
	assert_true(alone < nodes / 50);
	free(degrees);
}

/* One a node, and each class comes about as often. */
static void check_labels(struct span text, size_t nodes, size_t classes)
{
	const struct label_columns usual = { NULL, NULL };
	struct label_file file = { .rows = NULL };
	size_t *counts = calloc(classes, sizeof(*counts));
	struct error err = ERROR_INIT;

	assert_non_null(counts);
	test_ok(label_file_read(&file, text, &usual, &err), &err);
	assert_int_equal(file.count, nodes);
	assert_int_equal(file.nodes, nodes);
	for (size_t i = 0; i < nodes; i++) {
		assert_int_equal(file.rows[i].node, i);
		assert_in_range(file.rows[i].label, 0, classes - 1);
		counts[file.rows[i].label]++;
	}
	for (size_t i = 0; i < classes; i++)
		assert_in_range(counts[i], nodes / classes * 3 / 4,
		    nodes / classes * 5 / 4);
	label_file_release(&file);
	free(counts);
}

static void test_graphs_are_as_they_say(void **state)
{
	char *dir = generate(5, 2, 1);
	struct edge_list list = { .ids = EDGE_IDS_AUTO };
	struct buf text = BUF_INIT, pairs = BUF_INIT;
	struct error err = ERROR_INIT;
	struct feature_size size;
	int32_t highest;
	size_t count;

	UNUSED(state);
	test_read_file(dir, "graph.edges", &text);
	test_ok(buf_reserve(&pairs, edge_list_most(buf_span(&text)) * 8, &err),
	    &err);
	test_ok(edge_list_read(
	            &list, buf_span(&text), (void *)pairs.data, &count, &err),
	    &err);
	test_ok(pairs_highest((void *)pairs.data, count, &highest, &err), &err);
	assert_int_equal(count, 40000);
	assert_true(highest < 5000);
	check_degrees((void *)pairs.data, count, 5000);
	test_read_file(dir, "graph.features", &text);
	test_ok(feature_file_size(buf_span(&text), &size, &err), &err);
	assert_int_equal(size.nodes, 5000);
	assert_int_equal(size.columns, 128);
	test_read_file(dir, "graph.labels", &text);
	check_labels(buf_span(&text), 5000, 16);
	edge_list_release(&list);
	buf_release(&text);
	buf_release(&pairs);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graphs_depend_on_the_seed_only),
		cmocka_unit_test(test_graphs_are_as_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
