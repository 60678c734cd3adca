/* test_recommend.c - the recommendation, from a database and from files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/recommend/recommend.h"
#include "cmd/report/benchmarks.h"
#include "cmd/report/report.h"
#include "cmd/report/session_data.h"
#include "cmd/writers/csv.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "lib/files/path.h"
#include "strategies/decide/rank.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* In no order of the pipeline: `centered` is its last split all the same. */
static const struct fixture_trial trials[] = {
	{ .label = "centered/tar/zstd:1",
	    .prep_s = 9,
	    .storage_bytes = 1e8,
	    .cold = { 650, 650, 650, 650, 650 } },
	{ .label = "centered/tar/none",
	    .prep_s = 9,
	    .storage_bytes = 4e8,
	    .cold = { 500, 500, 500, 500, 500 },
	    .bottleneck = "storage" },
	{ .label = "unprocessed",
	    .storage_bytes = 5e7,
	    .cold = { 100, 100, 100, 100, 100 },
	    .bottleneck = "cpu:decoded",
	    .evidence = "71 %" },
	{ .label = "resized/tar/none",
	    .prep_s = 15,
	    .storage_bytes = 1e8,
	    .cold = { 990, 1000, 1010, 1000, 1000 },
	    .bottleneck = "storage" },
	{ .label = "raw/npy/none", .state = TRIAL_FAILED, .message = "no" },
};

static void open_demo(struct fixture *fixture)
{
	fixture_open(fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(fixture, &trials[i]);
}

static char *recommend_page(const struct session_data *data,
    const struct request *request, const struct recommend_page *form)
{
	struct error err = ERROR_INIT;
	struct recommend_page page = *form;
	char *text = NULL;
	size_t len = 0;

	page.out = open_memstream(&text, &len);
	assert_non_null(page.out);
	test_ok(recommend_session(data, request, &page, &err), &err);
	fclose(page.out);
	return text;
}

static char *recommend(const struct session_data *data,
    const struct request *request, enum format format)
{
	const struct recommend_page page = { .format = format };

	return recommend_page(data, request, &page);
}

static char *recommend_fixture(
    struct fixture *fixture, const struct request *request, enum format format)
{
	struct session_data data = SESSION_DATA_INIT;
	struct error err = ERROR_INIT;
	char *text;

	test_ok(session_data_from_results(
	            &data, fixture->results, fixture->session, &err),
	    &err);
	text = recommend(&data, request, format);
	session_data_release(&data);
	return text;
}

static void test_recommend_says_what_and_why(void **state)
{
	static const char *const parts[] = {
		"recommended: resized/tar/none, 2 threads, cache none\n",
		"1 000 samples/s (lowest to highest: 990 to 1 010)",
		"10 times unprocessed (100 samples/s)",
		/* Uncompressed, though the compressed one is faster. */
		"2 times fully preprocessed (centered/tar/none, 500 samples/s)",
		"100 MB for the samples, 1 GB for the full dataset, which fits "
		"in memory\n",
		"15 s for the samples, 2.50 min for the full dataset",
		"2 epochs, against unprocessed",
		"storage; unprocessed: cpu:decoded, 71 %",
		"1 trial is left out",
		"presto materialize conf/photos.conf --strategy resized/",
		" --out photos-resized-tar\n",
	};
	const struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	open_demo(&fixture);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		test_contains(text, parts[i]);
	free(text);
	fixture_close(&fixture);
}

static void test_recommend_nothing_when_nothing_is_best(void **state)
{
	struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	open_demo(&fixture);
	request.objective = &objective_time;
	request.epochs = 1;
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text, "recommended: unprocessed");
	test_contains(text, "do nothing");
	test_contains(text, "bottleneck");
	assert_null(strstr(text, "materialize"));
	free(text);
	text = recommend_fixture(&fixture, &request, FORMAT_JSON);
	test_contains(text, "do nothing: no stored form pays in 1 epoch;");
	test_contains(text, "\"command\": null");
	test_contains(text, "\"break_even_epochs\": 0");
	free(text);
	fixture_close(&fixture);
}

