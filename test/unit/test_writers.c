/* test_writers.c - reading and writing tables: CSV, JSON, Markdown and text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/human.h"
#include "cmd/report/report.h"
#include "cmd/writers/csv.h"
#include "cmd/writers/json.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* What is printed to `out` is in *text when it is closed. */
static FILE *open_text(char **text)
{
	static size_t len;
	FILE *out = open_memstream(text, &len);

	assert_non_null(out);
	return out;
}

/* Columns name, n, rate, fine; rows of all kinds, and of nothing. */
static void make_grid(struct grid *grid)
{
	static const char *const columns[] = { "name", "n", "rate", "fine" };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		test_ok(grid_add_column(grid, columns[i], &err), &err);
	test_ok(grid_add_row(grid, &err), &err);
	test_ok(grid_set_text(grid, 0, "a \"b\", c\nd|e", &err), &err);
	grid_set_integer(grid, 1, -12);
	grid_set_real(grid, 2, 1234567.25);
	grid_set_flag(grid, 3, true);
	test_ok(grid_add_row(grid, &err), &err);
	test_ok(grid_add_row(grid, &err), &err);
	test_ok(grid_set_text(grid, 0, "f", &err), &err);
	grid_set_integer(grid, 1, INT64_C(9007199254740993));
	grid_set_real(grid, 2, 0.000012345678);
	grid_set_flag(grid, 3, false);
}

static void check_written(
    void (*write)(const struct grid *, FILE *), const char *want)
{
	struct grid grid = GRID_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	make_grid(&grid);
	write(&grid, out);
	fclose(out);
	assert_string_equal(text, want);
	free(text);
	grid_release(&grid);
}

static void test_writers_csv_quotes_as_rfc_4180(void **state)
{
	UNUSED(state);
	check_written(csv_write, "name,n,rate,fine\n"
	                         "\"a \"\"b\"\", c\nd|e\",-12,1234567,yes\n"
	                         ",,,\n"
	                         "f,9007199254740993,1.23457e-05,no\n");
}

/* One column, one row: the line of the row, to be freed. */
static char *csv_of(const char *text)
{
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	char *csv = NULL, *line;
	FILE *out = open_text(&csv);

	test_ok(grid_add_column(&grid, "x", &err), &err);
	test_ok(grid_add_row(&grid, &err), &err);
	test_ok(grid_set_text(&grid, 0, text, &err), &err);
	csv_write(&grid, out);
	fclose(out);
	grid_release(&grid);
	line = strdup(csv + strlen("x\n"));
	free(csv);
	assert_non_null(line);
	return line;
}

/* The apostrophe goes when it is read again. */
static void check_back(const char *line, const char *text)
{
	struct grid back = GRID_INIT;
	struct error err = ERROR_INIT;
	char csv[128];

	snprintf(csv, sizeof(csv), "x\n%s", line);
	test_ok(csv_read(&back, "x.csv", csv, &err), &err);
	assert_string_equal(grid_text(&back, 0, "x"), text);
	grid_release(&back);
}

