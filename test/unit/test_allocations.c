/*
 * test_allocations.c - allocations of an epoch once buffers have grown: some
 * per shard that is opened, none per sample.
 *
 * Linked with --wrap (Makefile), so that each call is counted; calls within
 * other libraries are not.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/syntax/ini.h"
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
	UNEQUAL_SAMPLES = 200,
	UNEQUAL_LEAST = 20000, /* bytes */
	UNEQUAL_MOST = 150, /* allocations, of which 4 an epoch are streams */
};

/* One shard in which every sample is there many times. */
static void write_many(const char *dir, const struct store_form *form,
    enum stored_kind kind, unsigned samples)
{
	const struct manifest_note note = { .strategy = "raw/tar/none",
		.fingerprint = "f1" };
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
static unsigned fewest(struct loader *loader, unsigned epochs, unsigned samples)
{
	unsigned least = UINT32_MAX;

	for (uint32_t epoch = 0; epoch < epochs; epoch++) {
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

/* The same of the loader that keeps the order, which works ahead. */
static unsigned fewest_ordered(
    const struct loader_plan *plan, struct medium *medium, unsigned samples)
{
	const struct ordered_plan ordered = {
		.reader = plan->reader,
		.pipeline = plan->pipeline,
		.medium = medium,
		.to = plan->to,
		.threads = plan->threads,
		.batch = plan->batch,
		.world_size = 1,
	};
	struct error err = ERROR_INIT;
	struct ordered_loader *loader = ordered_loader_new(&ordered, &err);
	unsigned least = UINT32_MAX;

	test_ok(loader ? 0 : -1, &err);
	for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
		const unsigned before = atomic_load(&allocations);
		unsigned count = 0, now;
		struct batch *batch;
		int got;

		while (
		    (got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
			count += batch->count;
			batch_give(batch);
		}
		test_ok(got, &err);
		assert_int_equal(count, samples);
		now = atomic_load(&allocations) - before;
		least = now < least ? now : least;
	}
	ordered_loader_free(loader);
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
	if (fewest(loader, EPOCHS, samples) > most)
		fail_msg("%s/%s allocates more than %u times in an epoch",
		    store, codec, most);
	loader_free(loader);
	if (fewest_ordered(&plan, medium, samples) > most)
		fail_msg("%s/%s in order allocates more than %u times in an "
		         "epoch",
		    store, codec, most);
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

/* ---- samples of unequal size ---- */

/* A pipeline of bytes of any number, which changes nothing. */
static void bind_bytes(struct pipeline *pipeline, struct ini *ini)
{
	static const char text[] = "[pipeline]\nsame = identity\n";
	const struct type bytes = { .dtype = DTYPE_U8, .shape = { 1, { -1 } } };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, "data", &bytes, &err), &err);
	test_ok(
	    ini_parse_text(ini, "./a.conf", text, strlen(text), &err), &err);
	test_ok(pipeline_read(pipeline, ini, &err), &err);
	test_ok(pipeline_bind(pipeline, &schema, &err), &err);
}

static void fill_unequal(struct cache *cache, const struct schema *schema)
{
	struct random random = random_stream(1, 0, 0, 0);
	struct error err = ERROR_INIT;
	struct batch *batch = batch_new(1, schema, NULL, &err);

	test_ok(batch ? 0 : -1, &err);
	for (unsigned i = 0; i < UNEQUAL_SAMPLES; i++) {
		struct sample *slot = batch_slot(batch);
		const struct shape shape = { 1,
			{ UNEQUAL_LEAST + random_below(&random, 200000) } };

		test_ok(
		    tensor_reshape(&slot->fields[0], DTYPE_U8, &shape, &err),
		    &err);
		memset(slot->fields[0].data, (int)i, slot->fields[0].bytes);
		slot->count = 1;
		test_ok(batch_add(batch, span_text("key"), &err), &err);
		test_ok(cache_add(cache, batch, &err), &err);
		batch_reset(batch);
	}
	batch_free(batch);
}

/* Where each slot grew to the largest of its own, it would be hundreds. */
static void test_slots_of_unequal_samples_do_not_go_on_growing(void **state)
{
	struct error err = ERROR_INIT;
	struct pipeline pipeline = PIPELINE_INIT;
	struct loader_plan plan = { .pipeline = &pipeline,
		.threads = 2,
		.batch = 16,
		.shuffle = UNEQUAL_SAMPLES,
		.seed = 1 };
	struct cache_plan keep = { .samples = UNEQUAL_SAMPLES,
		.budget = UINT64_MAX };
	struct ini ini;
	struct cache *cache;
	struct loader *loader;
	unsigned before;

	UNUSED(state);
	bind_bytes(&pipeline, &ini);
	keep.schema = &pipeline.schemas[0];
	cache = cache_new(&keep, &err);
	test_ok(cache ? 0 : -1, &err);
	fill_unequal(cache, keep.schema);
	plan.reader = cache_reader(cache);
	plan.to = pipeline.count;
	loader = loader_new(&plan, &err);
	test_ok(loader ? 0 : -1, &err);
	fewest(loader, 1, UNEQUAL_SAMPLES);
	before = atomic_load(&allocations);
	fewest(loader, EPOCHS, UNEQUAL_SAMPLES);
	assert_true(atomic_load(&allocations) - before < UNEQUAL_MOST);
	loader_free(loader);
	cache_free(cache);
	pipeline_release(&pipeline);
	ini_release(&ini);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epoch_allocates_nothing_per_sample),
		cmocka_unit_test(
		    test_slots_of_unequal_samples_do_not_go_on_growing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
