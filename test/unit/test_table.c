/* test_table.c - tables and sentences that fit a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/wrap.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "test/unit/test.h"

enum { RANK, STRATEGY, RATE, STORAGE, BOTTLENECK, NOTE, COLUMNS };

static const struct table_column columns[COLUMNS] = {
	[RANK] = { .importance = 0 },
	[STRATEGY] = { .importance = 0, .least = 12 },
	[RATE] = { .importance = 0 },
	[STORAGE] = { .importance = 2 },
	[BOTTLENECK] = { .importance = 1 },
	[NOTE] = { .importance = 3, .least = 10 },
};

static void make_table(struct grid *grid)
{
	static const char *const titles[COLUMNS] = { "rank", "strategy",
		"samples/s", "storage", "bottleneck", "note" };
	static const char *const rows[][COLUMNS] = {
		{ "1",
		    "d\xc3\xa9"
		    "cod\xc3\xa9/tfrecord/delta+zstd:1",
		    "13 470", "96.0 MB", "storage, 90 % of 1 345 MB/s",
		    "presto only, 2 outliers, does not fit in full" },
		{ "2", "raw/tar/none", "9 876", "1.23 GB",
		    "cpu:jpeg_decode, 71 %", NULL },
	};
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < COLUMNS; i++)
		test_ok(grid_add_column(grid, titles[i], &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		test_ok(grid_add_row(grid, &err), &err);
		for (size_t k = 0; k < COLUMNS; k++)
			if (rows[i][k])
				test_ok(
				    grid_set_text(grid, k, rows[i][k], &err),
				    &err);
	}
}

/* The table on a terminal of so many columns; the caller frees it. */
static char *table_of(size_t width, size_t indent)
{
	const struct table_page page = { .width = width,
		.columns = columns,
		.indent = indent,
		.all = "--csv" };
	struct grid grid = GRID_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	make_table(&grid);
	table_write_page(&grid, &page, out);
	fclose(out);
	grid_release(&grid);
	return text;
}

static void check_widths(const char *text, size_t width)
{
	char line[512];

	while (*text) {
		const size_t len = strcspn(text, "\n");

		assert_in_range(len, 0, sizeof(line) - 1);
		memcpy(line, text, len);
		line[len] = '\0';
		if (wrap_width(line) > width)
			fail_msg("%zu columns, not %zu: %s", wrap_width(line),
			    width, line);
		if (len && line[len - 1] == ' ')
			fail_msg("a space at the end: '%s'", line);
		text += len + (text[len] == '\n');
	}
}

/* The columns that stand at each width, and what is said of the others. */
static void test_table_leaves_out_what_matters_least(void **state)
{
	static const struct {
		size_t width;
		const char *text;
	} cases[] = {
		{ 40, "rank  strategy                 samples/s\n"
		      "   1  d\xc3\xa9"
		      "cod\xc3\xa9/tfrecord/delt...     13 470\n"
		      "   2  raw/tar/none                 9 876\n"
		      "not shown: storage, bottleneck, note;\n"
		      "cut: strategy; widen the terminal, or\n"
		      "see --csv\n" },
		{ 80, "rank  strategy                      samples/s  "
		      "bottleneck\n"
		      "   1  d\xc3\xa9"
		      "cod\xc3\xa9/tfrecord/delta+zstd:1     13 470  "
		      "storage, 90 % of 1 345 MB/s\n"
		      "   2  raw/tar/none                      9 876  "
		      "cpu:jpeg_decode, 71 %\n"
		      "not shown: storage, note; widen the terminal, or see "
		      "--csv\n" },
		{ 120, "rank  strategy                      samples/s  "
		       "storage  bottleneck                   note\n"
		       "   1  d\xc3\xa9"
		       "cod\xc3\xa9/tfrecord/delta+zstd:1     "
		       "13 470  96.0 MB  storage, 90 % of 1 345 MB/s  presto "
		       "only, 2 outliers, does...\n"
		       "   2  raw/tar/none                      9 876  "
		       "1.23 GB  cpu:jpeg_decode, 71 %\n"
		       "cut: note; widen the terminal, or see --csv\n" },
		{ 220, "rank  strategy                      samples/s  "
		       "storage  bottleneck                   note\n"
		       "   1  d\xc3\xa9"
		       "cod\xc3\xa9/tfrecord/delta+zstd:1     "
		       "13 470  96.0 MB  storage, 90 % of 1 345 MB/s  presto "
		       "only, 2 outliers, does not fit in full\n"
		       "   2  raw/tar/none                      9 876  "
		       "1.23 GB  cpu:jpeg_decode, 71 %\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = table_of(cases[i].width, 0);

		assert_string_equal(text, cases[i].text);
		check_widths(text, cases[i].width);
		free(text);
	}
}

static void test_table_off_a_terminal_has_all(void **state)
{
	char *all = table_of(0, 0), *wide = table_of(1000, 0);

	(void)state;
	assert_string_equal(all, wide);
	test_contains(all, "does not fit in full\n");
	free(all);
	free(wide);
}

static void test_table_fits_every_width(void **state)
{
	(void)state;
	for (size_t indent = 0; indent < 4; indent++)
		for (size_t width = 36; width < 200; width++) {
			char *text = table_of(width, indent);

			check_widths(text, width);
			test_contains(text, "rank  strategy");
			test_contains(text, "samples/s");
			free(text);
		}
}

static char *wrapped(const char *head, const char *sentence, size_t width)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	wrap_line(head, sentence, width, out);
	fclose(out);
	return text;
}

