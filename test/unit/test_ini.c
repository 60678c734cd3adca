/* test_ini.c - parsing the pipeline file; errors name file and line. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"
#include "test/unit/test.h"

static int parse(struct ini *ini, const char *text, struct error *err)
{
	return ini_parse_text(ini, "a.conf", text, strlen(text), err);
}

static void parse_good(struct ini *ini, const char *text)
{
	struct error err = ERROR_INIT;

	test_ok(parse(ini, text, &err), &err);
}

static const char *value(
    const struct ini *ini, const char *section, const char *key)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, section), key);

	return entry ? entry->value : NULL;
}

static void test_ini_keeps_sections_keys_and_lines(void **state)
{
	static const char text[] = "# imagenet.conf\n"
	                           "[dataset]\n"
	                           "source  = folder   ; folder, tar\n"
	                           "\n"
	                           "  path = ../data/a b\n"
	                           "[empty]\n"
	                           "[pipeline] # names\n"
	                           "resized = resize shorter=256";
	struct ini ini = INI_INIT;
	const struct ini_section *section;

	UNUSED(state);
	parse_good(&ini, text);
	assert_string_equal(ini.path, "a.conf");
	assert_string_equal(ini.text, text);
	assert_int_equal(ini.count, 3);
	section = ini_section(&ini, "dataset");
	assert_int_equal(section->line, 2);
	assert_int_equal(section->count, 2);
	assert_string_equal(section->entries[0].key, "source");
	assert_string_equal(section->entries[0].value, "folder");
	assert_int_equal(section->entries[0].line, 3);
	assert_string_equal(section->entries[1].value, "../data/a b");
	assert_int_equal(section->entries[1].line, 5);
	assert_int_equal(ini_section(&ini, "empty")->count, 0);
	assert_string_equal(
	    value(&ini, "pipeline", "resized"), "resize shorter=256");
	assert_null(ini_section(&ini, "load"));
	assert_null(ini_entry(NULL, "source"));
	ini_release(&ini);
	ini_release(&ini);
}

static void test_ini_takes_values_as_users_write_them(void **state)
{
	static const struct {
		const char *line, *value;
	} cases[] = {
		{ "k = v", "v" },
		{ "k=v", "v" },
		{ "\tk =\tv \t", "v" },
		{ "k = v\r", "v" },
		{ "k = a ; b", "a" },
		{ "k = a # b", "a" },
		{ "k = a\t#b", "a" },
		{ "k = a;b", "a;b" },
		{ "k = a#b", "a#b" },
		{ "k = http://x/y#z ; t", "http://x/y#z" },
		{ "k = a=b c=d", "a=b c=d" },
		{ "k = [a]", "[a]" },
		{ "k = \"a\"", "\"a\"" },
		{ "k = \xc3\xa4", "\xc3\xa4" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct ini ini = INI_INIT;
		char text[100];

		snprintf(text, sizeof(text), "[s]\n%s", cases[i].line);
		parse_good(&ini, text);
		assert_string_equal(value(&ini, "s", "k"), cases[i].value);
		ini_release(&ini);
	}
}

static void test_ini_says_file_and_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[a]\nk\n",
		    "a.conf:2: expected 'key = value' or '[section]'" },
		{ "[a]\nk = v\n  and on\nk = w\n",
		    "a.conf:3: expected 'key = value' or '[section]'" },
		{ "[a]\n\nk =\n", "a.conf:3: key 'k' has no value" },
		{ "[a]\nk = # v\n", "a.conf:2: key 'k' has no value" },
		{ "[a]\n= v\n", "a.conf:2: a key is missing before 'v'" },
		{ "k = v\n",
		    "a.conf:1: key 'k' stands before the first [section]" },
		{ "[a]\nk = 1\nl = 2\nk = 3\n",
		    "a.conf:4: key 'k' is already set in line 2" },
		{ "[a]\n[b]\nk = 1\n[a]\nl = 2\n",
		    "a.conf:4: section [a] is already in line 1" },
		{ "[a\n", "a.conf:1: '[a' has no closing bracket" },
		{ "[a ; b]\n", "a.conf:1: '[a' has no closing bracket" },
		{ "[a] b\n",
		    "a.conf:1: ' b' is not expected behind a section" },
		{ "[ ]\n", "a.conf:1: a section needs a name" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct ini ini = INI_INIT;
		const int rc = parse(&ini, cases[i].text, &err);

		test_error_is(rc, &err, cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
		assert_null(ini.sections);
	}
}

static void test_ini_refuses_a_zero_byte(void **state)
{
	static const char text[] = "[a]\nk = \0v\n";
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	const int rc =
	    ini_parse_text(&ini, "a.conf", text, sizeof(text) - 1, &err);

	UNUSED(state);
	test_error_is(
	    rc, &err, "a.conf:2: the line has a zero byte: not a text");
}

/* "[a]\nk = vvv...", the second line with `len` bytes, then `tail`. */
static void long_line(char text[600], size_t len, const char *tail)
{
	memset(text, 'v', 600);
	memcpy(text, "[a]\nk = ", 8);
	memcpy(text + 4 + len, tail, strlen(tail) + 1);
}

