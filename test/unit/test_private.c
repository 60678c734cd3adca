/* test_private.c - texts to be shared contain no paths and no names. */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/private.h"
#include "test/unit/test.h"

struct passwd *__wrap_getpwuid(uid_t user);

/* The linker leads the call here: everybody is Jane. */
struct passwd *__wrap_getpwuid(uid_t user)
{
	static char name[] = "jdoe", dir[] = "/home/The Doe family";
	static struct passwd jane = { .pw_name = name, .pw_dir = dir };

	UNUSED(user);
	return &jane;
}

static void know(struct private *names)
{
	static const char *const known[] = { "/home/mary/my photos", "patients",
		"tower7", "", ".", "/" };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		test_ok(private_know(names, known[i], &err), &err);
	assert_int_equal(names->count, 3);
}

typedef int hide(const struct private *names, const char *text, struct buf *out,
    struct error *err);

static void check(hide *hide_it, const char *text, const char *want)
{
	struct private names = PRIVATE_INIT;
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	know(&names);
	test_ok(hide_it(&names, text, &out, &err), &err);
	assert_string_equal((const char *)out.data, want);
	buf_release(&out);
	private_release(&names);
}

static void test_private_text_names_no_path(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "no room for it in /var/tmp/x: 3 GB are missing",
		    "no room for it in (left out): 3 GB are missing" },
		{ "its data is in /home/mary/my photos/a b.jpg, on tower7",
		    "its data is in (left out) (left out), on (left out)" },
		{ "patients/7.dcm and patients differ, inpatients do not",
		    "(left out) and (left out) differ, inpatients do not" },
		{ "see report.json or IMG_1.jpeg.", "see (left out) or (left "
		                                    "out)." },
		{ "cannot open 'Jane Doe': gone", "cannot open (left out): "
		                                  "gone" },
		{ "2 samples were skipped, the first of them Jane: why",
		    "2 samples were skipped" },
		{ "1 sample was skipped: Jane: step x: why",
		    "1 sample was skipped" },
		{ "Jane: step jpeg_decode: premature end",
		    "step jpeg_decode: premature end" },
		/* What a path is not. */
		{ "raw/tar/none and o3:greyed/npy/shuffle+zstd:1 take 0.61 of "
		  "2 cores at 1.5 samples/s; raise measure.runs, or --runs 5",
		    "raw/tar/none and o3:greyed/npy/shuffle+zstd:1 take 0.61 "
		    "of 2 cores at 1.5 samples/s; raise measure.runs, or "
		    "--runs 5" },
		{ "the machine's clock, 3.2 GHz, Linux 6.1.0",
		    "the machine's clock, 3.2 GHz, Linux 6.1.0" },
		{ "raw/jane/none", "(left out)" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check(private_text, cases[i][0], cases[i][1]);
}

static void test_private_error_begins_at_its_step(void **state)
{
	UNUSED(state);
	check(private_error, "Jane Doe: cannot be read", "(left out)");
	check(private_error, "a.jpg: step resize: cannot read b.txt",
	    "step resize: cannot read (left out)");
	check(private_error, "", "");
}

static void test_private_pipeline_has_no_paths(void **state)
{
	UNUSED(state);
	check(private_pipeline,
	    "[dataset]\npath = x\nmatch = *.jpg\nlabels=y\nfull_samples = 3\n"
	    "[pipeline]\nread = tokenize vocab=z lower=yes\n"
	    "crop = crop size=8x8\n[storage]\nbandwidth = 910MB/s\n",
	    "[dataset]\npath = (left out)\nmatch = *.jpg\nlabels= (left out)\n"
	    "full_samples = 3\n[pipeline]\nread = tokenize vocab=(left out) "
	    "lower=yes\ncrop = crop size=8x8\n[storage]\n"
	    "bandwidth = 910MB/s\n");
	check(private_pipeline, "a = b c=/x/y d=e.txt\n",
	    "a = b c=(left out) d=(left out)\n");
}

static void test_private_file_system_has_no_device(void **state)
{
	char text[] = "ext4 on /dev/vda", bare[] = "tmpfs";

	UNUSED(state);
	private_filesystem(text);
	private_filesystem(bare);
	assert_string_equal(text, "ext4");
	assert_string_equal(bare, "tmpfs");
}

/* A home folder may have blanks, which end other paths. */
static void test_private_knows_who_runs_it(void **state)
{
	struct private names = PRIVATE_INIT;
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;

	UNUSED(state);
	assert_int_equal(unsetenv("HOME"), 0);
	assert_int_equal(setenv("USER", "jane", 1), 0);
	test_ok(private_know_host(&names, &err), &err);
	test_ok(private_text(&names,
	            "jane is jdoe, and lives in /home/The Doe family, alone",
	            &out, &err),
	    &err);
	assert_string_equal((const char *)out.data,
	    "(left out) is (left out), and lives in (left out), alone");
	buf_release(&out);
	private_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_private_text_names_no_path),
		cmocka_unit_test(test_private_error_begins_at_its_step),
		cmocka_unit_test(test_private_pipeline_has_no_paths),
		cmocka_unit_test(test_private_file_system_has_no_device),
		cmocka_unit_test(test_private_knows_who_runs_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