static void test_writers_csv_cells_are_no_formulas(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{ "=1+1", "'=1+1\n" },
		{ "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0\n" },
		{ "-2+3", "'-2+3\n" },
		{ "@SUM(A1)", "'@SUM(A1)\n" },
		{ "=HYPERLINK(\"http://x\",\"y\")",
		    "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"\n" },
		{ "\t=1", "'\t=1\n" },
		{ "\n=1", "\"'\n=1\"\n" },
		{ "\xef\xbc\x9d"
		  "1",
		    "'\xef\xbc\x9d"
		    "1\n" },
		{ "'=1", "''=1\n" },
		{ "-", "'-\n" },
		/* Numbers are numbers, and other texts are none of this. */
		{ "-3.5", "-3.5\n" },
		{ "+12", "+12\n" },
		{ "-.5e-3", "-.5e-3\n" },
		{ "a=1", "a=1\n" },
		{ "'quoted'", "'quoted'\n" },
		{ " =1", " =1\n" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *line = csv_of(cases[i].text);

		assert_string_equal(line, cases[i].line);
		check_back(line, cases[i].text);
		free(line);
	}
}

/* What a terminal would obey is shown, and a carriage return, too. */
static void test_writers_csv_shows_control_characters(void **state)
{
	char *line = csv_of("a\r\x1b[2J\xe2\x80\xae\xff");

	UNUSED(state);
	assert_string_equal(line, "a\\r\\x1b[2J\\u202e\\xff\n");
	free(line);
	/* As it is shown it is no formula, and is read back like this. */
	line = csv_of("\r=1");
	assert_string_equal(line, "\\r=1\n");
	free(line);
}

static void test_writers_table_is_aligned(void **state)
{
	static const char *const rows[][3] = { { "1", "raw/tar", "12 MB" },
		{ "10", "r\xc3\xa4w", NULL }, { NULL, "x", "1.50 GB" } };
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	test_ok(grid_add_column(&grid, "rank", &err), &err);
	test_ok(grid_add_column(&grid, "empty", &err), &err);
	test_ok(grid_add_column(&grid, "strategy", &err), &err);
	test_ok(grid_add_column(&grid, "storage", &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		test_ok(grid_add_row(&grid, &err), &err);
		for (size_t k = 0; k < 3; k++)
			if (rows[i][k])
				test_ok(grid_set_text(&grid, k ? k + 1 : 0,
				            rows[i][k], &err),
				    &err);
	}
	table_write(&grid, out);
	fclose(out);
	assert_string_equal(text, "rank  strategy  storage\n"
	                          "   1  raw/tar     12 MB\n"
	                          "  10  r\xc3\xa4w\n"
	                          "      x         1.50 GB\n");
	free(text);
	grid_release(&grid);
}

/* Columns stay aligned, and a cell is one line. */
static void test_writers_table_shows_control_characters(void **state)
{
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	test_ok(grid_add_column(&grid, "name", &err), &err);
	test_ok(grid_add_column(&grid, "n", &err), &err);
	test_ok(grid_add_row(&grid, &err), &err);
	test_ok(grid_set_text(&grid, 0, "a\x1b[1m\nb\xe2\x80\xae", &err), &err);
	grid_set_integer(&grid, 1, 1);
	table_write(&grid, out);
	fclose(out);
	assert_string_equal(text, "name               n\n"
	                          "a\\x1b[1m\\nb\\u202e  1\n");
	free(text);
	grid_release(&grid);
}

static void test_writers_markdown_makes_no_markup(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "a|b `c` <d> &lt;", "a\\|b \\`c\\` \\<d\\> \\&lt;" },
		{ "[x](http://y)", "\\[x\\](http\\://y)" },
		{ "see www.x.org, a: b", "see www\\.x.org, a: b" },
		{ "~~x~~ **y** _z_", "\\~\\~x\\~\\~ \\*\\*y\\*\\* \\_z\\_" },
		{ "a\n\n# b\x1b", "a\\\\n\\\\n# b\\\\x1b" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = NULL;
		FILE *out = open_text(&text);

		markdown_write_text(cases[i].text, out);
		fclose(out);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

static void test_writers_markdown_escapes(void **state)
{
	UNUSED(state);
	check_written(markdown_write,
	    "| name | n | rate | fine |\n"
	    "|---|---:|---:|---|\n"
	    "| a \"b\", c\\\\nd\\|e | -12 | 1234567 | yes |\n"
	    "|  |  |  |  |\n"
	    "| f | 9007199254740993 | 1.23457e-05 | no |\n");
}

/* ---- reading ---- */

static void test_writers_csv_comes_back(void **state)
{
	struct grid grid = GRID_INIT, back = GRID_INIT;
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	make_grid(&grid);
	csv_write(&grid, out);
	fclose(out);
	test_ok(csv_read(&back, "x.csv", text, &err), &err);
	assert_int_equal(back.row_count, 3);
	assert_string_equal(
	    grid_text(&back, 0, "name"), grid_text(&grid, 0, "name"));
	assert_true(grid_number(&back, 0, "n") <= -12);
	assert_true(isnan(grid_number(&back, 1, "n")));
	assert_true(isnan(grid_number(&back, 0, "no such column")));
	assert_string_equal(grid_text(&back, 1, "name"), "");
	free(text);
	grid_release(&grid);
	grid_release(&back);
}

static void test_writers_csv_read(void **state)
{
	static const struct {
		const char *text;
		size_t rows;
		const char *error; /* or NULL */
	} cases[] = {
		{ "a,b\n1,2\n", 1, NULL },
		{ "\xef\xbb\xbf"
		  "a,b\r\n1,2\r\n\r\n3,4",
		    2, NULL },
		{ "a,b\n\"1\n2\",\"\"\n", 1, NULL },
		{ "a,b\n,\n", 1, NULL },
		{ "a,b\n", 0, NULL },
		{ "a,b\n1\n", 0, "x.csv:2: 1 fields where the header has 2" },
		{ "a,b\n1,2\n\"3\n\",4,5\n", 0,
		    "x.csv:3: 3 fields where the header has 2" },
		{ "a,b\n1,\"2\n", 0,
		    "x.csv:2: the quotation mark is never closed" },
		{ "a,b\n\"1\"x,2\n", 0,
		    "x.csv:2: text behind a closing quotation mark" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct grid grid = GRID_INIT;
		struct error err = ERROR_INIT;
		const int rc = csv_read(&grid, "x.csv", cases[i].text, &err);

		if (cases[i].error) {
			test_error_is(rc, &err, cases[i].error);
		} else {
			test_ok(rc, &err);
			assert_string_equal(grid.columns[0], "a");
			assert_int_equal(grid.row_count, cases[i].rows);
		}
		grid_release(&grid);
	}
}

static void test_writers_json_read_says_where(void **state)
{
	static const struct {
		const char *text;
		const char *part;
	} cases[] = {
		{ "{\n \"trials\": [,]\n}", "x.json:2:" },
		{ "{\"trials\": 1}", "no \"trials\"" },
		{ "[{\"trials\": 1}]", "no \"trials\"" },
		{ "", "x.json:1:" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct grid trials = GRID_INIT, session = GRID_INIT;
		struct grid warnings = GRID_INIT;
		const struct json_report report = { &trials, &session,
			&warnings, 0 };
		struct error err = ERROR_INIT;

		assert_int_equal(
		    json_read_report(&report, "x.json", cases[i].text, &err),
		    -1);
		test_contains(err.text, cases[i].part);
		grid_release(&trials);
		grid_release(&session);
		grid_release(&warnings);
	}
}

static void test_writers_json_numbers_and_texts(void **state)
{
	struct json_doc doc = json_doc_object();
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	json_add_number(&doc, doc.root, "whole", 3);
	json_add_number(&doc, doc.root, "real", 0.1);
	json_add_number(&doc, doc.root, "unknown", NAN);
	json_add_uint(&doc, doc.root, "seed", UINT64_MAX);
	json_add_text(&doc, doc.root, "latin", "r\xe4w");
	json_add_text(&doc, doc.root, "k\xff", "\x1b\xe2\x80\xae\xc2\x9b\x7f");
	json_add_text(&doc, doc.root, "tag", "\xf3\xa0\x81\x81");
	json_add_flag(&doc, doc.root, "flag", true);
	json_add_text(&doc, json_add_array(&doc, doc.root, "list"), NULL, "x");
	test_ok(json_doc_write(&doc, out, &err), &err);
	fclose(out);
	assert_string_equal(text,
	    "{\n  \"whole\": 3,\n  \"real\": 0.1,\n  \"unknown\": null,\n"
	    "  \"seed\": \"18446744073709551615\",\n"
	    "  \"latin\": \"r\\\\xe4w\",\n"
	    "  \"k\\\\xff\": \"\\u001B\\u202E\\u009B\\u007F\",\n"
	    "  \"tag\": \"\\uDB40\\uDC41\",\n  \"flag\": true,\n"
	    "  \"list\": [\n    \"x\"\n  ]\n}\n");
	free(text);
	json_doc_release(&doc);
}

/* ---- reports ---- */

static void add_trials(struct fixture *fixture)
{
	fixture_add(fixture, &(struct fixture_trial){ .label = "unprocessed",
	                         .storage_bytes = 1e8,
	                         .cold = { 100, 104, 90 },
	                         .predicted = 120,
	                         .bottleneck = "cpu:decoded" });
	fixture_add(
	    fixture, &(struct fixture_trial){ .label = "resized/tar/none",
	                 .cache = CACHE_SYSTEM,
	                 .prep_s = 14,
	                 .storage_bytes = 3e8,
	                 .cold = { 400, 500, 1000 },
	                 .warm = { 7000, 7000, 7000 },
	                 .predicted = 3500 });
	fixture_add(fixture, &(struct fixture_trial){ .label = "raw/npy/none",
	                         .state = TRIAL_FAILED,
	                         .message = "raw: shapes differ" });
}

static void test_writers_report_json_carries_everything(void **state)
{
	static const char *const parts[] = { "\"repetitions\": [",
		"\"steps\": [", "\"bytes_fetched\"",
		"\"libraries\": \"zstd 1.5.4\"", "\"cpu\": \"A CPU\"",
		"jpeg_decode", "\"storage\": {" };
	struct fixture fixture;
	struct grid trials = GRID_INIT, session = GRID_INIT, rows = GRID_INIT;
	struct grid warnings = GRID_INIT;
	const struct json_report report = { &trials, &session, &warnings, 0 };
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	fixture_open(&fixture);
	add_trials(&fixture);
	test_ok(results_add_warning(fixture.results, fixture.session,
	            "a \"noisy\" machine", &err),
	    &err);
	test_ok(report_print_json(fixture.results, fixture.session, out, &err),
	    &err);
	fclose(out);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		test_contains(text, parts[i]);
	test_ok(json_read_report(&report, "x.json", text, &err), &err);
	assert_int_equal(warnings.row_count, 1);
	assert_string_equal(
	    grid_text(&warnings, 0, "text"), "a \"noisy\" machine");
	assert_string_equal(grid_text(&session, 0, "text"), fixture_text);
	assert_string_equal(grid_text(&session, 0, "kernel"), "Linux 6.1");
	test_ok(results_read(fixture.results, RESULTS_TRIALS, 0, &rows, &err),
	    &err);
	assert_int_equal(trials.row_count, rows.row_count);
	for (size_t row = 0; row < rows.row_count; row++)
		for (size_t i = 0; i < rows.column_count; i++) {
			char a[VALUE_TEXT_SIZE], b[VALUE_TEXT_SIZE];
			const int at = grid_column(&trials, rows.columns[i]);

			assert_true(at >= 0);
			assert_string_equal(
			    value_print(grid_value(&rows, row, i), a),
			    value_print(
			        grid_value(&trials, row, (size_t)at), b));
		}
	free(text);
	grid_release(&trials);
	grid_release(&session);
	grid_release(&warnings);
	grid_release(&rows);
	fixture_close(&fixture);
}

static void test_writers_report_for_people(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	fixture_open(&fixture);
	add_trials(&fixture);
	test_ok(
	    report_print(fixture.results, fixture.session, out, &err), &err);
	fclose(out);
	test_contains(text, "photos, session 1, ");
	test_contains(text, "1 000 of 2 000 samples, extrapolated to 10 000");
	test_contains(text, "A CPU, 4 cores, 16 GB of memory");
	test_contains(text, "\n  load     2 threads\n"); /* all of them */
	test_contains(text,
	    "\n  forecast samples/s within 35 % in the median of 2 trials\n"
	    "  forecast the reason is not known");
	test_contains(
	    text, "\n   1  resized/tar/none  system      7 000  0.0 %");
	test_contains(
	    text, "\n      unprocessed       none          100  7.0 %");
	test_contains(
	    text, "failed, cache none: raw/npy/none: raw: shapes differ\n");
	free(text);
	fixture_close(&fixture);
}

static void test_writers_report_says_how_far_to_trust_it(void **state)
{
	static const struct fixture_trial trials[] = {
		{ .label = "unprocessed",
		    .cold = { 100 },
		    .bottleneck = "cpu:jpeg_decode",
		    .evidence = "71 %" },
		/* Saves 1 ms an epoch. */
		{ .label = "centered/tar/none",
		    .prep_s = 1000,
		    .storage_bytes = 2e9,
		    .cold = { 100.01 } },
		/* 20 GB in full, of 16 GB of memory. */
		{ .label = "resized/tar/none",
		    .cache = CACHE_SYSTEM,
		    .storage_bytes = 2e9,
		    .cold = { 90, 90, 90, 90, 90 },
		    .warm = { 7000, 7001, 7002, 7003, 9000 },
		    .bottleneck = "storage",
		    .evidence = "reading alone takes 93 % of the time" },
	};
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT, table = GRID_INIT;
	char *text = NULL;
	FILE *out = open_text(&text);

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	test_ok(results_add_warning(fixture.results, fixture.session,
	            "another program used 0.9 cores", &err),
	    &err);
	test_ok(results_read(fixture.results, RESULTS_REPORT, 0, &grid, &err),
	    &err);
	test_ok(human_table(HUMAN_TRIALS, &grid, 0, &table, &err), &err);
	assert_string_equal(
	    grid_text(&table, 2, "note"), "does not fit in full, 1 outlier");
	assert_string_equal(grid_text(&table, 2, "bottleneck"), "storage");
	assert_string_equal(grid_text(&table, 2, "+/-"), "14 %");
	assert_string_equal(
	    grid_text(&table, 0, "bottleneck"), "cpu:jpeg_decode, 71 %");
	assert_string_equal(grid_text(&table, 1, "+/-"), "");
	assert_string_equal(grid_text(&table, 1, "note"), "");
	assert_string_equal(grid_text(&table, 1, "pays after"), "never");
	test_ok(
	    report_print(fixture.results, fixture.session, out, &err), &err);
	fclose(out);
	assert_null(strstr(text, "another program")); /* told just before */
	free(text);
	grid_release(&table);
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_writers_human_runs_and_steps(void **state)
{
	static const enum results_view views[] = { RESULTS_RUNS,
		RESULTS_STEPS };
	static const enum human_table tables[] = { HUMAN_RUNS, HUMAN_STEPS };
	static const size_t rows[] = { 9, 4 };
	struct fixture fixture;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	add_trials(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(views); i++) {
		struct grid raw = GRID_INIT, table = GRID_INIT;

		test_ok(results_read(fixture.results, views[i], fixture.session,
		            &raw, &err),
		    &err);
		test_ok(
		    human_table(tables[i], &raw, fixture.session, &table, &err),
		    &err);
		assert_int_equal(table.row_count, rows[i]);
		assert_string_equal(
		    grid_text(&table, 0, "strategy"), "unprocessed");
		grid_release(&table);
		grid_release(&raw);
	}
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writers_csv_quotes_as_rfc_4180),
		cmocka_unit_test(test_writers_csv_cells_are_no_formulas),
		cmocka_unit_test(test_writers_csv_shows_control_characters),
		cmocka_unit_test(test_writers_table_is_aligned),
		cmocka_unit_test(test_writers_table_shows_control_characters),
		cmocka_unit_test(test_writers_markdown_makes_no_markup),
		cmocka_unit_test(test_writers_markdown_escapes),
		cmocka_unit_test(test_writers_csv_comes_back),
		cmocka_unit_test(test_writers_csv_read),
		cmocka_unit_test(test_writers_json_read_says_where),
		cmocka_unit_test(test_writers_json_numbers_and_texts),
		cmocka_unit_test(test_writers_report_json_carries_everything),
		cmocka_unit_test(test_writers_report_for_people),
		cmocka_unit_test(test_writers_report_says_how_far_to_trust_it),
		cmocka_unit_test(test_writers_human_runs_and_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
