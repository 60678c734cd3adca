/* test_page.c - a session as an HTML page, and its charts as SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/html/html.h"
#include "cmd/page/chart.h"
#include "cmd/page/labels.h"
#include "cmd/page/page.h"
#include "cmd/page/scale.h"
#include "cmd/page/svg.h"
#include "cmd/report/bars.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_write.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static FILE *open_text(char **text)
{
	static size_t len;
	FILE *out = open_memstream(text, &len);

	assert_non_null(out);
	return out;
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	while ((text = strstr(text, part))) {
		count++;
		text += strlen(part);
	}
	return count;
}

static void test_page_escapes_hostile_text(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "" },
		{ "resized/tar/zstd:1", "resized/tar/zstd:1" },
		{ "<script>alert('1')</script>",
		    "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;" },
		{ "\" onload=\"x", "&quot; onload=&quot;x" },
		{ "a & b &amp; c", "a &amp; b &amp;amp; c" },
		{ "]]>", "]]&gt;" },
		{ "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
		{ "a\xff\xfe"
		  "b",
		    "a\\xff\\xfeb" },
		{ "cut \xe2\x82", "cut \\xe2\\x82" },
		{ "\xc0\xbcscript", "\\xc0\\xbcscript" },
		{ "bell\a, tab\t, line\n", "bell\\x07, tab\t, line\n" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xef\xbf\xbf", "\\uffff" },
		{ "\xe2\x80\xae\xc2\x9b", "\\u202e\\u009b" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = NULL;
		FILE *out = open_text(&text);

		html_text(cases[i].text, out);
		fclose(out);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

/* ---- scales ---- */

static void check_ticks(
    struct scale scale, unsigned most, const double *want, size_t want_count)
{
	double ticks[SCALE_TICKS];
	const size_t count = scale_ticks(&scale, most, ticks);

	assert_int_equal(count, want_count);
	for (size_t i = 0; i < count; i++)
		if (fabs(ticks[i] - want[i]) > 1e-9 * fabs(want[i]))
			fail_msg(
			    "tick %zu is %g, not %g", i, ticks[i], want[i]);
}

static void test_scale_ticks_are_round(void **state)
{
	static const double zero[] = { 0, 500, 1000, 1500, 2000 };
	static const double fine[] = { 200, 500, 1000, 2000, 5000 };
	static const double coarse[] = { 0.1, 1, 10, 100, 1000, 10000 };

	UNUSED(state);
	check_ticks(scale_from_zero(2100), 4, zero, ARRAY_LEN(zero));
	check_ticks(scale_of_range(210, 4900, 6), 6, fine, ARRAY_LEN(fine));
	check_ticks(
	    scale_of_range(0.11, 9000, 6), 6, coarse, ARRAY_LEN(coarse));
}

static void test_scale_is_logarithmic_where_it_must_be(void **state)
{
	struct scale scale = scale_of_range(100, 1500, 6);

	UNUSED(state);
	assert_false(scale.is_log);
	assert_true(scale.low == 0 && scale.high >= 1500);
	scale = scale_of_range(1, 10000, 6);
	assert_true(scale.is_log);
	scale.from = 0;
	scale.to = 400;
	assert_true(fabs(scale_at(&scale, 100) - 200) < 1e-9);
	assert_true(fabs(scale_at(&scale, 0) - 0) < 1e-9); /* at its end */
}

static void test_scale_takes_odd_ranges(void **state)
{
	static const double ranges[][2] = { { 0, 0 }, { 5, 5 }, { 9, 3 },
		{ 0, 1e12 }, { 1e-9, 1e12 }, { -1, 0 }, { INFINITY, 0 } };
	double ticks[SCALE_TICKS];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		struct scale scale =
		    scale_of_range(ranges[i][0], ranges[i][1], 6);

		if (i == ARRAY_LEN(ranges) - 1) /* of nothing */
			continue;
		scale.to = 100;
		assert_true(scale.high > scale.low);
		assert_true(isfinite(scale_at(&scale, ranges[i][1])));
		assert_in_range(scale_ticks(&scale, 6, ticks), 2, SCALE_TICKS);
	}
}

