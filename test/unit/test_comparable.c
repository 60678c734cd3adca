/* test_comparable.c - which sessions may be compared. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/compare/comparable.h"
#include "test/unit/test.h"

static char version[] = "0.1.0", done[] = "done", none[] = "";

static const char text[] = "[dataset]\nsource = folder\npath = photos\n\n"
                           "[pipeline]\ndecoded = jpeg_decode\n"
                           "resized = resize shorter=256\n\n"
                           "[load]\nthreads = 1, 2\nshuffle = 0\n\n"
                           "[measure]\nruns = 5\n";

static struct session_record make_record(void)
{
	return (struct session_record){
		.id = 1,
		.info = {
			.pipeline = "photos",
			.path = "photos.conf",
			.text = text,
			.fingerprint = "f00d",
			.dataset = "/data/photos",
			.samples = 100,
			.total_samples = 200,
			.source_bytes = 12345,
			.seed = 1,
			.batch = 64,
			.machine = { .cpu = "A CPU",
			    .cores = 2,
			    .memory_bytes = 16000000000,
			    .kernel = "Linux 6.1" },
			.source_fs = "ext4 on /dev/vda",
			.work_fs = "ext4 on /dev/vdb",
		},
		.version = version,
		.started = none,
		.ended = none,
		.state = done,
	};
}

/* The lines, one behind the other; "" when there are none. */
static void join(const struct grid *list, char joined[4096])
{
	*joined = '\0';
	for (size_t i = 0; i < list->row_count; i++) {
		strncat(joined, grid_text(list, i, "text"), 1000);
		strncat(joined, "\n", 2);
	}
}

static void check(const struct session_record *base,
    const struct session_record *new_one, const char *differences,
    const char *notes)
{
	struct grid a = GRID_INIT, b = GRID_INIT;
	struct error err = ERROR_INIT;
	char joined[4096];

	test_ok(comparable_check(base, new_one, &a, &b, &err), &err);
	join(&a, joined);
	assert_string_equal(joined, differences);
	join(&b, joined);
	assert_string_equal(joined, notes);
	grid_release(&a);
	grid_release(&b);
}

static void test_comparable_names_and_places_do_not_count(void **state)
{
	struct session_record base = make_record(), is = make_record();

	UNUSED(state);
	is.info.path = "elsewhere/photos.conf";
	is.info.fingerprint = "cafe";
	is.info.dataset = "/tmp/photos";
	is.info.work_fs[10] = '\0';
	is.info.machine.memory_bytes += 100000000;
	is.info.text = "[dataset]\npath = /tmp/photos\nsource = folder\n"
	               "full_samples = 12\n[measure]\nruns = 20\n"
	               "[pipeline]\ndecoded = jpeg_decode\n"
	               "resized = resize shorter=256\n"
	               "[load]\nshuffle = 0\nthreads = 8\n";
	check(&base, &is, "", "");
}

static void test_comparable_versions_are_noted(void **state)
{
	static char newer[] = "0.2.0", stopped[] = "interrupted";
	struct session_record base = make_record(), is = make_record();

	UNUSED(state);
	is.version = newer;
	is.state = stopped;
	strcpy(is.info.machine.kernel, "Linux 6.2");
	check(&base, &is, "",
	    "presto: 0.1.0 in BASE, 0.2.0 in NEW\n"
	    "kernel: Linux 6.1 in BASE, Linux 6.2 in NEW\n"
	    "session 1, NEW, did not end well: interrupted\n");
}

static void test_comparable_code_of_the_users_counts(void **state)
{
	struct session_record base = make_record(), is = make_record();

	UNUSED(state);
	base.info.code = "own: mine.py 0123, python 3.11.2\nx: y 1\n";
	is.info.code = base.info.code;
	check(&base, &is, "", "");
	is.info.code = "x: y 1\nown: mine.py 0124, python 3.11.2\n";
	check(&base, &is,
	    "the code of step own was mine.py 0123, python 3.11.2, and is "
	    "mine.py 0124, python 3.11.2\n",
	    "");
	is.info.code = ""; /* of an older presto */
	check(&base, &is, "", "");
}

static void test_comparable_other_machines_are_named(void **state)
{
	struct session_record base = make_record(), is = make_record();

	UNUSED(state);
	strcpy(is.info.machine.cpu, "B CPU");
	is.info.machine.cores = 4;
	is.info.machine.memory_limit = 8000000000;
	strcpy(is.info.machine.virtual, "KVM");
	strcpy(is.info.source_fs, "tmpfs on tmpfs");
	check(&base, &is,
	    "CPU: A CPU in BASE, B CPU in NEW\n"
	    "cores: 2 in BASE, 4 in NEW\n"
	    "memory: 16 GB in BASE, 8 GB in NEW\n"
	    "virtual machine: none in BASE, KVM in NEW\n"
	    "file system of the dataset: ext4 in BASE, tmpfs in NEW\n",
	    "");
}

static void test_comparable_other_data_and_settings_are_named(void **state)
{
	struct session_record base = make_record(), is = make_record();

	UNUSED(state);
	is.info.samples = 50;
	is.info.source_bytes = 6000;
	is.info.seed = 2;
	is.info.batch = 32;
	is.info.limits.bandwidth = 2e7;
	check(&base, &is,
	    "samples taken: 100 in BASE, 50 in NEW\n"
	    "bytes of the samples taken: 12345 in BASE, 6000 in NEW\n"
	    "seed: 1 in BASE, 2 in NEW\n"
	    "batch: 64 in BASE, 32 in NEW\n"
	    "emulated storage, bytes per second: none in BASE, 20000000 in "
	    "NEW\n",
	    "");
	is = make_record();
	is.info.source_bytes = 0; /* not known */
	check(&base, &is, "", "");
}

static void test_comparable_other_pipelines_are_named(void **state)
{
	static const struct {
		const char *text, *differences;
	} cases[] = {
		{ "[dataset]\nsource = folder\nmatch = *.png\n[pipeline]\n"
		  "decoded = jpeg_decode\nresized = resize shorter=128\n"
		  "[load]\nshuffle = 0\n",
		    "[dataset] match: none in BASE, *.png in NEW\n"
		    "[pipeline] resized: resize shorter=256 in BASE, resize "
		    "shorter=128 in NEW\n" },
		{ "[dataset]\nsource = folder\n[pipeline]\n"
		  "resized = resize shorter=256\ndecoded = jpeg_decode\n"
		  "[load]\nshuffle = 0\n",
		    "[pipeline]: the steps are in another order\n" },
		{ "[dataset]\nsource = folder\n[pipeline]\n"
		  "decoded = jpeg_decode\n[load]\nshuffle = 9\n",
		    "[pipeline] resized: resize shorter=256 in BASE, none in "
		    "NEW\n[load] shuffle: 0 in BASE, 9 in NEW\n" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct session_record base = make_record(), is = make_record();

		is.info.text = cases[i].text;
		check(&base, &is, cases[i].differences, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comparable_names_and_places_do_not_count),
		cmocka_unit_test(test_comparable_versions_are_noted),
		cmocka_unit_test(test_comparable_code_of_the_users_counts),
		cmocka_unit_test(test_comparable_other_machines_are_named),
		cmocka_unit_test(
		    test_comparable_other_data_and_settings_are_named),
		cmocka_unit_test(test_comparable_other_pipelines_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
