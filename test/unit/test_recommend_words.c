/* test_recommend_words.c - a recommendation never contradicts its table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/recommend/recommend.h"
#include "cmd/report/session_data.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/stores/readable.h"
#include "strategies/decide/rank.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* Owned; as a report in CSV has it, without a pipeline. */
static char *text_of(const struct fixture_row *rows,
    const struct request *request, struct recommend_page *page,
    struct error *err)
{
	char pipeline[] = "PIPELINE.conf", options[] = "";
	struct session_data data = SESSION_DATA_INIT;
	char *text = NULL;
	size_t len = 0;

	fixture_report(&data.trials, rows, 1000);
	data.pipeline = pipeline;
	data.options = options;
	data.elapsed_s = NAN;
	data.surroundings.memory_bytes = NAN;
	page->out = open_memstream(&text, &len);
	assert_non_null(page->out);
	test_ok(figures_read(&data.figures, &data.trials, err), err);
	recommend_session(&data, request, page, err);
	fclose(page->out);
	figures_release(&data.figures);
	grid_release(&data.trials);
	return text;
}

static char *words_of(const struct fixture_row *rows,
    const struct request *request, enum format format)
{
	struct recommend_page page = { .format = format, .cores = NAN };
	struct error err = ERROR_INIT;
	char *text = text_of(rows, request, &page, &err);

	assert_int_equal(err.code, ERROR_NONE);
	return text;
}

static void check_words(const struct fixture_row *rows,
    const struct request *request, const char *has, const char *has_not)
{
	char *text = words_of(rows, request, FORMAT_TEXT);

	test_contains(text, has);
	if (has_not && strstr(text, has_not))
		fail_msg("'%s' is in '%s'", has_not, text);
	free(text);
}

/* The page has the words, and the error behind it says what is wrong. */
static void check_inconclusive(
    const struct fixture_row *rows, const char *has, const char *wrong)
{
	const struct request request = request_default();
	struct recommend_page page = { .alone = true, .cores = NAN };
	struct error err = ERROR_INIT;
	char *text = text_of(rows, &request, &page, &err);

	assert_int_equal(err.code, ERROR_INCONCLUSIVE);
	assert_string_equal(err.text, wrong);
	test_contains(text, has);
	free(text);
}

static void test_words_of_an_open_winner_come_first(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 99,
		    .high = 101 },
		{ FIXTURE_ROW("raw/tar/none", 300, 1, 44e6), .low = 200,
		    .high = 400 },
		{ FIXTURE_ROW("r/tar/none", 320, 1, 99e6), .low = 210,
		    .high = 450 },
		{ .strategy = NULL },
	};
	static const char *const parts[] = {
		"\"open\": \"these runs cannot tell r/tar/none from "
		"raw/tar/none; the latter may be up to 1.9 times as fast\"",
		"\"settle\": \"presto profile PIPELINE.conf --budget 3m\"",
		"; it wins by a tie: 1 other is too close to tell from it with "
		"these runs, and it is known best; these runs cannot tell",
	};
	const struct request request = request_default();
	char *text;

	(void)state;
	check_words(rows, &request,
	    "recommended: r/tar/none, 8 threads, cache none; not settled\n\n"
	    "  to settle it presto profile PIPELINE.conf --budget 3m\n"
	    "  open         these runs cannot tell r/tar/none from "
	    "raw/tar/none; the latter may be up to 1.9 times as fast\n",
	    NULL);
	text = words_of(rows, &request, FORMAT_JSON);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		test_contains(text, parts[i]);
	free(text);
}

/* A rival that is twice as fast is an error, behind all that is printed. */
static void test_words_of_a_winner_that_is_none(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 99,
		    .high = 101 },
		{ FIXTURE_ROW("raw/tar/none", 300, 1, 44e6), .low = 40,
		    .high = 900 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_inconclusive(rows, "recommended: raw/tar/none",
	    "inconclusive: these runs cannot tell raw/tar/none from "
	    "unprocessed; the latter may be up to 2.52 times as fast; measure "
	    "for longer: presto profile PIPELINE.conf --budget 3m");
	/* Below a report or a profile it is no error. */
	check_words(rows, &request,
	    "raw/tar/none, 8 threads, cache none; not settled\n", NULL);
}

/* Its warm runs do not tell how fast data is that does not fit in memory. */
static void test_words_of_what_was_measured_in_memory_only(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 40), .cache = "system" },
		{ FIXTURE_ROW("r/tar/none", 900, 1, 50), .cache = "system",
		    .fits_memory = "no" },
		{ .strategy = NULL },
	};

	(void)state;
	check_inconclusive(rows, "recommended: unprocessed",
	    "inconclusive: these runs cannot tell unprocessed from r/tar/none; "
	    "it was measured only while its data stayed in memory; measure for "
	    "longer: presto profile PIPELINE.conf --budget 3m --cache "
	    "none,system");
}

/* As precise as runs get: more of them would say the same. */
static void test_words_of_equals_ask_for_no_more_runs(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 99,
		    .high = 101 },
		{ FIXTURE_ROW("raw/tar/none", 101, 1, 44e6), .low = 100,
		    .high = 102 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_words(rows, &request,
	    "do nothing   no stored form is clearly faster, and this one "
	    "needs no preparation\n",
	    "--budget");
}