/* There is no 95 % interval of fewer than 6 figures, and none of one. */
static void test_recommend_prints_the_interval_that_it_has(void **state)
{
	static const struct {
		struct fixture_trial trial;
		const char *part;
	} cases[] = {
		{ { .label = "unprocessed", .cold = { 100 } },
		    "throughput   100 samples/s\n" },
		{ { .label = "unprocessed", .cold = { 100, 110, 120 } },
		    "110 samples/s (lowest to highest: 100 to 120)\n" },
		{ { .label = "unprocessed",
		      .cold = { 100, 110, 110, 110, 110, 120 } },
		    "110 samples/s (95 %: 100 to 120)\n" },
	};
	const struct request request = request_default();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fixture fixture;
		char *text;

		fixture_open(&fixture);
		fixture_add(&fixture, &cases[i].trial);
		text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
		test_contains(text, cases[i].part);
		free(text);
		fixture_close(&fixture);
	}
}

/* Where nothing else could be taken, it does not say that nothing is better. */
static void test_recommend_says_why_nothing_is_left(void **state)
{
	const struct fixture_trial skipped = { .label = "raw/tar/none",
		.state = TRIAL_SKIPPED };
	struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	open_demo(&fixture);
	request.max_prep_s = 1;
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text, "nothing else meets --max-prep\n");
	free(text);
	request.max_prep_s = 100;
	request.objective = &objective_time;
	request.epochs = 2;
	request.max_storage_bytes = 6e8;
	text = recommend_fixture(&fixture, &request, FORMAT_JSON);
	test_contains(
	    text, "nothing else meets --max-storage and --max-prep; unp");
	free(text);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .storage_bytes = 1,
	                          .cold = { 99, 99 } });
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text,
	    "a strategy that is better by this objective does not meet "
	    "--max-storage");
	free(text);
	fixture_session(&fixture, NULL);
	fixture_add(&fixture, &trials[2]);
	fixture_add(&fixture, &skipped);
	request = request_default();
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text, "do nothing   nothing else was measured\n");
	free(text);
	fixture_close(&fixture);
}

/* In all forms: a figure of a storage that is not there must say so. */
static void test_recommend_says_that_the_storage_was_emulated(void **state)
{
	const struct storage_limits limits = { .bandwidth = 5e7 };
	const struct request request = request_default();
	static const struct {
		enum format format;
		const char *says;
	} cases[] = {
		{ FORMAT_TEXT, "  emulated     a storage of 50 MB/s: " },
		{ FORMAT_MARKDOWN, "- emulated: a storage of 50 MB/s: " },
		{ FORMAT_JSON, "\"emulated_storage\": \"50 MB/s\"" },
		{ FORMAT_CSV, ",50 MB/s,," },
	};
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &trials[2]);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	assert_null(strstr(text, "emulated"));
	free(text);
	fixture_session(&fixture, &limits);
	fixture_add(&fixture, &trials[2]);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		text = recommend_fixture(&fixture, &request, cases[i].format);
		test_contains(text, cases[i].says);
		free(text);
	}
	fixture_close(&fixture);
}

static void test_recommend_benchmarks_name_the_emulated_storage(void **state)
{
	const struct storage_limits limits = { .bandwidth = 5e7 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_session(&fixture, &limits);
	fixture_add(&fixture, &trials[2]);
	for (int i = BENCHMARKS_BMF; i <= BENCHMARKS_GITHUB; i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);

		assert_non_null(out);
		test_ok(benchmarks_print(fixture.results, fixture.session,
		            (enum benchmarks_form)i, out, &err),
		    &err);
		fclose(out);
		test_contains(text, "\"photos/unprocessed threads=2 cache=none "
		                    "emulated=50 MB/s\"");
		free(text);
	}
	fixture_close(&fixture);
}

/* The same evidence by three ways gives the same recommendation. */
static void test_recommend_from_files_is_the_same(void **state)
{
	static const char *const names[] = { "report.csv", "report.json" };
	const struct request request = request_default();
	struct fixture fixture;
	struct error err = ERROR_INIT;
	char *want;

	UNUSED(state);
	open_demo(&fixture);
	want = recommend_fixture(&fixture, &request, FORMAT_CSV);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct session_data data = SESSION_DATA_INIT;
		struct grid report = GRID_INIT;
		char *path = test_path(fixture.dir, names[i]), *text;
		FILE *out = fopen(path, "w");

		assert_non_null(out);
		test_ok(results_read(
		            fixture.results, RESULTS_REPORT, 0, &report, &err),
		    &err);
		if (i == 0)
			csv_write(&report, out);
		else
			test_ok(report_print_json(fixture.results,
			            fixture.session, out, &err),
			    &err);
		fclose(out);
		test_ok(session_data_from_file(&data, path, 0, &err), &err);
		assert_int_equal(data.session, fixture.session);
		text = recommend(&data, &request, FORMAT_CSV);
		assert_string_equal(text, want);
		free(text);
		text = recommend(&data, &request, FORMAT_TEXT);
		test_contains(text, i ? "materialize conf/photos.conf --str"
		                      : "materialize PIPELINE.conf --str");
		free(text);
		session_data_release(&data);
		grid_release(&report);
		free(path);
	}
	free(want);
	fixture_close(&fixture);
}

