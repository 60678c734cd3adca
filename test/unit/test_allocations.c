/*
 * test_allocations.c - what an epoch allocates, once buffers have grown: some
 * per shard that is opened, nothing per sample.
 *
 * Linked with --wrap (Makefile), so that each call comes through here; calls
 * within other libraries do not.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/ini.h"
#include "lib/loader/loader.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static atomic_uint allocations;

void *__wrap_malloc(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_aligned_alloc(align, size);
}

enum {
	EPOCHS = 12,
	SAMPLES = 400,
	LARGE_SAMPLES = 80, /* of STORED_ROWS */
	PER_SHARD = 32,     /* allocations: paths, index, file */
	PER_FILE = 1,
};

/* One shard in which every sample is there many times. */
static void write_many(const char *dir, const struct store_form *form,
    enum stored_kind kind, unsigned samples)
{
	const struct manifest_note note = { "raw/tar/none", "f1" };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct shard_writer *writer;

	assert_non_null(medium);
	writer = shard_writer_new(medium, dir, form, 0, &err);
	test_ok(writer ? 0 : -1, &err);
	for (unsigned i = 0; i < samples; i++) {
		struct stored_sample stored;
		char key[16];
		int len;

		stored_sample_init(&stored, kind, i % STORED_LARGE);
		len = snprintf(key, sizeof(key), "%u", i);
		stored.sample.key.data = (const unsigned char *)key;
		stored.sample.key.len = (size_t)len;
		test_ok(shard_writer_add(writer, &stored.sample, &err), &err);
		stored_sample_release(&stored);
	}
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	test_ok(stored_write_manifest(dir, form, 1, &note, &err), &err);
	medium_free(medium);
}

/* The fewest allocations of an epoch. */
static unsigned fewest(struct loader *loader, unsigned samples)
{
	unsigned least = UINT32_MAX;

	for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
		const unsigned before = atomic_load(&allocations);
		struct error err = ERROR_INIT;
		unsigned count = 0, now;
		const struct batch *batch;

		loader_begin(loader, epoch, false);
		while ((batch = loader_next(loader)))
			count += batch->count;
		test_ok(loader_end(loader, &err), &err);
		assert_int_equal(count, samples);
		now = atomic_load(&allocations) - before;
		least = now < least ? now : least;
	}
	return least;
}

static void check_store(const char *store, const char *codec, void *arg)
{
	static const char text[] = "[pipeline]\n"
	                           "centered = center\n"
	                           "half = to_half\n";
	const enum stored_kind kind = stored_nearest(store, STORED_TENSOR);
	const struct store_form form = stored_form(store, codec, kind);
	const unsigned samples = kind == STORED_ROWS ? LARGE_SAMPLES : SAMPLES;
	const bool is_folder = *form.ops->suffix == '\0';
	const unsigned most = PER_SHARD + (is_folder ? PER_FILE * samples : 0);
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();
	struct pipeline pipeline = PIPELINE_INIT;
	struct loader_plan plan = { .pipeline = &pipeline, .threads = 2 };
	struct ini ini;
	struct reader *reader;
	struct loader *loader;

	UNUSED(arg);
	write_many(dir, &form, kind, samples);
	reader = store_open(medium, dir, &err);
	test_ok(reader ? 0 : -1, &err);
	test_ok(
	    ini_parse_text(&ini, "./a.conf", text, strlen(text), &err), &err);
	test_ok(pipeline_read(&pipeline, &ini, &err), &err);
	test_ok(pipeline_bind(&pipeline, &reader->schema, &err), &err);
	plan.reader = reader;
	plan.to = pipeline.count;
	plan.batch = 16;
	loader = loader_new(&plan, &err);
	test_ok(loader ? 0 : -1, &err);
	if (fewest(loader, samples) > most)
		fail_msg("%s/%s allocates more than %u times in an epoch",
		    store, codec, most);
	loader_free(loader);
	pipeline_release(&pipeline);
	ini_release(&ini);
	reader_free(reader);
	medium_free(medium);
	test_scratch_remove(dir);
}

static void test_epoch_allocates_nothing_per_sample(void **state)
{
	UNUSED(state);
	stored_each(check_store, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epoch_allocates_nothing_per_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