static void test_scale_writes_ticks_short(void **state)
{
	static const struct {
		enum scale_unit unit;
		double value;
		const char *want;
	} cases[] = {
		{ SCALE_NUMBER, 0, "0" },
		{ SCALE_NUMBER, 20000, "20 000" },
		{ SCALE_BYTES, 50e6, "50 MB" },
		{ SCALE_BYTES, 2.5e9, "2.5 GB" },
		{ SCALE_BYTES, 0, "0" },
		{ SCALE_TIME, 0.0002, "200 us" },
		{ SCALE_TIME, 0.0005, "500 us" },
		{ SCALE_TIME, 0.001, "1 ms" },
	};
	char text[SCALE_TEXT];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
		    scale_text(cases[i].unit, cases[i].value, text),
		    cases[i].want);
}

/* ---- labels and texts ---- */

static void test_labels_cover_no_point_and_no_label(void **state)
{
	enum { POINTS = 60 };
	struct label list[POINTS];
	struct labels labels = {
		.list = list,
		.count = POINTS,
		.height = 14,
		.radius = 6,
		.inside = { .width = 600, .height = 300 },
	};
	size_t placed = 0;

	UNUSED(state);
	for (size_t i = 0; i < POINTS; i++)
		list[i] = (struct label){ .x = 20 + (double)(i * 97 % 560),
			.y = 20 + (double)(i * 61 % 260),
			.width = 90,
			.brief_width = 14 };
	labels_place(&labels);
	assert_true(list[0].is_placed && !list[0].is_brief); /* it was first */
	for (size_t i = 0; i < POINTS; i++) {
		placed += list[i].is_placed;
		for (size_t k = 0; k < POINTS && list[i].is_placed; k++) {
			const struct box point = { .x = list[k].x - 6,
				.y = list[k].y - 6,
				.width = 12,
				.height = 12 };

			assert_false(box_overlaps(&list[i].box, &point));
			if (k != i && list[k].is_placed)
				assert_false(
				    box_overlaps(&list[i].box, &list[k].box));
		}
	}
	assert_true(placed > POINTS / 2);
}

static void test_svg_text_is_cut_in_the_middle(void **state)
{
	static const char name[] = "a_representation_with_a_very_long_name/"
	                           "tfrecord/shuffle+zstd:19";
	char text[128], small[16];

	UNUSED(state);
	assert_string_equal(
	    svg_fit("raw/tar/none", 12, 200, text, sizeof(text)),
	    "raw/tar/none");
	svg_fit(name, 12, 200, text, sizeof(text));
	assert_true(svg_text_width(text, 12) <= 200);
	test_contains(text, "a_repr");
	test_contains(text, "\xe2\x80\xa6");
	test_contains(text, "zstd:19");
	svg_fit(name, 12, 1e9, small, sizeof(small));
	assert_true(strlen(small) < sizeof(small));
	/* Characters stay whole. */
	svg_fit("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
	        "\xe4\xb8\xad\xe4\xb8\xad",
	    12, 40, text, sizeof(text));
	assert_true(strlen(text) % 3 == 0);
}

static void test_bars_are_as_long_as_the_rate(void **state)
{
	const struct bars blocks = { .columns = 150, .has_blocks = true };
	const struct bars plain = { .columns = 150 };
	char text[BARS_TEXT];

	UNUSED(state);
	bars_print(&plain, 4.4, text);
	assert_string_equal(text, "####");
	bars_print(&plain, 0.01, text);
	assert_string_equal(text, "#");
	bars_print(&plain, 0, text);
	assert_string_equal(text, "");
	bars_print(&blocks, 2.5, text);
	assert_string_equal(text, "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c");
	bars_print(&blocks, 1e9, text);
	assert_int_equal(strlen(text), 3 * BARS_WIDEST);
}

