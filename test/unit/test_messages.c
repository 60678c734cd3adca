/* test_messages.c - a session tells its progress, and each warning once. */
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/session/messages.h"
#include "strategies/session/session.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

struct told {
	unsigned warnings, notes;
	char last[512];
	double done_s, all_s;
	char what[128];
};

static void warn(void *arg, const char *text)
{
	struct told *told = arg;

	told->warnings++;
	snprintf(told->last, sizeof(told->last), "%s", text);
}

static void note(void *arg, const char *text)
{
	struct told *told = arg;

	told->notes++;
	snprintf(told->last, sizeof(told->last), "%s", text);
}

static void progress(void *arg, double done_s, double all_s, const char *what)
{
	struct told *told = arg;

	told->done_s = done_s;
	told->all_s = all_s;
	snprintf(told->what, sizeof(told->what), "%s", what);
}

static void test_messages_warn_once_of_a_reason(void **state)
{
	struct told told = { .warnings = 0 };
	const struct session_plan plan = {
		.callbacks = { .warn = warn, .arg = &told },
	};
	struct messages messages;
	struct error why = ERROR_INIT;

	(void)state;
	messages_init(&messages, &plan, 0);
	messages_warn(&messages, "a");
	messages_warn(&messages, "a");
	messages_warn(&messages, "b");
	assert_int_equal(told.warnings, 2);
	error_set(&why, ERROR_LIMIT, "no room");
	messages_pass_over(&messages, "skipped", "raw/tar/none", &why);
	assert_string_equal(told.last, "skipped raw/tar/none: no room");
	messages_pass_over(&messages, "skipped", "raw/tar/gzip:1", &why);
	assert_int_equal(told.warnings, 3);
	messages_note(&messages, "c"); /* nobody asked for notes */
	assert_int_equal(told.notes, 0);
	messages_release(&messages);
}

static void test_messages_are_kept_however_many(void **state)
{
	struct told told = { .warnings = 0 };
	const struct session_plan plan = {
		.callbacks = { .warn = warn, .note = note, .arg = &told }
	};
	struct messages messages;
	char text[32];

	(void)state;
	messages_init(&messages, &plan, 0);
	for (unsigned i = 0; i < MESSAGES_WARNINGS + 10; i++) {
		snprintf(text, sizeof(text), "warning %u", i);
		messages_warn(&messages, text);
	}
	assert_int_equal(told.warnings, MESSAGES_WARNINGS + 10);
	messages_note(&messages, "c");
	assert_int_equal(told.notes, 1);
	messages_release(&messages);
}

/* They are in the database once; where that fails, the session does. */
static void test_messages_are_stored(void **state)
{
	const struct session_plan plan = { .callbacks.warn = NULL };
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT;
	struct messages messages;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	messages_init(&messages, &plan, 0);
	messages_warn(&messages, "a");
	test_ok(messages_store(&messages, f.results, 0, &err), &err);
	assert_int_equal(
	    messages_store(&messages, f.results, f.session + 1, &err), -1);
	assert_true(err.text[0] != '\0');
	messages_warn(&messages, "b");
	test_ok(messages_store(&messages, f.results, f.session, &err), &err);
	test_ok(messages_store(&messages, f.results, f.session, &err), &err);
	fixture_read(&f, RESULTS_WARNINGS, &grid);
	assert_int_equal(grid.row_count, 1);
	grid_release(&grid);
	messages_release(&messages);
	fixture_close(&f);
}

static void test_messages_count_units_of_the_work_at_hand(void **state)
{
	struct told told = { .warnings = 0 };
	const struct plan asked = { .measure.budget_s = 0 };
	const struct session_plan plan = {
		.plan = &asked,
		.callbacks = { .progress = progress, .arg = &told },
	};
	struct messages messages;

	(void)state;
	messages_init(&messages, &plan, 0);
	messages.progress.all_s = 10;
	messages_begin(&messages, 0.5, "loading %s", "raw/tar/none");
	messages_advance(&messages, 4);
	assert_string_equal(told.what, "loading raw/tar/none");
	assert_float_equal(told.done_s, 2, 1e-9);
	assert_float_equal(told.all_s, 10, 1e-9);
	messages_set_done(&messages, 7);
	messages_advance(&messages, 1);
	assert_float_equal(told.done_s, 7.5, 1e-9);
	messages_release(&messages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages_warn_once_of_a_reason),
		cmocka_unit_test(test_messages_are_kept_however_many),
		cmocka_unit_test(test_messages_are_stored),
		cmocka_unit_test(test_messages_count_units_of_the_work_at_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
