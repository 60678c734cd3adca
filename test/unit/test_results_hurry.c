/*
 * test_results_hurry.c - rows that nobody waits for are stored without syncs,
 * and the next one is synced with them.
 *
 * These functions stand in for those of the C library, in SQLite as well.
 */
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/db/results_write.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static unsigned syncs;

__attribute__((visibility("default"))) int fsync(int fd)
{
	UNUSED(fd);
	syncs++;
	return 0;
}

__attribute__((visibility("default"))) int fdatasync(int fd)
{
	return fsync(fd);
}

static unsigned syncs_of(struct fixture *fixture, const char *label)
{
	const struct fixture_trial trial = { .label = label, .cold = { 1 } };

	syncs = 0;
	fixture_add(fixture, &trial);
	return syncs;
}

static void test_hurried_rows_are_synced_with_the_next(void **state)
{
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	assert_true(syncs_of(&fixture, "unprocessed") > 0);
	results_hurry(fixture.results, true);
	assert_int_equal(syncs_of(&fixture, "raw/tar/none"), 0);
	assert_int_equal(syncs_of(&fixture, "raw/npy/none"), 0);
	results_hurry(fixture.results, false);
	assert_true(syncs_of(&fixture, "raw/files/none") > 0);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hurried_rows_are_synced_with_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
