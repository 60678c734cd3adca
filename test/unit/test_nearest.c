/* test_nearest.c - suggesting the word that was probably meant. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/syntax/nearest.h"
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

static void test_nearest_hint_helps_with_what_there_is(void **state)
{
	static const struct {
		const char *word, *candidates, *prefix, *see, *hint;
	} cases[] = {
		{ "resise", "", NULL, NULL, "" },
		{ "resise", "", NULL, "presto help", "; see presto help" },
		{ "resise", "resize", NULL, NULL,
		    "; did you mean 'resize'? There is only resize" },
		{ "x", "resize", NULL, NULL, "; there is only resize" },
		{ "zsdt", "gzip|lz4|zstd", NULL, NULL,
		    "; did you mean 'zstd'? There are gzip, lz4 and zstd" },
		{ "rnus", "runs|seed", "--", NULL,
		    "; did you mean '--runs'? There are --runs and --seed" },
		{ "zz", "a|b|c|d|e|f|g|h", NULL, NULL,
		    "; there are a, b, c, d, e, f, g and h" },
		{ "zz", "a|b|c|d|e|f|g|h|i", NULL, NULL, "" },
		{ "zz", "a|b|c|d|e|f|g|h|i", NULL, "presto list steps",
		    "; see presto list steps" },
		{ "hflop", "a|b|c|d|hflip", NULL, "presto list steps",
		    "; did you mean 'hflip'? See presto list steps" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nearest nearest = nearest_to(cases[i].word);
		char hint[NEAREST_HINT], copy[64];

		nearest.prefix = cases[i].prefix;
		nearest.see = cases[i].see;
		nearest_try_words(
		    &nearest, cases[i].candidates, copy, sizeof(copy));
		assert_string_equal(
		    nearest_hint(&nearest, hint), cases[i].hint);
	}
}

static void test_nearest_question_is_asked_or_not(void **state)
{
	struct nearest nearest = nearest_to("resise");
	char hint[NEAREST_HINT];

	UNUSED(state);
	assert_string_equal(nearest_question(&nearest, hint), "");
	nearest_try(&nearest, "resize");
	assert_string_equal(
	    nearest_question(&nearest, hint), "; did you mean 'resize'?");
}

/* What is too long for a list is not cut in the middle of a word. */
static void test_nearest_hint_leaves_out_a_list_that_is_too_long(void **state)
{
	struct nearest nearest = nearest_to("x");
	char hint[NEAREST_HINT], names[4][64];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		memset(names[i], 'a' + (int)i, sizeof(names[i]));
		names[i][sizeof(names[i]) - 1] = '\0';
		nearest_try(&nearest, names[i]);
	}
	assert_string_equal(nearest_hint(&nearest, hint), "");
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
	assert_true(strlen(nearest_question(&nearest, hint)) > 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest_finds_the_word_that_was_meant),
		cmocka_unit_test(test_nearest_prefers_the_first_of_equals),
		cmocka_unit_test(test_nearest_hint_helps_with_what_there_is),
		cmocka_unit_test(test_nearest_question_is_asked_or_not),
		cmocka_unit_test(
		    test_nearest_hint_leaves_out_a_list_that_is_too_long),
		cmocka_unit_test(test_nearest_bears_long_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
