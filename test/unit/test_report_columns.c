/*
 * test_report_columns.c - valid figures of a report in CSV and JSON, and errors
 * for invalid ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/read.h"
#include "cmd/report/report.h"
#include "cmd/writers/csv.h"
#include "cmd/writers/json.h"
#include "cmd/writers/report_columns.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static const char header[] = "strategy,split,status,threads,cache,"
                             "throughput_samples_per_s,prep_s,storage_bytes";

static int read_text(const char *path, const char *text, struct error *err)
{
	struct grid trials = GRID_INIT, session = GRID_INIT;
	struct grid warnings = GRID_INIT;
	const struct json_report report = {
		.trials = &trials, .session = &session, .warnings = &warnings
	};
	struct buf buf = BUF_INIT;
	int rc;

	assert_false(buf_append(&buf, text, strlen(text), err));
	rc = report_read(&report, path, &buf, err);
	buf_release(&buf);
	grid_release(&trials);
	grid_release(&session);
	grid_release(&warnings);
	return rc;
}

static void check(const char *path, const char *text, const char *message)
{
	struct error err = ERROR_INIT;
	const int rc = read_text(path, text, &err);

	if (!message && rc)
		fail_msg("'%s': %s", text, err.text);
	if (message && rc == 0)
		fail_msg("'%s' was read, not: %s", text, message);
	if (message && strcmp(err.text, message) != 0)
		fail_msg("'%s': %s\n  not: %s", text, err.text, message);
}

static void test_report_columns_are_named_with_row_and_file(void **state)
{
	static const struct {
		const char *row, *message; /* NULL: it is read */
	} cases[] = {
		{ "raw/tar/none,raw,done,2,none,100.5,3,1000", NULL },
		{ "raw/tar/none,raw,failed,2,none,,,", NULL },
		{ "raw/tar/none,raw,done,2,none,100,-3,1000",
		    "row 3, column prep_s: must be a number from 0 on, got "
		    "'-3'" },
		{ "raw/tar/none,raw,done,2,none,100,soon,1000",
		    "row 3, column prep_s: must be a number from 0 on, got "
		    "'soon'" },
		{ "raw/tar/none,raw,done,2,none,nan,3,1000",
		    "row 3, column throughput_samples_per_s: must be a number "
		    "from 0 on, got 'nan'" },
		{ "raw/tar/none,raw,done,2,none,1e400,3,1000",
		    "row 3, column throughput_samples_per_s: must be a number "
		    "from 0 on, got '1e400'" },
		{ "raw/tar/none,raw,done,-3,none,100,3,1000",
		    "row 3, column threads: must be a whole number from 1 on, "
		    "got '-3'" },
		{ "raw/tar/none,raw,done,1.5,none,100,3,1000",
		    "row 3, column threads: must be a whole number from 1 on, "
		    "got '1.5'" },
		{ "raw/tar/none,raw,done,two,none,100,3,1000",
		    "row 3, column threads: must be a whole number from 1 on, "
		    "got 'two'" },
		{ "raw/tar/none,raw,done,2,warm,100,3,1000",
		    "row 3, column cache: must be none, system, application "
		    "or disk, got 'warm'" },
		{ "raw/tar/none,raw,good,2,none,100,3,1000",
		    "row 3, column status: must be done, failed or skipped, "
		    "got 'good'" },
		{ ",raw,done,2,none,100,3,1000",
		    "row 3, column strategy: must not be empty" },
		{ "unprocessed,unprocessed,done,2,none,90,0,9",
		    "row 3, column strategy: is the same trial as row 2: "
		    "leave one out" },
	};
	char text[512], message[256];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		/* As spreadsheets of Windows save it. */
		snprintf(text, sizeof(text),
		    "\xef\xbb\xbf%s\r\n"
		    "unprocessed,unprocessed,done,2,none,90,0,9\r\n%s\r\n",
		    header, cases[i].row);
		snprintf(message, sizeof(message), "a.csv: %s",
		    cases[i].message ? cases[i].message : "");
		check("a.csv", text, cases[i].message ? message : NULL);
	}
}