static void test_words_of_unprocessed_in_a_tie(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 90,
		    .high = 110 },
		{ FIXTURE_ROW("raw/tar/none", 103, 1, 44e6), .low = 92,
		    .high = 112 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_words(rows, &request,
	    "do nothing   a stored form may be faster, but these runs cannot "
	    "tell; this one needs no preparation\n",
	    "worth");
}

static void test_words_of_unprocessed_that_is_fastest(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 200, 0, 43e6), .low = 198,
		    .high = 202 },
		{ FIXTURE_ROW("raw/tar/none", 100, 1, 44e6), .low = 99,
		    .high = 101 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_words(rows, &request,
	    "do nothing   no stored form that was measured is faster than the "
	    "dataset as it is\n",
	    "cannot");
}

/* Five times the speed may lose by the formula, and is not denied. */
static void test_words_of_unprocessed_by_weights(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 98,
		    .high = 102 },
		{ FIXTURE_ROW("r/tar/none", 500, 1, 109e6), .low = 490,
		    .high = 510 },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	(void)state;
	request.objective = &objective_balanced;
	check_words(rows, &request,
	    "do nothing   the dataset as it is scores best by these weights\n",
	    "faster");
}

/* ---- readers ---- */

static const struct fixture_row stored[] = {
	{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 99, .high = 101 },
	{ FIXTURE_ROW("r/tar/none", 200, 1, 44e6), .low = 198, .high = 202 },
	{ FIXTURE_ROW("r/tfrecord/none", 220, 1, 44e6), .low = 219,
	    .high = 221 },
	{ FIXTURE_ROW("r/tar/zstd:1", 264, 1, 40e6), .low = 262, .high = 266,
	    .portable = "no" },
	{ .strategy = NULL },
};

static void test_words_of_what_other_readers_take(void **state)
{
	struct request request = request_default();
	char *text;

	(void)state;
	check_words(stored, &request,
	    "  presto only  1.2 times faster with presto's own reader: "
	    "r/tar/zstd:1 (--readable-by any)\n",
	    "recommended: r/tar/zstd");
	text = words_of(stored, &request, FORMAT_JSON);
	test_contains(text, "\"other_reader\": \"r/tar/zstd:1\"");
	test_contains(text, "\"unranked\": \"presto only\"");
	free(text);
	request.reader = stock_reader_find("presto");
	check_words(
	    stored, &request, "recommended: r/tar/zstd:1, ", "for presto's");
}

/* What is not for webdataset is not for presto alone. */
static void test_words_of_other_stock_readers(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 99,
		    .high = 101 },
		{ FIXTURE_ROW("r/tar/none", 200, 1, 44e6), .low = 198,
		    .high = 202 },
		{ FIXTURE_ROW("r/tfrecord/none", 220, 1, 44e6), .low = 219,
		    .high = 221 },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	(void)state;
	request.reader = stock_reader_find("webdataset");
	check_words(rows, &request,
	    "  other reader 1.1 times faster with another reader: "
	    "r/tfrecord/none (--readable-by any)\n",
	    "presto's own");
}

/* Not "nothing is faster": the table says what is. */
static void test_words_of_unprocessed_that_alone_is_read(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6) },
		{ FIXTURE_ROW("r/tar/none", 200, 1, 44e6) },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	(void)state;
	request.reader = stock_reader_find("tensorflow");
	check_words(rows, &request,
	    "do nothing   nothing else that was measured can be recommended "
	    "for this reader\n",
	    "no stored form");
	check_words(rows, &request,
	    "2 times faster with another reader: r/tar/none ", NULL);
}

/* What is only a little faster would not win, and is not praised. */
static void test_words_pass_over_what_would_not_win(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("r/tar/none", 200, 1, 44e6), .low = 198,
		    .high = 202 },
		{ FIXTURE_ROW("r/tar/zstd:1", 203, 1, 44e6), .low = 199,
		    .high = 205, .portable = "no" },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_words(rows, &request, "recommended: r/tar/none", "own reader");
}

/* ---- cache modes ---- */

static void test_words_say_which_cache_mode_is_assumed(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 40), .cache = "none" },
		{ FIXTURE_ROW("r/tar/none", 400, 1, 50), .cache = "none" },
		{ FIXTURE_ROW("unprocessed", 200, 0, 40), .cache = "system" },
		{ FIXTURE_ROW("r/tar/none", 600, 1, 50), .cache = "system" },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_words(rows, &request,
	    "  assumes      a dataset that stays in memory after the first "
	    "epoch, where it fits (cache system)\n",
	    NULL);
	/* In the same mode, not 6 times the cold one. */
	check_words(
	    rows, &request, "3 times unprocessed (200 samples/s)", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_of_an_open_winner_come_first),
		cmocka_unit_test(test_words_of_a_winner_that_is_none),
		cmocka_unit_test(
		    test_words_of_what_was_measured_in_memory_only),
		cmocka_unit_test(test_words_of_equals_ask_for_no_more_runs),
		cmocka_unit_test(test_words_of_unprocessed_in_a_tie),
		cmocka_unit_test(test_words_of_unprocessed_that_is_fastest),
		cmocka_unit_test(test_words_of_unprocessed_by_weights),
		cmocka_unit_test(test_words_of_what_other_readers_take),
		cmocka_unit_test(test_words_of_other_stock_readers),
		cmocka_unit_test(test_words_of_unprocessed_that_alone_is_read),
		cmocka_unit_test(test_words_pass_over_what_would_not_win),
		cmocka_unit_test(test_words_say_which_cache_mode_is_assumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
