/* test_plan_file.c - plans: read, printed, sealed, and compared with data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/folder/inventory.h"
#include "lib/sample/reader.h"
#include "lib/syntax/ini_options.h"
#include "strategies/planfile/plan_file.h"
#include "test/unit/test.h"

#define PIPELINE_PART                                  \
	"[dataset]\nsource = folder\npath = photos\n"  \
	"[pipeline]\ndecoded = jpeg_decode\n"          \
	"[strategies]\nsplit = decoded\nstore = tar\n" \
	"codec = zstd:1\n[load]\nthreads = 2\ncache = none\n"

static const char small[] =
    "[plan]\nstrategy = decoded/tar/zstd:1\n" PIPELINE_PART;

struct read {
	struct plan_file plan;
	struct ini ini;
};

static int read_text(struct read *read, const char *text, struct error *err)
{
	*read = (struct read){ .plan = plan_file_none() };
	test_ok(
	    ini_parse_text(&read->ini, "dir/it.plan", text, strlen(text), err),
	    err);
	assert_true(plan_file_is(&read->ini));
	return plan_file_take(&read->plan, &read->ini, err);
}

static void release(struct read *read)
{
	plan_file_release(&read->plan);
	ini_release(&read->ini);
}

static const char *value(
    const struct ini *ini, const char *section, const char *key)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, section), key);

	return entry ? entry->value : "";
}

/* ---- labels ---- */

static void test_plan_file_takes_labels_apart(void **state)
{
	static const struct {
		const char *label;
		struct plan_label parts;
	} cases[] = {
		{ "unprocessed", { .split = "unprocessed" } },
		{ "raw/tar/none",
		    { .split = "raw", .store = "tar", .codec = "none" } },
		{ "greyed/npy/shuffle+zstd:1",
		    { .split = "greyed",
		        .store = "npy",
		        .codec = "shuffle+zstd:1" } },
		{ "o3:greyed/npy/zstd:1", { .order = "o3",
		                              .split = "greyed",
		                              .store = "npy",
		                              .codec = "zstd:1" } },
	};
	static const char *const wrong[] = { "", "yours", "raw/tar",
		"/tar/none", "raw//none", "raw/tar/", ":raw/tar/none",
		"o3:unprocessed/" };
	struct plan_label parts;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_true(plan_label_read(&parts, cases[i].label));
		assert_string_equal(parts.order, cases[i].parts.order);
		assert_string_equal(parts.split, cases[i].parts.split);
		assert_string_equal(parts.store, cases[i].parts.store);
		assert_string_equal(parts.codec, cases[i].parts.codec);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (plan_label_read(&parts, wrong[i]))
			fail_msg("'%s' is a label", wrong[i]);
}

/* ---- reading ---- */

static void test_plan_file_leaves_a_pipeline_file_with_its_lines(void **state)
{
	struct error err = ERROR_INIT;
	struct read read;
	const struct ini_entry *entry;

	UNUSED(state);
	test_ok(read_text(&read, small, &err), &err);
	assert_string_equal(read.plan.strategy, "decoded/tar/zstd:1");
	assert_int_equal(read.plan.threads, 2);
	assert_null(ini_section(&read.ini, "plan"));
	assert_string_equal(
	    value(&read.ini, "pipeline", "decoded"), "jpeg_decode");
	entry = ini_entry(ini_section(&read.ini, "pipeline"), "decoded");
	assert_int_equal(entry->line, 7);
	assert_string_equal(read.ini.path, "dir/it.plan");
	assert_string_equal(read.ini.folder, "dir");
	assert_true(isnan(read.plan.expected.throughput));
	release(&read);
}

static void test_plan_file_finds_paths_from_its_folders(void **state)
{
	static const char text[] =
	    "[plan]\nstrategy = decoded/tar/zstd:1\nfolder = "
	    "../here\n" PIPELINE_PART "[folders]\ndataset.path = /elsewhere\n";
	struct error err = ERROR_INIT;
	struct read read;
	char *path;

	UNUSED(state);
	test_ok(read_text(&read, text, &err), &err);
	assert_string_equal(read.ini.folder, "dir/../here");
	path = ini_resolve(&read.ini,
	    ini_entry(ini_section(&read.ini, "dataset"), "path"), "photos",
	    &err);
	assert_string_equal(path, "/elsewhere/photos");
	free(path);
	release(&read);
}

