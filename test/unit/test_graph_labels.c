/* test_graph_labels.c - labels of nodes, from text to a batch. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* ---- text to numbers ---- */

static const struct type text_type = { .layout = LAYOUT_ENCODED,
	.shape = { 1, { -1 } } };

static int parse(
    const char *words, const char *text, struct tensor *out, struct error *err)
{
	struct tensor in = TENSOR_INIT;
	struct stepper stepper;
	int rc;

	tensor_view_encoded(&in, text, strlen(text), "labels");
	test_ok(stepper_open(&stepper, words, &text_type, err), err);
	rc = stepper_run(&stepper, 0, &in, out, err);
	stepper_close(&stepper);
	return rc;
}

static void test_graph_labels_are_read(void **state)
{
	static const struct {
		const char *words, *text;
		size_t nodes;
		int64_t labels[4];
	} cases[] = {
		{ "parse_labels", "0 3\n1 4\n2 0\n", 3, { 3, 4, 0 } },
		{ "parse_labels", "# a \"note\n2\t7\n0\t5\n1\t-1", 3,
		    { 5, -1, 7 } },
		{ "parse_labels", " 1   9 \r\n 0 8\r\n\r\n", 2, { 8, 9 } },
		{ "parse_labels", "id,target\n1,4\n0,5\n", 2, { 5, 4 } },
		{ "parse_labels", "node;class\n1;b\n0;c\n2;b\n", 3,
		    { 1, 0, 0 } },
		{ "parse_labels", "7\n6\n5\n", 3, { 7, 6, 5 } },
		{ "parse_labels", "label\ncat\nant\ncat\n", 3, { 1, 0, 1 } },
		/* The node's own number is not the first column. */
		{ "parse_labels label=mature",
		    "id,days,mature,new_id\n991,5,True,1\n992,6,False,0\n", 2,
		    { 0, 1 } },
		{ "parse_labels label=days node=id",
		    "id,days,mature\n1,5,True\n0,6,False\n", 2, { 6, 5 } },
		{ "parse_labels missing=minus_one", "3 1\n1 2\n", 4,
		    { -1, 2, -1, 1 } },
		{ "parse_labels nodes=4 missing=minus_one", "0 1\n", 4,
		    { 1, -1, -1, -1 } },
		{ "parse_labels", "0 2\n1 3\n0 2\n", 2, { 2, 3 } },
		{ "parse_labels missing=minus_one", "node,label\n0,5\n1,\n", 2,
		    { 5, -1 } },
	};
	struct tensor out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;

		test_ok(parse(cases[i].words, cases[i].text, &out, &err), &err);
		assert_int_equal(out.dtype, DTYPE_I64);
		assert_int_equal(out.shape.dims[0], cases[i].nodes);
		assert_memory_equal(
		    out.data, cases[i].labels, cases[i].nodes * 8);
	}
	tensor_release(&out);
}

static void test_graph_labels_say_what_is_wrong(void **state)
{
	static const struct {
		const char *words, *text, *error;
	} cases[] = {
		{ "parse_labels", "", "holds no labels" },
		{ "parse_labels", "id,target\n", "holds no labels" },
		{ "parse_labels", "\"\"\n", "holds no labels" },
		{ "parse_labels", "node,label\n0,5\n1,\n",
		    "1 of 2 nodes have no label, the first is node 1" },
		{ "parse_labels", "0 1\n3 1\n",
		    "2 of 4 nodes have no label, the first is node 1; give "
		    "missing=minus_one to label them -1" },
		{ "parse_labels nodes=3", "0 1\n1 2\n",
		    "1 of 3 nodes have no label, the first is node 2" },
		{ "parse_labels nodes=1", "0 1\n1 2\n",
		    "node 1 has a label, but nodes=1" },
		{ "parse_labels", "0 1\n1 2\n0 2\n",
		    "labels:3: node 0 has another label before" },
		{ "parse_labels", "0 1\n1 -2\n",
		    "labels:2: node 1 has the label -2: labels are 0 and more, "
		    "or -1" },
		{ "parse_labels", "0 1\none 2\n",
		    "labels:2: the node 'one' is not a whole number" },
		{ "parse_labels", "0 1\n-1 2\n",
		    "labels:2: the node -1 is not 0 to 2147483645" },
		{ "parse_labels", "0 1\n1\n",
		    "labels:2: 1 fields where the header has 2" },
		{ "parse_labels", "0 1 2\n",
		    "labels:1: 3 columns, and no header that names them" },
		{ "parse_labels", "id,days,mature\n0,1,True\n",
		    "labels:1: which column has the labels? the header is "
		    "'id,days,mature': give label=NAME" },
		{ "parse_labels node=n", "id,label\n0,1\n",
		    "labels:1: which column has the nodes? the header is "
		    "'id,label': give node=NAME" },
		{ "parse_labels missing=minus_one", "2000000000 1\n",
		    "2000000001 nodes of 13 bytes of text: give nodes= if "
		    "that is so" },
	};
	struct tensor out = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;

		if (parse(cases[i].words, cases[i].text, &out, &err) == 0)
			fail_msg("'%s' was read", cases[i].text);
		test_contains(err.text, cases[i].error);
	}
	tensor_release(&out);
}