static void test_wrap_keeps_words_units_and_commands(void **state)
{
	static const struct {
		size_t width;
		const char *head, *sentence, *text;
	} cases[] = {
		{ 0, "  machine  ", "of 2 cores, and any length",
		    "  machine  of 2 cores, and any length\n" },
		{ 31, "  machine  ", "a processor, 25.3 GB of memory",
		    "  machine  a processor, 25.3 GB\n"
		    "           of memory\n" },
		/* A number and its unit stay together. */
		{ 36, "", "the storage gives as much as 1 345 MB/s here",
		    "the storage gives as much as\n"
		    "1 345 MB/s here\n" },
		/* An option and its value, too. */
		{ 32, "", "widen the terminal, or see --format csv",
		    "widen the terminal, or see\n"
		    "--format csv\n" },
		/* So does a word that is longer than the line. */
		{ 24, "", "see /a/path/that/has/more/columns.db or not",
		    "see\n"
		    "/a/path/that/has/more/columns.db\n"
		    "or not\n" },
		{ 24, "  next  ", "presto materialize a.conf --out DIR",
		    "  next  presto materialize a.conf --out DIR\n" },
		/* A character of two bytes takes one column. */
		{ 20, "",
		    "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 "
		    "\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6 12345678",
		    "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 "
		    "\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6 12345678\n" },
		{ 20, "", "", "\n" },
		{ 20, "", "not\ntwo lines", "not\\ntwo lines\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text =
		    wrapped(cases[i].head, cases[i].sentence, cases[i].width);

		assert_string_equal(text, cases[i].text);
		free(text);
	}
}

static void test_wrap_columns_stand_below_themselves(void **state)
{
	static const char help[] = "  -V, --version   print the version\n"
	                           "  --top N         rows of the ranking (1 "
	                           "to 100)\n"
	                           "no columns here, yet it is too long\n";
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	assert_non_null(out);
	wrap_columns(help, 38, out);
	wrap_columns(help, 0, out);
	fclose(out);
	assert_string_equal(text,
	    "  -V, --version   print the version\n"
	    "  --top N         rows of the ranking\n"
	    "                  (1 to 100)\n"
	    "no columns here, yet it is too long\n"
	    "  -V, --version   print the version\n"
	    "  --top N         rows of the ranking (1 to 100)\n"
	    "no columns here, yet it is too long\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_leaves_out_what_matters_least),
		cmocka_unit_test(test_table_off_a_terminal_has_all),
		cmocka_unit_test(test_table_fits_every_width),
		cmocka_unit_test(test_wrap_keeps_words_units_and_commands),
		cmocka_unit_test(test_wrap_columns_stand_below_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