/* ---- pages ---- */

/* The page of the session, owned by the caller; all charts are drawn alone. */
static char *write_page(struct fixture *fixture)
{
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	test_ok(
	    page_write(fixture->results, fixture->session, out, &err), &err);
	fclose(out);
	assert_null(strstr(text, "nan\""));
	assert_null(strstr(text, ">nan"));
	assert_null(strstr(text, "Hnan"));
	assert_null(strstr(text, "inf\""));
	assert_null(strstr(text, "-inf"));
	return text;
}

static const struct fixture_trial trials[] = {
	{ .label = "unprocessed",
	    .storage_bytes = 1e8,
	    .cold = { 100, 104, 90, 102, 99, 101 },
	    .bottleneck = "cpu:decoded" },
	{ .label = "resized/tar/none",
	    .prep_s = 10,
	    .storage_bytes = 3e8,
	    .cold = { 1000, 1010, 990, 1002, 1003, 1001 },
	    .predicted = 2500,
	    .bottleneck = "storage" },
	{ .label = "resized/tar/none",
	    .cache = CACHE_SYSTEM,
	    .prep_s = 10,
	    .storage_bytes = 3e8,
	    .cold = { 1000, 1010, 990, 1002, 1003, 1001 },
	    .warm = { 2000, 2010, 1990, 2002, 2003, 2001 } },
	{ .label = "decoded/npy/zstd:1",
	    .state = TRIAL_FAILED,
	    .predicted = 500,
	    .message = "no <space> left" },
};