static void test_ini_refuses_lines_that_would_be_split(void **state)
{
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	char text[600];
	int rc;

	UNUSED(state);
	long_line(text, 199, "\nl = w\n");
	parse_good(&ini, text);
	assert_int_equal(strlen(value(&ini, "a", "k")), 195);
	assert_string_equal(value(&ini, "a", "l"), "w");
	ini_release(&ini);

	long_line(text, 200, "\nl = w\n");
	rc = parse(&ini, text, &err);
	test_error_is(rc, &err,
	    "a.conf:2: the line has 200 bytes, more than 199: "
	    "shorten it");

	long_line(text, 500, "\n");
	text[4] = '#'; /* a comment may be as long as it likes */
	parse_good(&ini, text);
	assert_int_equal(ini_section(&ini, "a")->count, 0);
	ini_release(&ini);
}

static void test_ini_bears_a_mark_at_the_start_and_nothing_at_all(void **state)
{
	struct ini ini = INI_INIT;

	UNUSED(state);
	parse_good(&ini, "\xef\xbb\xbf[a]\r\nk = v\r\n");
	assert_string_equal(value(&ini, "a", "k"), "v");
	ini_release(&ini);
	parse_good(&ini, "");
	assert_int_equal(ini.count, 0);
	assert_string_equal(ini.text, "");
	ini_release(&ini);
}

static void test_ini_keeps_long_names_whole(void **state)
{
	static const char name[] =
	    "a_name_of_more_than_fifty_bytes_that_the_library_would_cut";
	struct ini ini = INI_INIT;
	char text[300];

	UNUSED(state);
	snprintf(text, sizeof(text), "[%s]\n%s = v\n", name, name);
	parse_good(&ini, text);
	assert_string_equal(value(&ini, name, name), "v");
	ini_release(&ini);
}

static void test_ini_read_reads_a_file(void **state)
{
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	char *dir = test_scratch();
	char *path = test_path(dir, "a.conf");
	int rc;

	UNUSED(state);
	rc = ini_read(&ini, path, &err);
	assert_int_equal(rc, -1);
	test_contains(err.text, "open ");
	test_contains(err.text, "a.conf: No such file or directory");
	test_write(dir, "a.conf", "[a]\nk = v\n");
	test_ok(ini_read(&ini, path, &err), &err);
	assert_string_equal(ini.path, path);
	assert_string_equal(value(&ini, "a", "k"), "v");
	ini_release(&ini);
	free(path);
	test_scratch_remove(dir);
}

static void test_ini_set_changes_and_adds(void **state)
{
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;

	UNUSED(state);
	parse_good(&ini, "[a]\nk = v\n");
	test_ok(ini_set(&ini, "a.k=w", &err), &err);
	test_ok(ini_set(&ini, "a.l = resize shorter=256 ", &err), &err);
	test_ok(ini_set(&ini, "b.k.x=1", &err), &err);
	test_ok(ini_put(&ini, "b", "y", "2", &err), &err);
	assert_string_equal(value(&ini, "a", "k"), "w");
	assert_string_equal(value(&ini, "a", "l"), "resize shorter=256");
	assert_string_equal(value(&ini, "b", "k.x"), "1");
	assert_string_equal(value(&ini, "b", "y"), "2");
	assert_int_equal(ini_entry(ini_section(&ini, "a"), "k")->line, 0);
	assert_string_equal(ini.text, "[a]\nk = v\n");
	ini_release(&ini);
}

/* What is printed is read back as it was, also signs of comments. */
static void test_ini_prints_what_it_reads(void **state)
{
	static const char *const values[] = { "plain", "sed s/a/ #b/", "#first",
		"a ;b ; c", "a \\# b", "\\\\; x\\", "a#b;c",
		"one \\two \\\\#three" };
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		struct ini ini = INI_INIT, again = INI_INIT;
		struct buf text = BUF_INIT;

		parse_good(&ini, "[a]\nk = v\n");
		test_ok(ini_put(&ini, "a", "x", values[i], &err), &err);
		test_ok(ini_print(&ini, &text, &err), &err);
		parse_good(&again, (const char *)text.data);
		assert_string_equal(value(&again, "a", "x"), values[i]);
		ini_release(&again);
		ini_release(&ini);
		buf_release(&text);
	}
}

