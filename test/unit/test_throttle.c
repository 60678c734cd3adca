/* test_throttle.c - limits of an emulated storage that processes share. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/throttle.h"
#include "test/unit/test.h"

enum { MEGABYTE = 1000000 };

static const struct storage_limits limits = { .bandwidth = MEGABYTE };

static struct throttle *make(void)
{
	struct error err = ERROR_INIT;
	struct throttle *throttle = throttle_new(&limits, &err);

	test_ok(throttle ? 0 : -1, &err);
	return throttle;
}

/* Seconds from `now` until a request of a megabyte would end. */
static double request(struct throttle *throttle, uint64_t now)
{
	_Atomic double stream = 0;
	const struct turn turn =
	    throttle_request(throttle, now, MEGABYTE, &stream);

	return (double)(turn.until_ns - now) / 1e9;
}

static void test_throttle_is_shared_through_a_file(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "limits");
	struct throttle *first = make(), *second = make(), *other = make();
	const uint64_t now = clock_now(&clock_monotonic);
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(throttle_share(first, path, true, &err), &err);
	test_ok(throttle_share(second, path, false, &err), &err);
	assert_float_equal(request(first, now), 1, 1e-3);
	assert_float_equal(request(second, now), 2, 1e-3);
	assert_float_equal(request(first, now), 3, 1e-3);
	assert_float_equal(request(other, now), 1, 1e-3);
	/* What is shared stays with the others. */
	throttle_free(first);
	assert_float_equal(request(second, now), 4, 1e-3);
	throttle_free(second);
	throttle_free(other);
	free(path);
	test_scratch_remove(dir);
}

static void test_throttle_shares_no_other_file(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "limits");
	struct throttle *throttle = make();
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(throttle_share(throttle, path, false, &err), -1);
	test_contains(err.text, "cannot open");
	test_write(dir, "limits", "something else");
	assert_int_equal(throttle_share(throttle, path, true, &err), -1);
	test_contains(err.text, "cannot create");
	assert_int_equal(throttle_share(throttle, path, false, &err), -1);
	test_contains(err.text, "no file of shared limits");
	test_reads(path, "something else");
	throttle_free(throttle);
	free(path);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_throttle_is_shared_through_a_file),
		cmocka_unit_test(test_throttle_shares_no_other_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
