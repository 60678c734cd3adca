/* test_shared.c - shared things are made once, and freed by the last user. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/shared.h"
#include "test/unit/test.h"

static atomic_int made, freed;

static void *make_number(const void *arg, struct error *err)
{
	int *number = malloc(sizeof(*number));

	if (*(const int *)arg < 0) {
		free(number);
		error_set(err, ERROR_DATA, "is less than nothing");
		return NULL;
	}
	assert_non_null(number);
	*number = *(const int *)arg;
	atomic_fetch_add(&made, 1);
	return number;
}

static void free_number(void *thing)
{
	atomic_fetch_add(&freed, 1);
	free(thing);
}

static const struct shared_kind numbers = { "number", make_number,
	free_number };
static const struct shared_kind others = { "other", make_number, free_number };

static void *take(const struct shared_kind *kind, const char *key, int number)
{
	struct error err = ERROR_INIT;
	void *thing = shared_take(kind, key, &number, &err);

	test_ok(thing ? 0 : -1, &err);
	return thing;
}

static void test_shared_is_made_once_and_freed_by_the_last(void **state)
{
	void *a, *b, *c, *d;

	UNUSED(state);
	atomic_store(&made, 0);
	atomic_store(&freed, 0);
	a = take(&numbers, "one", 1);
	b = take(&numbers, "one", 1);
	c = take(&numbers, "two", 2);
	d = take(&others, "one", 3);
	assert_ptr_equal(a, b);
	assert_int_equal(*(int *)a, 1);
	assert_int_equal(*(int *)c, 2);
	assert_int_equal(*(int *)d, 3);
	assert_int_equal(made, 3);
	shared_give(&numbers, a);
	assert_int_equal(freed, 0);
	shared_give(&numbers, b);
	assert_int_equal(freed, 1);
	shared_give(&numbers, NULL);
	a = take(&numbers, "one", 7);
	assert_int_equal(*(int *)a, 7);
	shared_give(&numbers, a);
	shared_give(&numbers, c);
	shared_give(&others, d);
	assert_int_equal(freed, 4);
}

static void test_shared_tells_why_it_was_not_made(void **state)
{
	struct error err = ERROR_INIT;
	const int less = -1;

	UNUSED(state);
	assert_null(shared_take(&numbers, "one", &less, &err));
	assert_string_equal(err.text, "is less than nothing");
	shared_give(&numbers, take(&numbers, "one", 1));
}

static void *take_often(void *arg)
{
	UNUSED(arg);
	for (int i = 0; i < 1000; i++) {
		int *number = take(&numbers, "one", 1);

		assert_int_equal(*number, 1);
		shared_give(&numbers, number);
	}
	return NULL;
}

static void test_shared_may_be_taken_by_any_thread(void **state)
{
	pthread_t threads[4];

	UNUSED(state);
	atomic_store(&made, 0);
	atomic_store(&freed, 0);
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, take_often, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(made, freed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_shared_is_made_once_and_freed_by_the_last),
		cmocka_unit_test(test_shared_tells_why_it_was_not_made),
		cmocka_unit_test(test_shared_may_be_taken_by_any_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