static void test_ini_forget_keeps_what_was_set(void **state)
{
	static const char text[] = "[a]\nx=1\ny=2\nz=3\n[b]\nx=4\n";
	struct error err = ERROR_INIT;
	struct ini ini;
	const struct ini_section *a;

	UNUSED(state);
	test_ok(ini_parse_text(&ini, "a.conf", text, strlen(text), &err), &err);
	test_ok(ini_set(&ini, "a.y=5", &err), &err);
	test_ok(ini_forget(&ini, "a", &err), &err);
	test_ok(ini_forget(&ini, "none", &err), &err);
	a = ini_section(&ini, "a");
	assert_int_equal(a->count, 1);
	assert_null(ini_entry(a, "x"));
	assert_string_equal(ini_entry(a, "y")->value, "5");
	test_ok(ini_set(&ini, "a.x=6", &err), &err);
	assert_string_equal(ini_entry(a, "x")->value, "6");
	assert_string_equal(ini_entry(ini_section(&ini, "b"), "x")->value, "4");
	ini_release(&ini);
}

static void test_ini_set_says_what_is_wrong(void **state)
{
	static const char *const cases[] = { "", "a", "a.k", "a=1", "a=1.5",
		".k=1", "a.=1", "a.k=", "a.k= " };
	struct ini ini = INI_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;

		assert_int_equal(ini_set(&ini, cases[i], &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, "--set must be SECTION.KEY=VALUE");
		assert_int_equal(ini.count, 0);
	}
}

struct load {
	uint64_t batch;
	bool drop;
};

static const struct option load_options[] = {
	OPTION_RANGE(UINT, "batch", struct load, batch, 1, 65536, "size"),
	OPTION(FLAG, "drop", 0, struct load, drop, NULL, "the last"),
	OPTION_TABLE_END,
};

