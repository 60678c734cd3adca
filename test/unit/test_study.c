/* test_study.c - values, series and ratios of a study; its pictures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/study/picture.h"
#include "cmd/study/study.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static struct study *begin(const char *factor, const char *values)
{
	struct study *study = calloc(1, sizeof(*study));
	struct error err = ERROR_INIT;

	assert_non_null(study);
	study->factor = factor_find(factor, &err);
	assert_non_null(study->factor);
	study->pipeline = "photos";
	test_ok(study_set_values(study, values, &err), &err);
	return study;
}

static void end(struct study *study)
{
	study_release(study);
	free(study);
}

/* The point of a series at a value; "" for a baseline. */
static const struct study_point *find(
    const struct study *study, const char *series, const char *value)
{
	for (size_t i = 0; i < study->point_count; i++) {
		const struct study_point *point = &study->points[i];

		if (strcmp(study->series[point->series], series) == 0 &&
		    strcmp(study_value_text(study, point), value) == 0)
			return point;
	}
	fail_msg("no point of %s at '%s'", series, value);
	return NULL;
}

static void check_ratio(const struct study *study, const char *series,
    const char *value, double want)
{
	const double got = study_ratio(study, find(study, series, value));

	if (!(fabs(got - want) < 1e-6))
		fail_msg("%s at %s: %g", series, value, got);
}

static void add(
    struct study *study, const struct fixture *fixture, unsigned value)
{
	struct error err = ERROR_INIT;

	test_ok(study_add_session(
	            study, fixture->results, fixture->session, value, &err),
	    &err);
	study_sort(study);
}

static void test_study_values_are_a_list(void **state)
{
	static const struct {
		const char *list, *error;
	} cases[] = {
		{ "1,,2", "--values 1,,2: a value must have 1 to 159 "
		          "characters, got ''" },
		{ "1,2,1", "--values 1,2,1: the value '1' is given twice" },
		{ "1,auto", "--values 1,auto: a study sweeps given values, and "
		            "auto is none; presto profile finds it" },
		{ "", "--values : a value must have 1 to 159 characters, "
		      "got ''" },
	};
	struct study *study = begin("sizes", "10KB, none,0");

	UNUSED(state);
	assert_int_equal(study->value_count, 3);
	assert_true(study->values[0].number == 10000);
	assert_true(isnan(study->values[1].number));
	assert_string_equal(study->values[1].text, "none");
	end(study);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct study wrong = { .factor = NULL };
		struct error err = ERROR_INIT;

		assert_int_equal(
		    study_set_values(&wrong, cases[i].list, &err), -1);
		assert_string_equal(err.text, cases[i].error);
	}
}

/* One session has all codecs; what was left to a default is still found. */
static void test_study_finds_values_in_the_results(void **state)
{
	static const struct fixture_trial trials[] = {
		{ .label = "unprocessed", .cold = { 100 } },
		{ .label = "resized/tar/none",
		    .cold = { 400 },
		    .storage_bytes = 1000 },
		{ .label = "resized/tar/gzip:6",
		    .cold = { 200 },
		    .storage_bytes = 600 },
		{ .label = "resized/tar/gzip:1", .cold = { 300 } },
		{ .label = "resized/tar/lz4", .cold = { 500 } },
	};
	struct study *study = begin("codecs", "none,gzip,gzip:1");
	const struct study_point *point;
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	add(study, &fixture, STUDY_BASELINE);
	assert_int_equal(study->series_count, 2);
	point = find(study, "resized/tar", "gzip:6");
	assert_true(point->storage_bytes > 599 && point->storage_bytes < 601);
	check_ratio(study, "resized/tar", "gzip:6", 0.5);
	check_ratio(study, "resized/tar", "gzip:1", 0.75);
	/* Nobody asked for lz4, but it was measured. */
	check_ratio(study, "resized/tar", "lz4", 1.25);
	point = find(study, "unprocessed", "");
	assert_int_equal(point->value, STUDY_BASELINE);
	assert_true(isnan(study_ratio(study, point)));
	assert_null(study_first(study, point->series));
	fixture_close(&fixture);
	end(study);
}