/* Of two sessions, as an array, one is taken. */
static void test_recommend_from_json_of_several_sessions(void **state)
{
	static const int64_t wanted[] = { 0, 1, 2 };
	const struct request request = request_default();
	struct fixture fixture;
	struct error err = ERROR_INIT;
	FILE *out;
	char *path;

	UNUSED(state);
	open_demo(&fixture);
	fixture_session(&fixture, NULL);
	fixture_add(&fixture, &trials[2]);
	path = test_path(fixture.dir, "all.json");
	out = fopen(path, "w");
	assert_non_null(out);
	test_ok(report_print_json(fixture.results, 0, out, &err), &err);
	fclose(out);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		struct session_data data = SESSION_DATA_INIT;
		char *text;

		test_ok(
		    session_data_from_file(&data, path, wanted[i], &err), &err);
		text = recommend(&data, &request, FORMAT_TEXT);
		test_contains(text, wanted[i] == 1
		                        ? "recommended: resized/tar/none"
		                        : "recommended: unprocessed");
		free(text);
		session_data_release(&data);
	}
	free(path);
	fixture_close(&fixture);
}

static void test_recommend_refuses_what_is_no_report(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "a,b\n1,2\n", "column 'strategy' is missing" },
		{ "strategy,split,status,throughput_samples_per_s,prep_s,"
		  "storage_bytes\n",
		    "there are no trials" },
		{ "", "column 'strategy' is missing" },
		{ "{}", "no \"trials\"" },
		{ "[]", "no \"trials\"" },
		{ "[{ \"session\": 1, \"run\": 1 }]", "no \"trials\"" },
		{ "{ \"schema_version\": 2, \"trials\": [] }",
		    "its schema_version is 2, and this presto reads 1" },
		{ "schema_version,strategy\n1,raw\n2,raw\n",
		    "its schema_version is 2" },
	};
	char *dir = test_scratch(), *path = test_path(dir, "x");

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct session_data data = SESSION_DATA_INIT;
		struct error err = ERROR_INIT;

		test_write(dir, "x", cases[i].text);
		assert_int_equal(
		    session_data_from_file(&data, path, 0, &err), -1);
		test_contains(err.text, cases[i].error);
		test_contains(err.text, path);
		session_data_release(&data);
	}
	free(path);
	test_scratch_remove(dir);
}

static void test_recommend_warns(void **state)
{
	static const struct fixture_trial warm = { .label = "resized/tar/none",
		.cache = CACHE_SYSTEM,
		.prep_s = 15,
		.storage_bytes = 2e9, /* 20 GB in full, of 16 GB memory */
		.cold = { 100, 100 },
		.warm = { 1000, 1500 } };
	static const struct fixture_trial tepid = { .label = "raw/tar/none",
		.prep_s = 1,
		.storage_bytes = 1e8,
		.cold = { 100, 100 },
		.resident_percent = 40 };
	const struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &warm);
	fixture_add(&fixture, &tepid);
	text = recommend_fixture(&fixture, &request, FORMAT_MARKDOWN);
	test_contains(text, "has only 2 runs, too few");
	test_contains(text, "1 trial of cache none was not cold: up to 40 %");
	/* Cached it is the fastest, but with a tenth of the dataset only. */
	test_contains(text, "recommended: raw/tar/none");
	test_contains(text, "1 cached trial would not stay in memory with the "
	                    "full dataset and counts as not cached "
	                    "(resized/tar/none)");
	test_contains(text, "- assumes: a dataset larger than memory: ");
	test_contains(text, "does not fit in full");
	test_contains(text, "|---:|");
	free(text);
	fixture_close(&fixture);
}