static void test_report_columns_of_json_are_named_by_trial(void **state)
{
	static const struct {
		const char *member, *message;
	} cases[] = {
		{ "\"prep_s\":3", NULL },
		{ "\"prep_s\":null", NULL },
		{ "\"prep_s\":3,\"new\":[1]", NULL },
		{ "\"prep_s\":-3",
		    ", prep_s: must be a number from 0 on, got '-3'" },
		{ "\"prep_s\":\"soon\"",
		    ", prep_s: must be a number from 0 on, got 'soon'" },
		{ "\"prep_s\":true",
		    ", prep_s: must be a number from 0 on, got 'yes'" },
		{ "\"prep_s\":[3]",
		    ", prep_s must not be a list or an object" },
		{ "\"prep_s\":3,\"cache\":1", ", cache: must be none, system, "
		                              "application or disk, got '1'" },
	};
	char text[512], message[256];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(text, sizeof(text),
		    "{\"trials\":[{\"strategy\":\"a/tar/none\",\"split\":\"a\","
		    "\"status\":\"done\",\"throughput_samples_per_s\":1,"
		    "\"storage_bytes\":2,%s}]}",
		    cases[i].member);
		snprintf(message, sizeof(message), "a.json: trials[0]%s",
		    cases[i].message ? cases[i].message : "");
		check("a.json", text, cases[i].message ? message : NULL);
	}
	check("a.json", "{\"trials\":[7]}",
	    "a.json: trials[0] must be an object");
}

static void test_report_columns_refuse_what_is_no_table(void **state)
{
	struct error err = ERROR_INIT;
	char text[512];

	UNUSED(state);
	snprintf(text, sizeof(text), "%s,prep_s\nr,raw,done,1,none,1,1,1,1\n",
	    header);
	check(
	    "a.csv", text, "a.csv: column prep_s occurs twice: leave one out");
	snprintf(text, sizeof(text), "%s\nr,raw,done\n", header);
	check("a.csv", text, "a.csv:2: 3 fields where the header has 8");
	snprintf(text, sizeof(text),
	    "%s,throughput_low_samples_per_s\nr,raw,done,1,none,1,1,1,2\n",
	    header);
	check("a.csv", text,
	    "a.csv: row 2, column throughput_low_samples_per_s: must be at "
	    "most throughput_samples_per_s, which is 1");
	check("a.csv", "strategy,split\nr,raw\n",
	    "a.csv: column 'status' is missing; the file must come from "
	    "'presto report "
	    "--csv' or --json");
	assert_int_not_equal(read_text("a.csv", "", &err), 0);
}

/* Minutes pass where each trial is compared with all before it. */
static void test_report_columns_take_as_many_trials_as_are_ranked(void **state)
{
	const size_t size = 64 * (size_t)(REPORT_TRIALS + 2);
	char *text = malloc(size);
	struct error err = ERROR_INIT;
	size_t len;

	UNUSED(state);
	assert_non_null(text);
	len = (size_t)snprintf(text, size, "%s\n", header);
	for (unsigned i = 0; i < REPORT_TRIALS; i++)
		len += (size_t)snprintf(text + len, size - len,
		    "raw/tar/zstd:%u,raw,done,1,none,1,1,1\n", i);
	test_ok(read_text("a.csv", text, &err), &err);
	snprintf(text + len, size - len, "r/tar,r,done,1,none,1,1,1\n");
	assert_int_not_equal(read_text("a.csv", text, &err), 0);
	assert_string_equal(err.text,
	    "a.csv: has 10001 trials, more than 10000: leave out trials that "
	    "you would not choose");
	free(text);
}

/* The table is of the very columns that a report has. */
static void test_report_columns_know_all_that_a_report_has(void **state)
{
	static const struct fixture_trial trial = { .label = "unprocessed",
		.storage_bytes = 5e7,
		.cold = { 100, 100, 100, 100, 100 } };
	struct error err = ERROR_INIT;
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &trial);
	test_ok(results_read(fixture.results, RESULTS_TRIALS, fixture.session,
	            &grid, &err),
	    &err);
	for (size_t i = 0; i < grid.column_count; i++)
		if (!report_column_is_known(grid.columns[i]))
			fail_msg(
			    "column %s is not in the table", grid.columns[i]);
	grid_release(&grid);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_report_columns_are_named_with_row_and_file),
		cmocka_unit_test(
		    test_report_columns_of_json_are_named_by_trial),
		cmocka_unit_test(test_report_columns_refuse_what_is_no_table),
		cmocka_unit_test(
		    test_report_columns_take_as_many_trials_as_are_ranked),
		cmocka_unit_test(
		    test_report_columns_know_all_that_a_report_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