static void test_page_has_all_parts(void **state)
{
	static const char *const parts[] = { "<title>photos, session 1",
		"<b>resized/tar/none</b>", "id=\"storage-wide\"",
		"id=\"throughput-narrow\"", "id=\"epochs-wide\"",
		"id=\"table\"", "id=\"strategy-1\"", "href=\"#strategy-1\"",
		"no &lt;space&gt; left", "500 predicted", "A CPU",
		"samples/s within 150 % in the median of 1 trial",
		"shorter=256", "</html>" };
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	text = write_page(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		test_contains(text, parts[i]);
	assert_int_equal(count_of(text, "<svg "), 8);
	assert_int_equal(count_of(text, "role=\"img\""), 8);
	test_contains(text, "This session has not ended");
	assert_null(strstr(text, "src=\"http"));
	free(text);
	fixture_close(&fixture);
}

/* 2000 samples in 4 s of 6 CPU seconds; of them, 100 traced. */
static void add_traced(struct fixture *fixture)
{
	const struct run_row run = { .run = 1,
		.epoch = 1,
		.wall_ns = 4000000000,
		.samples = 2000,
		.user_ns = 5000000000,
		.system_ns = 1000000000,
		.bytes_from_storage = -1,
		.resident_percent = -1 };
	const struct step_row step = { .name = "decoded",
		.step = "jpeg_decode",
		.cpu_ns = 80000000,
		.samples = 100 };
	const struct trial_row trial = { .message = "",
		.bottleneck = "",
		.runs = &run,
		.run_count = 1,
		.steps = &step,
		.step_count = 1,
		.phases = { [PHASE_OPEN] = { 1000000, 1000000, 50, 0 },
		    [PHASE_READ] = { 9000000, 3000000, 100, 5000000 },
		    [PHASE_STEPS] = { 1, 90000000, 300, 1 },
		    [PHASE_BATCH] = { 1, 2000000, 100, 1 } } };
	const struct preparation_row preparation = { .samples = 2000 };

	fixture_store(fixture, "raw/tar/none", &preparation, &trial);
}

static void test_page_says_where_the_cores_go(void **state)
{
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	add_traced(&fixture);
	text = write_page(&fixture);
	test_contains(text, "<dt>allocation</dt>");
	test_contains(text, "4 cores give at most 1 333 samples/s by CPU");
	test_contains(text, "<dt>threads</dt>");
	free(text);
	fixture_close(&fixture);
}

static void test_page_divides_by_what_was_traced(void **state)
{
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	add_traced(&fixture);
	text = write_page(&fixture);
	test_contains(text, "decoded (jpeg_decode): 800 us a sample");
	test_contains(text, "read: 30.0 us a sample");
	test_contains(text, "into batches: 20.0 us a sample");
	free(text);
	fixture_close(&fixture);
}

/* The figure of storage and throughput, alone. */
static char *plot_storage(struct fixture *fixture)
{
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	test_ok(
	    page_plot(fixture->results, fixture->session, 0, out, &err), &err);
	fclose(out);
	return text;
}

/* 20 GB in full, of 16 GB of memory: it is as fast as not cached. */
static void test_page_places_what_outgrows_the_memory(void **state)
{
	struct fixture_trial trial = { .label = "decoded/tar/none",
		.cache = CACHE_SYSTEM,
		.storage_bytes = 1e9,
		.cold = { 1000, 1010, 990, 1002, 1003, 1001 },
		.warm = { 9000, 9010, 8990, 9002, 9003, 9001 } };

	UNUSED(state);
	for (unsigned outgrows = 0; outgrows < 2; outgrows++) {
		struct fixture fixture;
		char *text;

		fixture_open(&fixture);
		fixture_add(&fixture, &trials[0]);
		fixture_add(&fixture, &trial);
		text = plot_storage(&fixture);
		assert_int_equal(
		    count_of(text, "class=\"hollow\""), 2 * outgrows);
		assert_int_equal(
		    count_of(text, "larger than memory: not cached"), outgrows);
		assert_int_equal(
		    count_of(text, "in full 1 002, not cached"), outgrows);
		/* The axis ends before what was measured. */
		assert_int_equal(
		    count_of(text, ">10 000</text>"), 1 - outgrows);
		free(text);
		fixture_close(&fixture);
		trial.storage_bytes = 2e9;
	}
}

static void test_page_of_hostile_names(void **state)
{
	static const char hostile[] = "\"><script>x</script>&\xff'";
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &trials[0]);
	fixture_add(&fixture, &(struct fixture_trial){ .label = hostile,
	                          .prep_s = 10,
	                          .storage_bytes = 3e8,
	                          .cold = { 1000, 1010, 990 },
	                          .bottleneck = hostile,
	                          .evidence = hostile,
	                          .message = hostile });
	text = write_page(&fixture);
	assert_null(strstr(text, "<script>x"));
	assert_null(strchr(text, '\xff'));
	assert_int_equal(count_of(text, "<script>"), 1); /* the page's own */
	test_contains(text, "&quot;&gt;&lt;script&gt;x");
	free(text);
	fixture_close(&fixture);
}

static void test_page_of_one_strategy(void **state)
{
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &trials[0]);
	text = write_page(&fixture);
	test_contains(text, "<b>unprocessed</b>");
	test_contains(text, "id=\"storage-wide\"");
	free(text);
	fixture_close(&fixture);
}

static void test_page_of_failures_only(void **state)
{
	struct error err = ERROR_INIT;
	struct fixture fixture;
	char *text = NULL;
	FILE *out;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .state = TRIAL_SKIPPED,
	                          .message = "too large" });
	text = write_page(&fixture);
	test_contains(text, "no trial ended with data");
	test_contains(text, "No trial has a throughput.");
	assert_int_equal(count_of(text, "<svg "), 0);
	free(text);
	out = open_text(&text);
	test_error_is(page_plot(fixture.results, fixture.session, 0, out, &err),
	    &err,
	    "no chart 'storage': No trial has both a throughput and a size.");
	fclose(out);
	free(text);
	fixture_close(&fixture);
}

