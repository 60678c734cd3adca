/* test_load_figures.c - which numbers tell the trials of a sweep apart. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "strategies/figures/figures.h"
#include "test/unit/test.h"

static struct figures trial_of(const char *strategy, double fetchers)
{
	struct figures f = figures_none();

	f.strategy = strategy;
	f.threads = 2;
	f.load.numbers[LOAD_NUMBER_FETCHERS] = fetchers;
	f.load.numbers[LOAD_NUMBER_BATCH] = 64;
	f.load.numbers[LOAD_NUMBER_SHARDS] =
	    strcmp(strategy, "unprocessed") == 0 ? 0 : 8;
	return f;
}

static void mark(struct figures *list, size_t count)
{
	struct error err = ERROR_INIT;

	test_ok(load_figures_mark(list, count, &err), &err);
}

/* The shards of unprocessed are 0, and no sweep. */
static void test_load_figures_of_no_sweep_say_nothing(void **state)
{
	struct figures list[] = { trial_of("unprocessed", 4),
		trial_of("raw/tar/none", 4) };
	struct figures other = trial_of("raw/tar/none", 16);
	char text[LOAD_FIGURES_TEXT];

	UNUSED(state);
	mark(list, ARRAY_LEN(list));
	for (size_t i = 0; i < ARRAY_LEN(list); i++) {
		assert_int_equal(list[i].load.differs, 0);
		assert_string_equal(
		    load_figures_words(&list[i].load, text), "");
		assert_string_equal(load_figures_name(&list[i].load, text), "");
	}
	/* A session with another number for all has the same trials. */
	assert_true(figures_same_trial(&list[1], &other));
}

static void test_load_figures_of_a_sweep_name_its_numbers(void **state)
{
	struct figures list[] = { trial_of("raw/tar/none", 1),
		trial_of("raw/tar/none", 4), trial_of("unprocessed", 1) };
	char text[LOAD_FIGURES_TEXT];

	UNUSED(state);
	mark(list, ARRAY_LEN(list));
	assert_int_equal(list[0].load.differs, 1U << LOAD_NUMBER_FETCHERS);
	assert_int_equal(list[2].load.differs, 0);
	assert_string_equal(
	    load_figures_words(&list[1].load, text), ", fetchers 4");
	assert_string_equal(
	    load_figures_name(&list[1].load, text), " fetchers=4");
	assert_false(figures_same_trial(&list[0], &list[1]));
	assert_false(load_figures_alike(&list[0].load, &list[1].load));
	/* An older presto did not keep the number. */
	list[2] = trial_of("raw/tar/none", NAN);
	assert_false(figures_same_trial(&list[0], &list[2]));
}

static void test_load_figures_count_shards_and_samples(void **state)
{
	struct figures list[] = { trial_of("raw/tar/none", 1),
		trial_of("raw/tar/none", 1) };
	char text[LOAD_FIGURES_TEXT];

	UNUSED(state);
	list[0].load.numbers[LOAD_NUMBER_SHARDS] = 1;
	list[0].load.numbers[LOAD_NUMBER_SAMPLES] = 12;
	list[1].load.numbers[LOAD_NUMBER_SAMPLES] = 24;
	mark(list, ARRAY_LEN(list));
	assert_string_equal(
	    load_figures_words(&list[0].load, text), ", 1 shard, 12 samples");
	assert_string_equal(
	    load_figures_words(&list[1].load, text), ", 8 shards, 24 samples");
	assert_string_equal(load_figures_name(&list[1].load, text),
	    " shards=8 source_samples=24");
}

/* They are told, but are the same trial whatever was found. */
static void test_load_figures_tell_what_auto_found(void **state)
{
	struct figures list[] = { trial_of("raw/tar/none", 8),
		trial_of("raw/tar/none", 16) };
	char text[LOAD_FIGURES_TEXT];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(list); i++)
		list[i].load.chosen = LOAD_FETCHERS | LOAD_THREADS;
	list[1].threads = 1;
	assert_true(figures_same_trial(&list[0], &list[1]));
	list[1].load.numbers[LOAD_NUMBER_SHARDS] = 1;
	mark(list, ARRAY_LEN(list));
	assert_int_equal(list[0].load.differs, 1U << LOAD_NUMBER_SHARDS);
	assert_string_equal(
	    load_figures_words(&list[1].load, text), ", fetchers 16, 1 shard");
	assert_string_equal(
	    load_figures_name(&list[1].load, text), " shards=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load_figures_of_no_sweep_say_nothing),
		cmocka_unit_test(test_load_figures_of_a_sweep_name_its_numbers),
		cmocka_unit_test(test_load_figures_count_shards_and_samples),
		cmocka_unit_test(test_load_figures_tell_what_auto_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
