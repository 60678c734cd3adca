/*
 * test_hold.c - a claim at an object store that one living process holds.
 *
 * Where a holder must be seen alive, the others would wait an hour for its
 * death; where it is dead, nobody is alive.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/prepare/hold.h"
#include "test/unit/far_store.h"
#include "test/unit/test.h"

#define URL     "s3://photos/claimed/presto.partial"
#define HOUR_NS (3600ull * 1000000000)
#define DEAD    "update f\nheld by process 1 on here (00), sign 7\n"

/* It gives signs, and takes nobody for dead. */
static const struct hold_times lively = { 20000000, HOUR_NS };
/* It gives no signs, and takes others for dead at once. */
static const struct hold_times silent = { HOUR_NS, 1 };
/* It gives no signs soon, and takes others for dead after a moment. */
static const struct hold_times hasty = { 100000000, 300000000 };

static struct hold *hold_now(
    struct store *store, const char *text, const struct hold_times *times)
{
	struct error err = ERROR_INIT;
	struct hold *hold = hold_new(store->medium, URL, text, times, &err);

	if (!hold)
		fail_msg("%s", err.text);
	return hold;
}

static void is_refused(struct store *store, const char *words)
{
	struct error err = ERROR_INIT;

	assert_null(hold_new(store->medium, URL, "update f", &lively, &err));
	test_contains(err.text, words);
}

static void test_hold_is_of_one_living_process(void **state)
{
	struct store *store = *state;
	struct hold *hold = hold_now(store, "update f", &lively);
	struct error err = ERROR_INIT;

	is_refused(store, "presto.partial is in use by another presto: proces");
	test_ok(hold_check(hold, &err), &err);
	test_ok(hold_remove(hold, &err), &err);
	hold_free(hold);
	assert_int_equal(store_status(store, URL).kind, MEDIUM_NOTHING);
}

static void test_hold_that_ends_is_free(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;
	struct hold *hold;

	hold_free(hold_now(store, "update f", &lively));
	store_holds(store, URL, "update f\n");
	hold = hold_now(store, "update f", &lively);
	is_refused(store, "is in use");
	test_ok(hold_remove(hold, &err), &err);
	hold_free(hold);
}

static void test_hold_is_of_one_kind_of_work(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;

	store_put(store, URL, "another fingerprint\n");
	is_refused(store, "other work has just begun here");
	store_holds(store, URL, "another fingerprint\n");
	test_ok(medium_remove(store->medium, URL, &err), &err);
}

static void test_hold_of_a_dead_process_is_taken_over(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;
	struct hold *hold;

	store_put(store, URL, DEAD);
	hold = hold_now(store, "update f", &hasty);
	test_ok(hold_check(hold, &err), &err);
	test_ok(hold_remove(hold, &err), &err);
	hold_free(hold);
	assert_int_equal(store_status(store, URL).kind, MEDIUM_NOTHING);
}

/* It wakes up when another process has its place. */
static void test_hold_that_was_lost_is_noticed(void **state)
{
	struct store *store = *state;
	struct error err = ERROR_INIT;

	for (unsigned is_there = 0; is_there < 2; is_there++) {
		struct hold *hold = hold_now(store, "update f", &silent);

		if (is_there)
			store_put(store, URL, DEAD);
		else
			test_ok(medium_remove(store->medium, URL, &err), &err);
		for (unsigned i = 0; i < 2; i++) {
			assert_int_equal(hold_check(hold, &err), -1);
			test_contains(
			    err.text, "another presto has taken this work");
		}
		test_ok(hold_remove(hold, &err), &err);
		hold_free(hold);
		if (is_there)
			store_holds(store, URL, DEAD);
	}
	test_ok(medium_remove(store->medium, URL, &err), &err);
}

/* Requests fail for a while: the next sign comes all the same. */
static void test_hold_outlives_faults(void **state)
{
	struct store *store = *state;
	struct hold *hold = hold_now(store, "update f", &silent);
	struct error err = ERROR_INIT;

	store_fault(store, "lost 3\nslow_down 4\nreset 5\n");
	for (unsigned i = 0; i < 8; i++)
		test_ok(hold_check(hold, &err), &err);
	store_fault(store, "");
	test_ok(hold_remove(hold, &err), &err);
	hold_free(hold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hold_is_of_one_living_process),
		cmocka_unit_test(test_hold_that_ends_is_free),
		cmocka_unit_test(test_hold_is_of_one_kind_of_work),
		cmocka_unit_test(test_hold_of_a_dead_process_is_taken_over),
		cmocka_unit_test(test_hold_that_was_lost_is_noticed),
		cmocka_unit_test(test_hold_outlives_faults),
	};

	return cmocka_run_group_tests(tests, store_start, store_stop);
}