static void test_plan_file_names_mistakes_by_their_line(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "[plan]\n[load]\n",
		    "dir/it.plan:1: [plan] has no strategy: presto recommend "
		    "--plan writes plans" },
		{ "[plan]\nstrategy = raw\n",
		    "dir/it.plan:1: 'raw' is no strategy such as "
		    "resized/tar/none" },
		{ "[plan]\nstrategy = raw/tar/none\n[strategies]\nsplit = "
		  "all\n",
		    "dir/it.plan:1: strategy = raw/tar/none, but [strategies] "
		    "has split = all, store =  and codec = : write both "
		    "alike" },
		{ "[plan]\nstrategy = unprocessed\nstrateg = x\n",
		    "dir/it.plan:3: unknown key 'strateg'; did you mean "
		    "'strategy'?" },
		{ "[plan]\nstrategy = unprocessed\n[runner-up 1]\ncache = "
		  "none\n",
		    "dir/it.plan:3: [runner-up 1] has no strategy such as "
		    "resized/tar/none" },
		{ "[plan]\nstrategy = unprocessed\n[folders]\na.b = c\n",
		    "dir/it.plan:4: there is no key 'a.b' in this plan" },
		{ "[plan]\nstrategy = unprocessed\nversion = 2\n", NULL },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct read read;
		const int rc = read_text(&read, cases[i].text, &err);

		if (cases[i].error)
			test_error_is(rc, &err, cases[i].error);
		else
			test_contains(err.text, "is newer than presto");
		assert_int_equal(err.code, ERROR_USAGE);
		release(&read);
	}
}

/* ---- printing ---- */

static struct plan_file made(void)
{
	struct plan_file plan = plan_file_none();

	plan.presto = "1.2.3";
	plan.pipeline = "photos #2";
	plan.folder = "a ;b";
	plan.strategy = "decoded/tar/zstd:1";
	plan.session = 7;
	plan.expected.throughput = 4123.4;
	plan.expected.throughput_low = 12.25;
	plan.rivals[0] = (struct plan_rival){ .strategy = "raw/tar/none",
		.cache = "application:decoded",
		.threads = 3,
		.fetchers = 8,
		.expected = plan.rivals[0].expected };
	plan.rivals[0].expected.storage_bytes = 12345678;
	plan.rival_count = 1;
	plan.fingerprint.samples = 60;
	plan.fingerprint.names = "0011223344556677";
	return plan;
}

static void print(struct buf *text, const char *pipeline_text)
{
	struct plan_file plan = made();
	struct ini pipeline = INI_INIT;
	struct error err = ERROR_INIT;
	char code[] = "own: my #1.py 00ff, python 3.11\n";

	plan.code = code;
	test_ok(ini_parse_text(&pipeline, "p.conf", pipeline_text,
	            strlen(pipeline_text), &err),
	    &err);
	test_ok(plan_file_print(&plan, &pipeline, text, &err), &err);
	ini_release(&pipeline);
}

static void test_plan_file_reads_what_it_printed(void **state)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct read read;

	UNUSED(state);
	print(&text, PIPELINE_PART);
	test_contains((const char *)text.data, "\nsplit = decoded\n");
	test_contains((const char *)text.data, "\nstore = tar\n");
	test_contains((const char *)text.data, "\ncodec = zstd:1\n");
	test_ok(read_text(&read, (const char *)text.data, &err), &err);
	assert_false(read.plan.is_edited);
	assert_int_equal(read.plan.session, 7);
	assert_string_equal(read.plan.presto, "1.2.3");
	assert_string_equal(read.plan.pipeline, "photos #2");
	assert_string_equal(read.plan.folder, "a ;b");
	assert_string_equal(
	    read.plan.code, "own: my #1.py 00ff, python 3.11\n");
	assert_true(read.plan.expected.throughput == 4123);
	assert_true(read.plan.expected.throughput_low == 12.25);
	assert_true(isnan(read.plan.expected.throughput_high));
	assert_int_equal(read.plan.rival_count, 1);
	assert_string_equal(read.plan.rivals[0].strategy, "raw/tar/none");
	assert_string_equal(read.plan.rivals[0].cache, "application:decoded");
	assert_int_equal(read.plan.rivals[0].threads, 3);
	assert_int_equal(read.plan.rivals[0].fetchers, 8);
	assert_true(read.plan.rivals[0].expected.storage_bytes == 12345678);
	assert_int_equal(read.plan.fingerprint.samples, 60);
	assert_string_equal(value(&read.ini, "dataset", "path"), "photos");
	release(&read);
	buf_release(&text);
}

/* Replaces the first `from` by `to`, as an editor would. */
static char *edited(const struct buf *text, const char *from, const char *to)
{
	const char *all = (const char *)text->data, *at = strstr(all, from);
	struct error err = ERROR_INIT;
	struct buf copy = BUF_INIT;

	assert_non_null(at);
	test_ok(buf_printf(&copy, &err, "%.*s%s%s", (int)(at - all), all, to,
	            at + strlen(from)),
	    &err);
	return (char *)copy.data;
}

static void test_plan_file_tells_an_edited_plan(void **state)
{
	static const struct {
		const char *from, *to;
		bool is_edited;
	} cases[] = {
		{ "throughput = 4123", "throughput = 9999", true },
		{ "threads = 2", "threads = 4", true },
		{ "jpeg_decode", "png_decode", true },
		{ "\npath = photos", "\npath = moved", false },
		{ "# The plan", "# My plan", false },
		{ "[plan]\n", "[plan]\ndata = out\n", false },
		{ "[machine]\n", "[machine]\ncores = 64\n", false },
	};
	struct buf text = BUF_INIT;

	UNUSED(state);
	print(&text, PIPELINE_PART);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		char *copy = edited(&text, cases[i].from, cases[i].to);
		struct read read;

		test_ok(read_text(&read, copy, &err), &err);
		if (read.plan.is_edited != cases[i].is_edited)
			fail_msg(
			    "%s: edited %d", cases[i].to, read.plan.is_edited);
		release(&read);
		free(copy);
	}
	buf_release(&text);
}

