/* test_load_speed.c - what a forecast takes the storage to be. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "strategies/forecast/load_speed.h"
#include "strategies/forecast/predict.h"
#include "test/unit/test.h"

static const struct strategy unprocessed = { .label = "unprocessed",
	.unprocessed = true };
static const struct strategy stored = { .label = "raw/tar/none" };

/* Of each of 16 streams two files are opened. */
static const struct epoch_work few = {
	.streams = 16, .chunks = 1, .stream_opens = 2, .fetchers = 1
};
static const struct epoch_work many = {
	.streams = 17, .chunks = 1, .stream_opens = 2, .fetchers = 1
};

static void add_ceiling(struct ceilings *ceilings, enum ceiling_pattern pattern,
    double bytes_per_s, double requests_per_s)
{
	ceilings->list[ceilings->count++] = (struct ceiling){
		.pattern = pattern,
		.origin = CEILING_OF_PROBE,
		.threads = 1,
		.bytes_per_s = bytes_per_s,
		.requests_per_s = requests_per_s,
		.file_bytes = 200000,
		.cold = true,
	};
}

/* Without a probe, both read at the rough speed of the work folder. */
static void test_load_speed_is_rough_for_all_without_a_probe(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load load = { .samples = 10, .cache = CACHE_NONE };
	const struct strategy *const each[] = { &unprocessed, &stored };
	struct storage_speed speed;

	UNUSED(state);
	model = (struct model){ .plan = &plan };
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		model.sync.read_byte_s = 0;
		assert_false(
		    load_speed_find(&model, each[i], &load, &few, &speed));
		model.sync.read_byte_s = 1e-9;
		model.sync.read_file_s = 1e-4;
		assert_true(
		    load_speed_find(&model, each[i], &load, &few, &speed));
		assert_true(fabs(speed.bandwidth - 1e9) < 1);
		assert_true(speed.open == 1e-4);
	}
}

/*
 * The probe opened many files, and had to find each of them: that takes 0.3 ms
 * beside reading. The names of a few files stay in memory.
 */
static void test_load_speed_opens_a_few_files_at_once(void **state)
{
	static struct plan plan;
	static struct model model;
	const struct load load = { .samples = 10, .cache = CACHE_NONE };
	struct storage_speed speed;

	UNUSED(state);
	model = (struct model){ .plan = &plan };
	add_ceiling(&model.stored_ceilings, CEILING_SEQUENTIAL, 2e9, 500000);
	add_ceiling(&model.stored_ceilings, CEILING_FILES, 5e8, 2500);
	model.sync.read_file_s = 1e-4;
	assert_true(load_speed_find(&model, &stored, &load, &many, &speed));
	assert_true(fabs(1 / speed.opens - 3e-4) < 1e-9);
	assert_true(load_speed_find(&model, &stored, &load, &few, &speed));
	assert_true(speed.opens == 0 && speed.open == 1e-4);
	assert_true(fabs(speed.bandwidth - 2e9) < 1);
	/* That was not measured: as the probe says. */
	model.sync.read_file_s = 0;
	assert_true(load_speed_find(&model, &stored, &load, &few, &speed));
	assert_true(speed.opens > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_load_speed_is_rough_for_all_without_a_probe),
		cmocka_unit_test(test_load_speed_opens_a_few_files_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
