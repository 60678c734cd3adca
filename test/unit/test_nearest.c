/* test_nearest.c - which known word was meant. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/nearest.h"
#include "test/unit/test.h"

static const char *const words[] = { "center", "hflip", "jpeg_decode",
	"random_crop", "resize", "ab" };

static void test_nearest_finds_the_word_that_was_meant(void **state)
{
	static const struct {
		const char *word, *best;
		size_t distance;
	} cases[] = {
		{ "jpg_decode", "jpeg_decode", 1 }, /* one left out */
		{ "jpeg_decodee", "jpeg_decode", 1 },
		{ "rezise", "resize", 2 },
		{ "reisze", "resize", 1 }, /* neighbours swapped */
		{ "flip", "hflip", 1 },
		{ "Center", "center", 1 },
		{ "center", "center", 0 },
		{ "ba", "ab", 1 },
		{ "x", NULL, 0 },
		{ "", NULL, 0 },
		{ "frobnicate", NULL, 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nearest nearest = nearest_to(cases[i].word);

		for (size_t k = 0; k < ARRAY_LEN(words); k++)
			nearest_try(&nearest, words[k]);
		if (!cases[i].best) {
			assert_null(nearest.best);
			continue;
		}
		assert_non_null(nearest.best);
		assert_string_equal(nearest.best, cases[i].best);
		assert_int_equal(nearest.distance, cases[i].distance);
	}
}

static void test_nearest_prefers_the_first_of_equals(void **state)
{
	struct nearest nearest = nearest_to("bat");

	UNUSED(state);
	nearest_try(&nearest, "cat");
	nearest_try(&nearest, "hat");
	assert_string_equal(nearest.best, "cat");
}

static void test_nearest_hint_is_a_question_or_nothing(void **state)
{
	struct nearest nearest = nearest_to("resise");
	char hint[NEAREST_HINT];

	UNUSED(state);
	assert_string_equal(nearest_hint(&nearest, hint), "");
	nearest_try(&nearest, "resize");
	assert_string_equal(
	    nearest_hint(&nearest, hint), "; did you mean 'resize'?");
}

static void test_nearest_bears_long_words(void **state)
{
	struct nearest nearest;
	char hint[NEAREST_HINT], word[200], almost[65];

	UNUSED(state);
	memset(word, 'a', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	nearest = nearest_to(word);
	nearest_try(&nearest, "resize");
	nearest_try(&nearest, word);
	assert_null(nearest.best);

	word[64] = '\0';
	memcpy(almost, word, sizeof(almost));
	almost[7] = 'b';
	nearest = nearest_to(word);
	nearest_try(&nearest, almost);
	assert_int_equal(nearest.distance, 1);
	assert_true(strlen(nearest_hint(&nearest, hint)) > 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest_finds_the_word_that_was_meant),
		cmocka_unit_test(test_nearest_prefers_the_first_of_equals),
		cmocka_unit_test(test_nearest_hint_is_a_question_or_nothing),
		cmocka_unit_test(test_nearest_bears_long_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