/* Whether a row was cold matters where the full dataset will be read cold. */
static void test_recommend_warns_of_what_is_not_known_to_be_cold(void **state)
{
	static const struct fixture_trial remote = { .label = "raw/tar/none",
		.prep_s = 1,
		.storage_bytes = 1e8,
		.cold = { 100, 100 },
		.resident_percent = -1,
		.known_cold = "unknown" };
	static const struct fixture_trial kept = { .label = "raw/npy/none",
		.cache = CACHE_SYSTEM,
		.prep_s = 1,
		.storage_bytes = 1e6, /* 10 MB in full: they stay in memory */
		.cold = { 100, 100 },
		.warm = { 1000, 1000 } };
	const struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &remote);
	text = recommend_fixture(&fixture, &request, FORMAT_MARKDOWN);
	test_contains(text, "it is not known whether 1 trial of cache none was "
	                    "cold, such as raw/tar/none");
	free(text);
	fixture_add(&fixture, &kept);
	text = recommend_fixture(&fixture, &request, FORMAT_MARKDOWN);
	assert_null(strstr(text, "it is not known whether"));
	free(text);
	fixture_close(&fixture);
}

/* When nothing else was measured, it is recommended all the same. */
static void test_recommend_warns_of_a_wide_interval_and_of_memory(void **state)
{
	static const struct fixture_trial warm = { .label = "resized/tar/none",
		.cache = CACHE_SYSTEM,
		.prep_s = 15,
		.storage_bytes = 2e9, /* 20 GB in full, of 16 GB memory */
		.cold = { 80, 120 },
		.warm = { 1000, 1500 } };
	const struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &warm);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text, "is known to +/- 20 % only");
	test_contains(text,
	    "2 GB for the samples, 20 GB for the full dataset, more than the ");
	test_contains(text, "20 GB, more than the 16 GB of memory");
	test_contains(text,
	    "in full      100 samples/s (lowest to highest: 80 to 120), not "
	    "cached, as in its first epochs");
	free(text);
	fixture_close(&fixture);
}

/* By JSON, too; but not below a report, which has them already. */
static void test_recommend_passes_on_what_was_told(void **state)
{
	const struct request request = request_default();
	struct fixture fixture;
	struct session_data data = SESSION_DATA_INIT;
	struct error err = ERROR_INIT;
	char *text = NULL, *path;
	size_t len = 0;
	FILE *out;

	UNUSED(state);
	open_demo(&fixture);
	test_ok(results_add_warning(
	            fixture.results, fixture.session, "a busy machine", &err),
	    &err);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text, "  1 warning    presto "
	                    "recommend --db ");
	test_contains(text, "presto.db --warnings\n");
	assert_null(strstr(text, "a busy machine"));
	assert_null(strstr(text, "interrupted"));
	free(text);
	test_ok(results_end_session(
	            fixture.results, fixture.session, "interrupted", &err),
	    &err);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(
	    text, "  warning      the session was interrupted, and a");
	free(text);
	text = recommend_fixture(&fixture, &request, FORMAT_JSON);
	test_contains(text, "    \"a busy machine\"\n  ]");
	test_contains(text, "\"bottleneck\": \"storage\"");
	test_contains(text, "\"bottleneck_before\": \"cpu:decoded\"");
	test_contains(text, "\"fits_memory\": \"yes\"");
	test_contains(text, "\"bottleneck_before_evidence\": \"71 %\"");
	test_contains(text, "the bottleneck was cpu:decoded (71 %) and is sto");
	free(text);

	path = test_path(fixture.dir, "report.json");
	out = fopen(path, "w");
	assert_non_null(out);
	test_ok(report_print_json(fixture.results, fixture.session, out, &err),
	    &err);
	fclose(out);
	test_ok(session_data_from_file(&data, path, 0, &err), &err);
	text = recommend(&data, &request, FORMAT_TEXT);
	test_contains(text, "  1 warning    presto "
	                    "recommend --from ");
	free(text);
	text = recommend_page(&data, &request,
	    &(struct recommend_page){
	        .format = FORMAT_TEXT, .warnings = true });
	test_contains(text, "  warning      a busy machine\n");
	assert_null(strstr(text, "  1 warning "));
	test_contains(
	    text, "  warning      the session was interrupted, and a");
	free(text);

	out = open_memstream(&text, &len);
	test_ok(
	    recommend_print(fixture.results, fixture.session, out, &err), &err);
	fclose(out);
	assert_null(strstr(text, "busy"));
	free(text);
	session_data_release(&data);
	free(path);
	fixture_close(&fixture);
}

static void test_recommend_says_what_does_not_pay(void **state)
{
	static const struct fixture_trial all[] = {
		{ .label = "unprocessed", .cold = { 100, 100 } },
		/* 1000 s for 5 ms an epoch, and ten times as much of both. */
		{ .label = "raw/tar/none",
		    .prep_s = 1000,
		    .cold = { 100.05, 100.05 } },
	};
	struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	request.min_throughput = 100.01;
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		fixture_add(&fixture, &all[i]);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(text, "never in practice: 200 1");
	test_contains(text, " epochs, against unprocessed\n");
	free(text);
	fixture_close(&fixture);
}