/* The results say 2 where the user said 02. */
static void test_study_finds_numbers_however_they_are_written(void **state)
{
	static const char *const lists[] = { "1,02", "1,2", "1,2B" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		struct study *study = begin("threads", lists[i]);
		struct fixture fixture;

		fixture_open(&fixture);
		for (unsigned k = 1; k <= 2; k++)
			fixture_add(&fixture,
			    &(struct fixture_trial){ .label = "raw/tar/none",
			        .threads = k,
			        .cold = { 10 * k } });
		add(study, &fixture, STUDY_BASELINE);
		assert_int_equal(study->value_count, 2);
		check_ratio(study, "raw/tar/none", "2", 2);
		fixture_close(&fixture);
		end(study);
	}
}

/* A session for each value; its trials differ in more than the factor. */
static void test_study_tells_series_apart(void **state)
{
	static const double rates[][2] = { { 100, 50 }, { 150, 150 } };
	struct study *study = begin("samples", "12,24");
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	for (unsigned i = 0; i < ARRAY_LEN(rates); i++) {
		if (i)
			fixture_session(&fixture, NULL);
		for (unsigned k = 0; k < 2; k++)
			fixture_add(&fixture,
			    &(struct fixture_trial){ .label = "raw/tar/none",
			        .threads = k + 1,
			        .cold = { rates[i][k] } });
		add(study, &fixture, i);
	}
	check_ratio(study, "raw/tar/none, 1 thread", "24", 1.5);
	check_ratio(study, "raw/tar/none, 2 threads", "24", 3);
	assert_int_equal(study->points[0].value, 0);
	assert_int_equal(study->points[1].value, 1);
	assert_int_equal(study->points[0].series, study->points[1].series);
	fixture_close(&fixture);
	end(study);
}

/* How often a text occurs in another one. */
static unsigned count(const char *text, const char *part)
{
	unsigned found = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		found++;
	return found;
}

static char *draw(const struct study *study)
{
	struct error err = ERROR_INIT;
	char *svg = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&svg, &len);

	assert_non_null(out);
	test_ok(picture_draw(study, out, &err), &err);
	fclose(out);
	return svg;
}

/* Nothing lies outside of the picture, whatever was measured. */
static void test_study_draws_each_point(void **state)
{
	static const char *const factors[] = { "threads", "samples", "codecs",
		"caches", "sizes", "variants" };
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(factors); i++) {
		struct study *study = begin(factors[i], "1,2");
		struct fixture fixture;
		char *svg;

		study->values[0].bytes = study->values[1].bytes = 10;
		fixture_open(&fixture);
		assert_int_equal(picture_draw(study, stdout, &err), -1);
		for (unsigned k = 0; k < 2; k++) {
			if (k)
				fixture_session(&fixture, NULL);
			fixture_add(&fixture,
			    &(struct fixture_trial){ .label = "raw/tar/none",
			        .storage_bytes = 1000,
			        .cold = { 10, 11, 12, 13, 14, 15, 16 } });
			add(study, &fixture, k);
		}
		svg = draw(study);
		assert_int_equal(count(svg, "<title>"), 2);
		assert_true(count(svg, "whisker") >= 6);
		assert_int_equal(
		    count(svg, strcmp(factors[i], "codecs") ? ">raw/tar/none<"
		                                            : ">raw/tar<"),
		    1);
		assert_int_equal(count(svg, "=\"nan"), 0);
		assert_int_equal(count(svg, "=\"inf"), 0);
		assert_int_equal(count(svg, "class=\"curve\""),
		    study->factor->picture < PICTURE_BARS ? 1 : 0);
		free(svg);
		fixture_close(&fixture);
		end(study);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_study_values_are_a_list),
		cmocka_unit_test(test_study_finds_values_in_the_results),
		cmocka_unit_test(
		    test_study_finds_numbers_however_they_are_written),
		cmocka_unit_test(test_study_tells_series_apart),
		cmocka_unit_test(test_study_draws_each_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