static void test_ini_options_sets_values_or_says_where(void **state)
{
	static const struct {
		const char *text, *set, *message;
	} cases[] = {
		{ "[load]\nbatch = 64\ndrop = yes\n", NULL, NULL },
		{ "[load]\nbatch = 1\n", "load.batch=64", NULL },
		{ "[other]\nx = 1\n", "load.batch=64", NULL },
		{ "[load]\nbatch = 0\n", NULL,
		    "a.conf:2: batch must be 1 to 65536, got 0" },
		{ "[load]\n\nbath = 4\n", NULL,
		    "a.conf:3: unknown key 'bath'; did you mean "
		    "'batch'? There are batch and drop" },
		{ "[load]\n", "load.batch=x",
		    "command line: load.batch: batch must be 1 to 65536, got "
		    "'x'" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct ini ini = INI_INIT;
		struct load load = { .batch = 0 };
		int rc;

		parse_good(&ini, cases[i].text);
		if (cases[i].set)
			test_ok(ini_set(&ini, cases[i].set, &err), &err);
		rc = ini_options(
		    &ini, ini_section(&ini, "load"), load_options, &load, &err);
		if (cases[i].message)
			test_error_is(rc, &err, cases[i].message);
		else
			assert_int_equal(load.batch, 64);
		ini_release(&ini);
	}
}

static void test_ini_options_of_no_section_are_the_defaults(void **state)
{
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	struct load load = { .batch = 32 };

	UNUSED(state);
	test_ok(ini_options(&ini, NULL, load_options, &load, &err), &err);
	assert_int_equal(load.batch, 32);
}

static void check_resolved(const struct ini *ini, const char *key,
    const char *path, const char *wanted)
{
	struct error err = ERROR_INIT;
	char *found =
	    ini_resolve(ini, ini_entry(ini_section(ini, "a"), key), path, &err);

	test_ok(!found, &err);
	assert_string_equal(found, wanted);
	free(found);
}

/* A path is where the one who wrote it meant it to be. */
static void test_ini_resolve_knows_who_wrote_the_path(void **state)
{
	static const char text[] = "[a]\nfile = x\nset = x\n";
	const struct ini_setting then = { "a", "then", "x" };
	const struct ini_setting both = { "a", "set", "x" };
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;

	UNUSED(state);
	test_ok(ini_parse_text(&ini, "conf/a.conf", text, strlen(text), &err),
	    &err);
	test_ok(ini_set(&ini, "a.now=x", &err), &err);
	test_ok(ini_recall(&ini, &then, "/then", &err), &err);
	test_ok(ini_recall(&ini, &both, "/then", &err), &err);
	check_resolved(&ini, "file", "x", "conf/x");
	check_resolved(&ini, "file", ".", "conf");
	check_resolved(&ini, "file", "/x", "/x");
	check_resolved(&ini, "now", "x", "x");
	check_resolved(&ini, "now", ".", ".");
	check_resolved(&ini, "then", "x", "/then/x");
	check_resolved(&ini, "then", ".", "/then");
	/* What is set last counts, wherever the file is. */
	ini.folder = strdup("/files");
	check_resolved(&ini, "file", "x", "/files/x");
	check_resolved(&ini, "set", "x", "/then/x");
	test_ok(ini_set(&ini, "a.set=y", &err), &err);
	check_resolved(&ini, "set", "y", "y");
	/* An entry may have a folder of its own. */
	ini_entry(ini_section(&ini, "a"), "file")->folder = strdup("/own");
	check_resolved(&ini, "file", "x", "/own/x");
	ini_release(&ini);
}

/* What lies in /dev/shm is a file like others; a descriptor has no folder. */
static void test_ini_folder_is_that_of_the_file(void **state)
{
	char *dir = test_scratch();
	char *path = test_path(dir, "a.conf");
	char number[32];
	struct error err = ERROR_INIT;
	struct ini ini;
	int fd;

	UNUSED(state);
	test_write(dir, "a.conf", "[a]\nset=x\n");
	test_ok(ini_read(&ini, path, &err), &err);
	assert_null(ini.folder);
	ini_release(&ini);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	snprintf(number, sizeof(number), "/dev/fd/%d", fd);
	test_ok(ini_read(&ini, number, &err), &err);
	check_resolved(&ini, "set", "x", "x");
	ini_release(&ini);
	close(fd);
	free(path);
	test_scratch_remove(dir);
}

/* Keys of one section, or sections of one key each. */
static char *print_many(bool sections, unsigned count)
{
	const size_t size = 32 * ((size_t)count + 1);
	char *text = malloc(size);
	size_t len;

	assert_non_null(text);
	len = (size_t)snprintf(text, size, sections ? "" : "[a]\n");
	for (unsigned i = 0; i < count; i++)
		len += (size_t)(sections ? snprintf(text + len, size - len,
		                               "[s%u]\nkey=%u\n", i, i)
		                         : snprintf(text + len, size - len,
		                               "key%u=%u\n", i, i));
	return text;
}

/* Minutes pass where each is compared with all before it. */
enum { MANY = 200000 };

static void test_ini_takes_as_many_keys_as_there_are(void **state)
{
	char *text = print_many(false, MANY);
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	char key[32];

	UNUSED(state);
	parse_good(&ini, text);
	assert_int_equal(ini_section(&ini, "a")->count, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(key, sizeof(key), "key%u", i);
		assert_string_equal(value(&ini, "a", key), key + 3);
	}
	assert_null(value(&ini, "a", "key"));
	test_ok(ini_put(&ini, "a", "key7", "seven", &err), &err);
	assert_string_equal(value(&ini, "a", "key7"), "seven");
	ini_release(&ini);
	memcpy(strstr(text, "key199999"), "key000001", 9);
	memcpy(strstr(text, "key199998"), "key000001", 9);
	assert_int_not_equal(parse(&ini, text, &err), 0);
	assert_string_equal(err.text,
	    "a.conf:200001: key 'key000001' is already set in line 200000");
	free(text);
}

static void test_ini_takes_as_many_sections_as_there_are(void **state)
{
	char *text = print_many(true, MANY);
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	char name[32];

	UNUSED(state);
	parse_good(&ini, text);
	assert_int_equal(ini.count, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "s%u", i);
		assert_string_equal(value(&ini, name, "key"), name + 1);
	}
	test_ok(ini_put(&ini, "new", "key", "value", &err), &err);
	assert_string_equal(value(&ini, "new", "key"), "value");
	ini_release(&ini);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ini_keeps_sections_keys_and_lines),
		cmocka_unit_test(test_ini_takes_values_as_users_write_them),
		cmocka_unit_test(test_ini_says_file_and_line),
		cmocka_unit_test(test_ini_refuses_a_zero_byte),
		cmocka_unit_test(test_ini_refuses_lines_that_would_be_split),
		cmocka_unit_test(
		    test_ini_bears_a_mark_at_the_start_and_nothing_at_all),
		cmocka_unit_test(test_ini_keeps_long_names_whole),
		cmocka_unit_test(test_ini_read_reads_a_file),
		cmocka_unit_test(test_ini_folder_is_that_of_the_file),
		cmocka_unit_test(test_ini_set_changes_and_adds),
		cmocka_unit_test(test_ini_prints_what_it_reads),
		cmocka_unit_test(test_ini_forget_keeps_what_was_set),
		cmocka_unit_test(test_ini_set_says_what_is_wrong),
		cmocka_unit_test(test_ini_options_sets_values_or_says_where),
		cmocka_unit_test(
		    test_ini_options_of_no_section_are_the_defaults),
		cmocka_unit_test(test_ini_resolve_knows_who_wrote_the_path),
		cmocka_unit_test(test_ini_takes_as_many_keys_as_there_are),
		cmocka_unit_test(test_ini_takes_as_many_sections_as_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