static void test_recommend_ranking_as_asked(void **state)
{
	const struct request request = request_default();
	struct fixture fixture;
	struct session_data data = SESSION_DATA_INIT;
	struct ranking ranking = RANKING_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	open_demo(&fixture);
	test_ok(session_data_from_results(
	            &data, fixture.results, fixture.session, &err),
	    &err);
	test_ok(fixture_rank(&ranking, &data.trials, &request, &err), &err);
	for (uint64_t top = 0; top < 3; top++) {
		struct recommend_page page = {
			.format = FORMAT_CSV, .top = top, .pareto = true
		};
		struct grid rows = GRID_INIT;

		test_ok(recommend_grid(&ranking, &page, &rows, &err), &err);
		/* On the front: resized, centered/zstd, unprocessed. */
		assert_int_equal(rows.row_count, top ? top : 3);
		grid_release(&rows);
	}
	ranking_release(&ranking);
	session_data_release(&data);
	fixture_close(&fixture);
}

/* A shell gives the command its words as they are. */
static void test_recommend_quotes_the_command(void **state)
{
	const struct request request = request_default();
	struct fixture fixture;
	struct session_data data = SESSION_DATA_INIT;
	struct error err = ERROR_INIT;
	char *text;

	UNUSED(state);
	open_demo(&fixture);
	test_ok(session_data_from_results(
	            &data, fixture.results, fixture.session, &err),
	    &err);
	free(data.pipeline);
	data.pipeline = strdup("my photo's $x.conf");
	text = recommend(&data, &request, FORMAT_TEXT);
	test_contains(
	    text, "presto materialize 'my photo'\\''s $x.conf' --strategy");
	free(text);
	session_data_release(&data);
	fixture_close(&fixture);
}

static void test_recommend_says_what_a_cache_takes(void **state)
{
	const struct fixture_trial cached = {
		.label = "unprocessed",
		.cache = CACHE_APPLICATION,
		.storage_bytes = 5e7,
		.cold = { 90, 90, 90, 90, 90 },
		.warm = { 9000, 9000, 9000, 9000, 9000 },
		.bottleneck = "cpu:random_crop",
		.cache_bytes = 2000000000, /* 20 GB in full, of 16 GB */
	};
	const struct request request = request_default();
	struct fixture fixture;
	char *text;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &cached);
	text = recommend_fixture(&fixture, &request, FORMAT_TEXT);
	test_contains(
	    text, "recommended: unprocessed, 2 threads, cache application\n");
	test_contains(text, "2 GB for the samples, 20 GB for the full dataset");
	test_contains(text, "the application cache of the full dataset would "
	                    "take 20 GB, more than the 16 GB of memory");
	free(text);
	text = recommend_fixture(&fixture, &request, FORMAT_JSON);
	test_contains(
	    text, "it keeps 2 GB in memory, 20 GB of the full dataset");
	free(text);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recommend_says_what_and_why),
		cmocka_unit_test(test_recommend_nothing_when_nothing_is_best),
		cmocka_unit_test(
		    test_recommend_prints_the_interval_that_it_has),
		cmocka_unit_test(test_recommend_says_why_nothing_is_left),
		cmocka_unit_test(
		    test_recommend_says_that_the_storage_was_emulated),
		cmocka_unit_test(
		    test_recommend_benchmarks_name_the_emulated_storage),
		cmocka_unit_test(test_recommend_from_files_is_the_same),
		cmocka_unit_test(test_recommend_from_json_of_several_sessions),
		cmocka_unit_test(test_recommend_refuses_what_is_no_report),
		cmocka_unit_test(test_recommend_warns),
		cmocka_unit_test(
		    test_recommend_warns_of_what_is_not_known_to_be_cold),
		cmocka_unit_test(
		    test_recommend_warns_of_a_wide_interval_and_of_memory),
		cmocka_unit_test(test_recommend_passes_on_what_was_told),
		cmocka_unit_test(test_recommend_says_what_does_not_pay),
		cmocka_unit_test(test_recommend_says_what_a_cache_takes),
		cmocka_unit_test(test_recommend_ranking_as_asked),
		cmocka_unit_test(test_recommend_quotes_the_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
