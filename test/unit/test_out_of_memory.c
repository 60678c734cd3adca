/*
 * test_out_of_memory.c - memory runs out at each allocation of an operation:
 * the operation fails and says so, and what it had is released.
 *
 * Linked with --wrap (Makefile), so that the n-th call returns NULL; calls
 * within other libraries are not counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/measured.h"
#include "lib/db/results.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "test/unit/fake_reader.h"
#include "test/unit/fixture.h"
#include "test/unit/planned.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static struct {
	unsigned
	    left; /* allocations that succeed before one fails; 0: all do */
	bool failed;
} memory;

static bool is_out(void)
{
	if (memory.left == 0 || --memory.left > 0)
		return false;
	memory.failed = true;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return is_out() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return is_out() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return is_out() ? NULL : __real_realloc(old, size);
}

/* Fails at the first allocation, then at the second, until none is left. */
static void sweep(
    const char *what, int (*run)(void *arg, struct error *err), void *arg)
{
	for (unsigned n = 1;; n++) {
		struct error err = ERROR_INIT;
		int rc;

		memory.left = n;
		memory.failed = false;
		rc = run(arg, &err);
		memory.left = 0;
		if (!memory.failed) {
			test_ok(rc, &err);
			assert_true(n > 1);
			return;
		}
		if (rc == 0)
			fail_msg("%s: allocation %u failed unseen", what, n);
		if (err.code != ERROR_MEMORY)
			fail_msg("%s: allocation %u: %s", what, n, err.text);
	}
}

/* ---- stores ---- */

struct writing {
	char *dir;
	struct medium *medium;
	struct store_form form;
	struct stored_sample samples[2];
};

static int write_shard(void *arg, struct error *err)
{
	struct writing *writing = arg;
	struct shard_writer *writer = shard_writer_new(
	    writing->medium, writing->dir, &writing->form, 0, err);
	int rc = writer ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(writing->samples); i++)
		rc = shard_writer_add(writer, &writing->samples[i].sample, err);
	if (rc == 0)
		rc = shard_writer_commit(writer, err);
	shard_writer_free(writer);
	return rc;
}

static void check_write(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_FIELDS);
	struct error err = ERROR_INIT;
	struct writing writing = { .dir = test_scratch(),
		.medium = medium_new_local(&err),
		.form = stored_form(store, codec, kind) };

	UNUSED(arg);
	if (strcmp(codec, "none") == 0 || strcmp(codec, "zstd") == 0) {
		for (unsigned i = 0; i < ARRAY_LEN(writing.samples); i++)
			stored_sample_init(&writing.samples[i], kind, i);
		sweep(store, write_shard, &writing);
		for (unsigned i = 0; i < ARRAY_LEN(writing.samples); i++)
			stored_sample_release(&writing.samples[i]);
	}
	medium_free(writing.medium);
	test_scratch_remove(writing.dir);
}

static void test_stores_say_that_memory_ran_out(void **state)
{
	UNUSED(state);
	stored_each(check_write, NULL);
}

/* ---- results ---- */

static int read_measured(void *arg, struct error *err)
{
	const struct fixture *fixture = arg;
	struct measured_session measured = MEASURED_SESSION_INIT;
	const int rc =
	    measured_read(fixture->results, fixture->session, &measured, err);

	measured_release(&measured);
	return rc;
}

static void test_results_say_that_memory_ran_out(void **state)
{
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "unprocessed",
	                          .cold = { 100, 110, 120, 90, 80 },
	                          .warm = { 200, 210, 220, 190, 180 } });
	sweep("measured_read", read_measured, &fixture);
	fixture_close(&fixture);
}

/* ---- the loader ---- */

static int make_loader(void *arg, struct error *err)
{
	struct loader *loader = loader_new(arg, err);

	loader_free(loader);
	return loader ? 0 : -1;
}

static void test_loader_says_that_memory_ran_out(void **state)
{
	static const char text[] = "[pipeline]\nflipped = hflip\n";
	struct planned planned;
	struct fake fake;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fake_init(&fake, 2, 10);
	test_ok(planned_read(&planned, text, &fake.reader.schema, &err), &err);
	sweep("loader_new", make_loader,
	    &(struct loader_plan){ .reader = &fake.reader,
	        .pipeline = &planned.pipeline,
	        .to = planned.pipeline.count,
	        .threads = 2,
	        .batch = 4 });
	planned_release(&planned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stores_say_that_memory_ran_out),
		cmocka_unit_test(test_results_say_that_memory_ran_out),
		cmocka_unit_test(test_loader_says_that_memory_ran_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
