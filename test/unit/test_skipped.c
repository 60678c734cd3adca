/* test_skipped.c - every skipped sample is listed once. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/sample/skipped.h"
#include "test/unit/test.h"

enum { MANY = 3000, THREADS = 4 };

static void check_summary(const struct skipped *skipped, const char *wanted)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	test_ok(skipped_summary(skipped, &text, &err), &err);
	test_ok(buf_append(&text, "", 1, &err), &err);
	assert_string_equal((const char *)text.data, wanted);
	buf_release(&text);
}

static void check_list(struct skipped *skipped, const char *wanted)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	test_ok(skipped_list(skipped, &text, &err), &err);
	test_ok(buf_append(&text, "", 1, &err), &err);
	assert_string_equal((const char *)text.data, wanted);
	buf_release(&text);
}

static void test_skipped_samples_are_told_in_one_line(void **state)
{
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (int keep = 0; keep < 2; keep++) {
		struct skipped *skipped = skipped_new(keep, &err);

		check_summary(skipped, "");
		skipped_add(skipped, "img7", "step jpeg_decode: cut");
		skipped_add(skipped, "img7", "step jpeg_decode: cut");
		check_summary(skipped,
		    "1 sample was skipped: img7: step jpeg_decode: cut");
		skipped_add(skipped, "img2", "step resize: empty");
		skipped_add(skipped, "img3", "step resize: empty");
		assert_int_equal(skipped_count(skipped), 3);
		check_summary(skipped,
		    "3 samples were skipped, the first of them img2: step "
		    "resize: empty");
		skipped_free(skipped);
	}
	skipped_add(NULL, "nobody", "asks");
	assert_int_equal(skipped_count(NULL), 0);
	skipped_free(NULL);
}

static void test_skipped_list_is_a_line_a_sample(void **state)
{
	struct error err = ERROR_INIT;
	struct skipped *skipped = skipped_new(true, &err);

	UNUSED(state);
	check_list(skipped, "");
	skipped_add(skipped, "b", "two");
	skipped_add(skipped, "a\tb\nc", "o\tne\n");
	skipped_add(skipped, "b", "again");
	check_list(skipped, "a\\tb\\nc\to\\tne\\n\nb\ttwo\n");
	skipped_free(skipped);
}

static void *add_many(void *arg)
{
	char where[32];

	for (unsigned i = 0; i < MANY; i++) {
		snprintf(where, sizeof(where), "%05u", i);
		skipped_add(arg, where, "bad");
	}
	return NULL;
}

static void test_skipped_samples_of_all_threads_count_once(void **state)
{
	struct error err = ERROR_INIT;
	struct skipped *skipped = skipped_new(true, &err);
	struct buf text = BUF_INIT;
	pthread_t threads[THREADS];

	UNUSED(state);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, add_many, skipped), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(skipped_count(skipped), MANY);
	test_ok(skipped_list(skipped, &text, &err), &err);
	assert_int_equal(text.len, MANY * strlen("00000\tbad\n"));
	assert_memory_equal(text.data, "00000\tbad\n00001\tbad\n", 20);
	buf_release(&text);
	skipped_free(skipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_skipped_samples_are_told_in_one_line),
		cmocka_unit_test(test_skipped_list_is_a_line_a_sample),
		cmocka_unit_test(
		    test_skipped_samples_of_all_threads_count_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