/* ---- those of a batch ---- */

enum { NODES = 5, BATCH = 2 };

static const int64_t indptr[] = { 0, 1, 2, 3, 4, 5 };
static const int32_t indices[] = { 1, 2, 3, 4, 0 };
static const int64_t numbers[] = { 50, 51, 52, 53, 54 };

/* A ring with the labels of `labelled` nodes, under this name. */
static void make_graph(struct schema *schema, struct sample *sample,
    const char *name, int64_t labelled)
{
	const struct type long_type = { .dtype = DTYPE_I64,
		.shape = { 1, { -1 } } };
	const struct type int_type = { .dtype = DTYPE_I32,
		.shape = { 1, { -1 } } };
	struct error err = ERROR_INIT;

	*schema = (struct schema){ .count = 0 };
	*sample = (struct sample)SAMPLE_INIT;
	test_ok(schema_add(schema, "indptr", &long_type, &err), &err);
	test_ok(schema_add(schema, name, &long_type, &err), &err);
	test_ok(schema_add(schema, "indices", &int_type, &err), &err);
	sample->count = 3;
	tensor_view(&sample->fields[0], DTYPE_I64,
	    &(struct shape){ 1, { NODES + 1 } }, indptr);
	tensor_view(&sample->fields[1], DTYPE_I64,
	    &(struct shape){ 1, { labelled } }, numbers);
	tensor_view(&sample->fields[2], DTYPE_I32,
	    &(struct shape){ 1, { NODES } }, indices);
}

static void check_batches(const char *words, const char *name)
{
	struct schema schema;
	struct sample in, out = SAMPLE_INIT;
	struct stepper stepper;
	struct error err = ERROR_INIT;
	unsigned seen = 0;
	uint64_t count = 0;
	int seeds, labels;

	make_graph(&schema, &in, name, NODES);
	test_ok(stepper_open_sample(&stepper, words, &schema, 1, &err), &err);
	seeds = schema_find(&stepper.schema, "seeds");
	labels = schema_find(&stepper.schema, name);
	assert_true(seeds >= 0 && labels >= 0);
	test_ok(stepper_begin(&stepper, 3, &in, &count, &err), &err);
	assert_int_equal(count, 3);
	for (uint64_t i = 0; i < count; i++) {
		const struct tensor *node, *label;

		test_ok(stepper_make(&stepper, 3, &in, i, &out, &err), &err);
		node = &out.fields[seeds];
		label = &out.fields[labels];
		assert_int_equal(label->dtype, DTYPE_I64);
		assert_true(shape_equal(&label->shape, &node->shape));
		for (int64_t k = 0; k < node->shape.dims[0]; k++) {
			const int32_t n = ((const int32_t *)node->data)[k];

			assert_int_equal(
			    ((const int64_t *)label->data)[k], 50 + n);
			seen |= 1u << n;
		}
	}
	assert_int_equal(seen, (1u << NODES) - 1);
	sample_release(&out);
	stepper_close(&stepper);
}

static void test_graph_labels_of_a_batch_are_its_seeds(void **state)
{
	UNUSED(state);
	check_batches("seeds batch=2", "labels");
	check_batches("seeds batch=2 labels=y", "y");
}

static void test_graph_labels_that_are_too_few_are_refused(void **state)
{
	struct schema schema;
	struct sample in;
	struct stepper stepper;
	struct error err = ERROR_INIT;
	uint64_t count;

	UNUSED(state);
	make_graph(&schema, &in, "labels", NODES - 1);
	test_ok(stepper_open_sample(&stepper, "seeds", &schema, 1, &err), &err);
	test_error_is(stepper_begin(&stepper, 3, &in, &count, &err), &err,
	    "labels has 4 nodes, but the graph 5: node 4 has no label");
	stepper_close(&stepper);
	assert_int_equal(stepper_open_sample(
	                     &stepper, "seeds labels=none", &schema, 1, &err),
	    -1);
	test_contains(err.text, "labels: the samples have no field 'none'");
	stepper_close(&stepper);
}

/* The bytes of a file that no step has read are handed on, as ever. */
static void test_graph_labels_as_text_are_left_alone(void **state)
{
	struct schema schema;
	struct sample in;
	struct stepper stepper;
	struct error err = ERROR_INIT;

	UNUSED(state);
	make_graph(&schema, &in, "labels", NODES);
	schema.fields[1].type = text_type;
	test_ok(stepper_open_sample(&stepper, "seeds", &schema, 1, &err), &err);
	assert_int_equal(
	    stepper.schema.fields[schema_find(&stepper.schema, "labels")]
	        .type.layout,
	    LAYOUT_ENCODED);
	stepper_close(&stepper);
	assert_int_equal(stepper_open_sample(
	                     &stepper, "seeds labels=labels", &schema, 1, &err),
	    -1);
	test_contains(err.text, "step parse_labels makes them");
	stepper_close(&stepper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graph_labels_are_read),
		cmocka_unit_test(test_graph_labels_say_what_is_wrong),
		cmocka_unit_test(test_graph_labels_of_a_batch_are_its_seeds),
		cmocka_unit_test(
		    test_graph_labels_that_are_too_few_are_refused),
		cmocka_unit_test(test_graph_labels_as_text_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