static void test_plan_file_refuses_what_no_line_can_hold(void **state)
{
	struct plan_file plan = made();
	struct ini pipeline = INI_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	UNUSED(state);
	test_ok(ini_parse_text(&pipeline, "p.conf", PIPELINE_PART,
	            strlen(PIPELINE_PART), &err),
	    &err);
	test_ok(ini_put(&pipeline, "dataset", "path", "a ;b", &err), &err);
	test_ok(plan_file_print(&plan, &pipeline, &text, &err), &err);
	test_contains((const char *)text.data, "path = a \\;b\n");
	test_ok(ini_put(&pipeline, "dataset", "path", "a\nb = c", &err), &err);
	test_error_is(plan_file_print(&plan, &pipeline, &text, &err), &err,
	    "dataset.path = a\\nb = c cannot be one line of a plan");
	buf_release(&text);
	ini_release(&pipeline);
}

/* ---- data ---- */

static void add(struct inventory *inventory, const char *name, uint64_t bytes,
    int64_t mtime_ns)
{
	struct error err = ERROR_INIT;
	const struct inventory_file file = {
		.name = name, .bytes = bytes, .mtime_ns = mtime_ns
	};

	test_ok(inventory_add(inventory, &file, &err), &err);
}

static void test_plan_file_knows_its_files(void **state)
{
	static const struct {
		const char *name;
		uint64_t bytes;
		int64_t mtime_ns;
		enum inventory_mode mode;
		const char *error; /* part; NULL: the same data */
	} cases[] = {
		{ "b", 20, 200, INVENTORY_TIMES, NULL },
		{ "c", 20, 200, INVENTORY_TIMES, "names or sizes" },
		{ "b", 21, 200, INVENTORY_SIZES, "names or sizes" },
		{ "b", 20, 201, INVENTORY_TIMES, "fingerprint=sizes" },
		{ "b", 20, 201, INVENTORY_SIZES, NULL },
	};
	struct inventory then = INVENTORY_INIT;
	struct plan_file plan = made();
	struct error err = ERROR_INIT;
	struct plan_hashes hashes;

	UNUSED(state);
	add(&then, "a", 10, 100);
	add(&then, "b", 20, 200);
	test_ok(plan_hashes_of(&hashes, &then, &err), &err);
	assert_int_equal(hashes.files, 2);
	assert_string_equal(hashes.contents, "");
	plan.fingerprint.names = hashes.names;
	plan.fingerprint.times = hashes.times;
	plan.whole.path = strdup("it.plan");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct inventory now = INVENTORY_INIT;
		int rc;

		now.mode = cases[i].mode;
		add(&now, "a", 10, 100);
		add(&now, cases[i].name, cases[i].bytes, cases[i].mtime_ns);
		rc = plan_file_check_files(&plan, &now, &err);
		assert_int_equal(rc, cases[i].error ? -1 : 0);
		if (rc) {
			assert_int_equal(err.code, ERROR_USAGE);
			test_contains(err.text, cases[i].error);
		}
		inventory_release(&now);
	}
	free(plan.whole.path);
	inventory_release(&then);
}

static void test_plan_file_knows_its_totals_and_code(void **state)
{
	struct plan_file plan = made();
	struct reader source = { .total_samples = 60, .total_bytes = 1000 };
	struct error err = ERROR_INIT;
	char code[] = "own: mine.py 00ff\n";

	UNUSED(state);
	plan.whole.path = strdup("it.plan");
	plan.fingerprint.total_samples = 60;
	plan.fingerprint.total_bytes = 1000;
	test_ok(plan_file_check_totals(&plan, &source, &err), &err);
	source.total_bytes = 999;
	assert_int_equal(plan_file_check_totals(&plan, &source, &err), -1);
	test_contains(err.text, "1000 bytes");
	source.total_samples = 59;
	assert_int_equal(plan_file_check_totals(&plan, &source, &err), -1);
	test_contains(err.text, "60 samples");
	plan.code = code;
	test_ok(plan_file_check_code(&plan, code, &err), &err);
	assert_int_equal(
	    plan_file_check_code(&plan, "own: mine.py 0100\n", &err), -1);
	test_contains(err.text, "the code of step own was mine.py 00ff");
	free(plan.whole.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_file_takes_labels_apart),
		cmocka_unit_test(
		    test_plan_file_leaves_a_pipeline_file_with_its_lines),
		cmocka_unit_test(test_plan_file_finds_paths_from_its_folders),
		cmocka_unit_test(test_plan_file_names_mistakes_by_their_line),
		cmocka_unit_test(test_plan_file_reads_what_it_printed),
		cmocka_unit_test(test_plan_file_tells_an_edited_plan),
		cmocka_unit_test(test_plan_file_refuses_what_no_line_can_hold),
		cmocka_unit_test(test_plan_file_knows_its_files),
		cmocka_unit_test(test_plan_file_knows_its_totals_and_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
