/* test_synthetic.c - generated samples. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

static void test_synthetic_keys_and_labels(void **state)
{
	struct opened opened;

	UNUSED(state);
	opened_all(&opened, ".",
	    "source = synthetic\nshape = 100\ncount = 300\nclasses = 7", 0);
	assert_int_equal(opened.count, 300);
	assert_string_equal(opened.seen[0].key, "00000000");
	assert_string_equal(opened.seen[299].key, "00000299");
	for (int64_t i = 0; i < 300; i++)
		assert_int_equal(opened.seen[i].label, i % 7);
	assert_int_equal(opened.reader->bytes, 0);
	opened_close(&opened);
	opened_all(&opened, ".",
	    "source = synthetic\nshape = 8\ncount = 30000000000", 3);
	assert_string_equal(opened.seen[1].key, "10000000000");
	assert_string_equal(opened.seen[2].key, "20000000000");
	assert_int_equal(opened.seen[0].label, -1);
	opened_close(&opened);
}

static void test_synthetic_types(void **state)
{
	static const struct {
		const char *section;
		enum layout layout;
		size_t bytes;
	} cases[] = {
		{ "", LAYOUT_HWC, 224 * 224 * 3 },
		{ "shape = 4x5x1", LAYOUT_HWC, 20 },
		{ "shape = 4x5x2\ndtype = int16", LAYOUT_PLAIN, 80 },
		{ "shape = 3x4x5x4\ndtype = float64", LAYOUT_PLAIN, 1920 },
		{ "shape = 65536\ndtype = float16", LAYOUT_PLAIN, 131072 },
	};
	char section[128];
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section),
		    "source = synthetic\ncount = 4\n%s", cases[i].section);
		opened_all(&opened, ".", section, 0);
		assert_int_equal(opened.reader->schema.fields[0].type.layout,
		    cases[i].layout);
		for (size_t s = 0; s < 4; s++)
			assert_int_equal(opened.seen[s].fields, cases[i].bytes);
		opened_close(&opened);
	}
}

/* Whether each of `count` elements is a number from 1 to 2. */
static void check_float(enum dtype dtype, const void *data, size_t i)
{
	double value = 0;
	uint16_t half;
	float single;

	if (dtype == DTYPE_F64) {
		memcpy(&value, (const char *)data + 8 * i, 8);
	} else if (dtype == DTYPE_F32) {
		memcpy(&single, (const char *)data + 4 * i, 4);
		value = (double)single;
	} else {
		memcpy(&half, (const char *)data + 2 * i, 2);
		value = 1 + (half & 0x3ff) / 1024.0;
		assert_int_equal(half >> 10, 15);
	}
	assert_true(value >= 1 && value < 2);
}

static void check_floats(const char *dtype, const char *fill)
{
	char section[128];
	struct opened opened;
	struct chunk chunk = CHUNK_INIT;
	struct sample sample = SAMPLE_INIT;
	const struct reader_ops *ops;
	void *stream;

	snprintf(section, sizeof(section),
	    "source = synthetic\nshape = 5000\ndtype = %s\nfill = %s", dtype,
	    fill);
	test_ok(opened_open(&opened, ".", section, 0), &opened.err);
	ops = opened.reader->ops;
	stream = ops->stream_open(opened.reader, 3, &opened.err);
	assert_int_equal(ops->stream_fetch(stream, &chunk, &opened.err), 1);
	assert_int_equal(
	    ops->next(opened.reader, &chunk, &sample, &opened.err), 1);
	for (size_t i = 0; i < 5000; i++)
		check_float(sample.fields[0].dtype, sample.fields[0].data, i);
	ops->stream_close(stream);
	chunk_release(&chunk);
	opened_close(&opened);
}

static void test_synthetic_floats_are_numbers(void **state)
{
	UNUSED(state);
	check_floats("float16", "random");
	check_floats("float32", "random");
	check_floats("float64", "random");
	check_floats("float16", "ramp");
	check_floats("float32", "ramp");
	check_floats("float64", "ramp");
}

static void test_synthetic_depends_on_seed_and_fill(void **state)
{
	static const struct {
		const char *section;
		int distinct;
	} cases[] = {
		{ "fill = random", 1 },
		{ "fill = zero", 0 },
		{ "fill = ramp", 1 },
		{ "seed = 5", 1 },
	};
	char section[128];
	uint64_t firsts[ARRAY_LEN(cases)];
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section),
		    "source = synthetic\nshape = 999\ncount = 20\n%s",
		    cases[i].section);
		opened_all(&opened, ".", section, 0);
		firsts[i] = opened.seen[0].hash;
		for (size_t s = 1; s < 20; s++)
			assert_int_equal(opened.seen[s].hash != firsts[i],
			    cases[i].distinct);
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(firsts[k], firsts[i]);
		opened_close(&opened);
	}
}

static void test_synthetic_streams_are_many_and_small(void **state)
{
	static const struct {
		const char *section;
		size_t streams;
	} cases[] = {
		{ "shape = 2500x8192\ncount = 10", 10 },
		{ "shape = 10000\ncount = 1000", 67 },
		{ "shape = 10000\ncount = 100000", 962 },
		{ "shape = 8\ncount = 1000000", 245 },
	};
	char section[128];
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section), "source = synthetic\n%s",
		    cases[i].section);
		test_ok(opened_open(&opened, ".", section, 0), &opened.err);
		assert_int_equal(opened.reader->streams, cases[i].streams);
		opened_close(&opened);
	}
}

static void test_synthetic_says_what_is_wrong(void **state)
{
	UNUSED(state);
	opened_fails(".", "source = synthetic\ndtype = uint9",
	    "source synthetic: dtype must be");
	opened_fails(".", "source = synthetic\nshape = 3xx", "got '3xx'");
	opened_fails(".", "source = synthetic\nshape = 100000x100000",
	    "has more than 2147483647 bytes");
	opened_fails(".", "source = synthetic\ncount = 0", "count must be");
	opened_fails(".", "source = synthetic\nfill = noise",
	    "fill must be one of random, zero, ramp");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_synthetic_keys_and_labels),
		cmocka_unit_test(test_synthetic_types),
		cmocka_unit_test(test_synthetic_floats_are_numbers),
		cmocka_unit_test(test_synthetic_depends_on_seed_and_fill),
		cmocka_unit_test(test_synthetic_streams_are_many_and_small),
		cmocka_unit_test(test_synthetic_says_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
