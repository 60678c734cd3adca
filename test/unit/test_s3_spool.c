/* test_s3_spool.c - where objects lie until they are sent, and how large. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/spool.h"
#include "test/unit/test.h"

static void test_s3_spool_keeps_bytes(void **state)
{
	static const char text[] = "the bytes of an object";
	char *dir = test_scratch();
	struct spool spool;
	struct spool_view view;
	struct error err = ERROR_INIT;
	char read[64];

	UNUSED(state);
	setenv("TMPDIR", dir, 1);
	test_ok(spool_open(&spool, &err), &err);
	assert_string_equal(spool.folder, dir);
	test_is_empty(dir);
	test_ok(spool_append(&spool, span_text(text), &err), &err);
	test_ok(spool_write_at(&spool, 4, span_text("BYTES"), &err), &err);
	assert_int_equal(
	    spool_read(&spool, 4, read, sizeof(read), &err), strlen(text) - 4);
	assert_memory_equal(read, "BYTES of", 8);
	test_ok(spool_map(&spool, 4, 5, &view, &err), &err);
	assert_memory_equal(view.bytes.data, "BYTES", 5);
	spool_unmap(&view);
	assert_int_equal(
	    spool_write_at(&spool, 100, span_text("behind"), &err), -1);
	spool_close(&spool);
	unsetenv("TMPDIR");
	test_scratch_remove(dir);
}

/* Without TMPDIR a disk is chosen where there is one. */
static void test_s3_spool_says_where_it_cannot_be(void **state)
{
	char *dir = test_scratch();
	struct spool spool;
	struct error err = ERROR_INIT;

	UNUSED(state);
	unsetenv("TMPDIR");
	test_ok(spool_open(&spool, &err), &err);
	if (strcmp(spool.folder, "/tmp") != 0)
		assert_string_equal(spool.folder, "/var/tmp");
	spool_close(&spool);
	setenv("TMPDIR", dir, 1);
	test_scratch_remove(dir);
	assert_int_equal(spool_open(&spool, &err), -1);
	test_contains(err.text, "a temporary file in");
	unsetenv("TMPDIR");
}

/* Memory is for samples: an object may take what is left but 256 MiB. */
static void test_s3_spool_leaves_memory(void **state)
{
	static const struct {
		bool is_in_memory;
		uint64_t available, more;
		int rc;
	} cases[] = {
		{ false, 0, 1 << 20, 0 },
		{ true, UINT64_MAX, 1 << 20, 0 },
		{ true, (uint64_t)SPOOL_LEAVES + 10, 10, 0 },
		{ true, (uint64_t)SPOOL_LEAVES + 10, 11, -1 },
		{ true, 0, 1, -1 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct spool spool = { .folder = "/dev/shm",
			.is_in_memory = cases[i].is_in_memory };
		struct error err = ERROR_INIT;

		if (spool_check_memory(&spool, cases[i].available,
		        cases[i].more, &err) != cases[i].rc)
			fail_msg("case %zu", i);
		if (cases[i].rc == 0)
			continue;
		assert_int_equal(err.code, ERROR_LIMIT);
		test_contains(err.text, "/dev/shm");
		test_contains(err.text, "set TMPDIR to a folder on a disk");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s3_spool_keeps_bytes),
		cmocka_unit_test(test_s3_spool_says_where_it_cannot_be),
		cmocka_unit_test(test_s3_spool_leaves_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