/* As of an old database. */
static void test_page_without_traced_steps(void **state)
{
	const struct strategy_row row = { .label = "unprocessed",
		.split = "unprocessed",
		.store = "",
		.codec = "",
		.order = "" };
	const struct run_row run = {
		.run = 1, .epoch = 1, .wall_ns = 1000000000, .samples = 100
	};
	const struct trial_row trial = { .threads = 2,
		.message = "",
		.bottleneck = "",
		.runs = &run,
		.run_count = 1 };
	struct error err = ERROR_INIT;
	struct fixture fixture;
	int64_t strategy = 0;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	test_ok(results_add_strategy(
	            fixture.results, fixture.session, &row, &strategy, &err),
	    &err);
	test_ok(
	    results_add_trial(fixture.results, strategy, &trial, &err), &err);
	text = write_page(&fixture);
	test_contains(text, "No steps were traced");
	test_contains(text, "<b>unprocessed</b>");
	assert_int_equal(count_of(text, "<svg "), 4); /* storage unknown */
	free(text);
	fixture_close(&fixture);
}

static void test_page_of_many_strategies_shows_the_best(void **state)
{
	struct fixture fixture;
	char label[160], *text;

	UNUSED(state);
	fixture_open(&fixture);
	for (unsigned i = 0; i < 100; i++) {
		const double rate = 10 * pow(1.1, i);

		snprintf(label, sizeof(label),
		    "a_rather_long_name_of_a_representation_which_is_"
		    "unusual_but_may_be_given_by_users_%u/tar/none",
		    i);
		fixture_add(
		    &fixture, &(struct fixture_trial){ .label = label,
		                  .prep_s = i,
		                  .storage_bytes = 1e6 * pow(1.1, i),
		                  .cold = { rate, 1.01 * rate, 0.99 * rate } });
	}
	fixture_add(&fixture, &(struct fixture_trial){ .label = "unprocessed",
	                          .storage_bytes = 1e5,
	                          .cold = { 1, 1.1, 0.9 } });
	text = write_page(&fixture);
	test_contains(text, "The best 24 of 101 strategies");
	assert_int_equal(count_of(text, "<tr id=\"strategy-"), 101);
	/* What is compared with is always among them. */
	test_contains(text, ">unprocessed</text>");
	free(text);
	fixture_close(&fixture);
}

static void test_page_draws_each_chart_alone(void **state)
{
	struct fixture fixture;
	const struct chart_ops *ops;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	for (unsigned i = 0; (ops = chart_at(i)); i++) {
		struct error err = ERROR_INIT;
		char *text = NULL;
		FILE *out = open_text(&text);
		const int rc =
		    page_plot(fixture.results, fixture.session, i, out, &err);

		fclose(out);
		test_ok(rc, &err);
		assert_int_equal(strncmp(text, "<svg xmlns=", 11), 0);
		test_contains(text, "<style>");
		test_contains(text, "<desc ");
		assert_null(strstr(text, "href="));
		free(text);
	}
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_escapes_hostile_text),
		cmocka_unit_test(test_scale_ticks_are_round),
		cmocka_unit_test(test_scale_is_logarithmic_where_it_must_be),
		cmocka_unit_test(test_scale_takes_odd_ranges),
		cmocka_unit_test(test_scale_writes_ticks_short),
		cmocka_unit_test(test_labels_cover_no_point_and_no_label),
		cmocka_unit_test(test_svg_text_is_cut_in_the_middle),
		cmocka_unit_test(test_bars_are_as_long_as_the_rate),
		cmocka_unit_test(test_page_has_all_parts),
		cmocka_unit_test(test_page_says_where_the_cores_go),
		cmocka_unit_test(test_page_divides_by_what_was_traced),
		cmocka_unit_test(test_page_places_what_outgrows_the_memory),
		cmocka_unit_test(test_page_of_hostile_names),
		cmocka_unit_test(test_page_of_one_strategy),
		cmocka_unit_test(test_page_of_failures_only),
		cmocka_unit_test(test_page_without_traced_steps),
		cmocka_unit_test(test_page_of_many_strategies_shows_the_best),
		cmocka_unit_test(test_page_draws_each_chart_alone),
	};

	return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
