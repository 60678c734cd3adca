/* test_results_ini.c - the pipeline file of a session is restored exactly. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/db/results_ini.h"
#include "lib/db/results_write.h"
#include "lib/syntax/ini.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* What the text with all changes in it could not keep. */
static const char comment[] = "/data/a ; b # c";
static char long_path[400];

static int64_t begin(struct results *results, const struct ini *ini)
{
	const struct session_info info = {
		.pipeline = "p",
		.path = "p.conf",
		.text = "changed",
		.fingerprint = "f",
		.dataset = "d",
		.work_dir = "w",
		.samples = 1,
		.ini = ini,
	};
	struct error err = ERROR_INIT;
	int64_t session = 0;

	test_ok(results_begin_session(results, &info, &session, &err), &err);
	return session;
}

static void check_entry(const struct ini *ini, const char *section,
    const char *key, const char *value, unsigned line)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, section), key);

	assert_non_null(entry);
	assert_string_equal(entry->value, value);
	assert_int_equal(entry->line, line);
}

static void test_results_keep_the_file_and_what_was_set(void **state)
{
	static const char text[] = "# mine\n[a]\none = 1 ; first\ntwo = 2\n";
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT, back = INI_INIT;
	struct fixture fixture;
	int64_t session;

	UNUSED(state);
	memset(long_path, 'x', sizeof(long_path) - 1);
	fixture_open(&fixture);
	test_write(fixture.dir, "p.conf", text);
	ini.path = test_path(fixture.dir, "p.conf");
	test_ok(
	    ini_parse_text(&back, ini.path, text, strlen(text), &err), &err);
	free(ini.path);
	ini = back;
	test_ok(ini_put(&ini, "a", "two", comment, &err), &err);
	test_ok(ini_put(&ini, "b", "long", long_path, &err), &err);
	session = begin(fixture.results, &ini);
	assert_int_equal(
	    results_read_ini(fixture.results, session, &back, &err), 1);
	check_entry(&back, "a", "one", "1", 3);
	check_entry(&back, "a", "two", comment, 0);
	check_entry(&back, "b", "long", long_path, 0);
	assert_string_equal(back.text, text);
	assert_int_equal(*back.folder, '/');
	assert_int_equal(
	    *ini_entry(ini_section(&back, "a"), "two")->folder, '/');
	/* A session of a session keeps the folders of the first. */
	free(back.folder);
	back.folder = strdup(fixture.dir);
	free(ini_entry(ini_section(&back, "a"), "two")->folder);
	ini_entry(ini_section(&back, "a"), "two")->folder = strdup("/then");
	session = begin(fixture.results, &back);
	ini_release(&back);
	assert_int_equal(
	    results_read_ini(fixture.results, session, &back, &err), 1);
	assert_string_equal(
	    ini_entry(ini_section(&back, "a"), "two")->folder, "/then");
	ini_release(&back);
	ini_release(&ini);
	fixture_close(&fixture);
}

static void test_results_say_that_a_file_was_not_kept(void **state)
{
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	struct fixture fixture;
	int64_t session;

	UNUSED(state);
	fixture_open(&fixture);
	session = begin(fixture.results, NULL);
	assert_int_equal(
	    results_read_ini(fixture.results, session, &ini, &err), 0);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_keep_the_file_and_what_was_set),
		cmocka_unit_test(test_results_say_that_a_file_was_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
