/* test_cache.c - the application cache returns what was put in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"
#include "test/unit/test.h"

/* ---- samples as they are ---- */

/* Three floats, an image of any size, and a file's bytes. */
static struct schema mixed_schema(void)
{
	const struct type types[] = {
		{ .dtype = DTYPE_F32, .shape = { .count = 1, .dims = { 3 } } },
		{ .dtype = DTYPE_U16,
		    .layout = LAYOUT_HWC,
		    .shape = { .count = 3, .dims = { -1, -1, 3 } } },
		{ .dtype = DTYPE_U8,
		    .layout = LAYOUT_ENCODED,
		    .shape = { .count = 1, .dims = { -1 } } },
	};
	struct error err = ERROR_INIT;
	struct schema schema = { .count = 0 };

	test_ok(schema_add(&schema, "numbers", &types[0], &err), &err);
	test_ok(schema_add(&schema, "image", &types[1], &err), &err);
	test_ok(schema_add(&schema, "file", &types[2], &err), &err);
	return schema;
}

/* Sample i, as no other. */
static void put_sample(struct batch *batch, unsigned i, struct error *err)
{
	const struct shape numbers = { .count = 1, .dims = { 3 } };
	const struct shape image = { .count = 3,
		.dims = { i % 7, (i * 3) % 11 + 1, 3 } };
	const struct shape file = { .count = 1, .dims = { i * 37 % 300 } };
	struct sample *slot = batch_slot(batch);
	char key[64];

	test_ok(
	    tensor_reshape(&slot->fields[0], DTYPE_F32, &numbers, err), err);
	test_ok(tensor_reshape(&slot->fields[1], DTYPE_U16, &image, err), err);
	test_ok(tensor_reshape(&slot->fields[2], DTYPE_U8, &file, err), err);
	for (unsigned f = 0; f < 3; f++)
		if (slot->fields[f].bytes)
			memset(slot->fields[f].data, (int)(i + f) & 255,
			    slot->fields[f].bytes);
	snprintf(slot->fields[2].suffix, SUFFIX_MAX, i % 2 ? "jpg" : "");
	slot->count = 3;
	slot->label = (int64_t)i - 1;
	snprintf(key, sizeof(key), "%.*s/%u", (int)(i % 40),
	    "a long folder name, of another length each", i);
	test_ok(batch_add(batch, span_text(key), err), err);
}

static void fill_mixed(
    struct cache *cache, const struct schema *schema, unsigned samples)
{
	struct error err = ERROR_INIT;
	struct batch *batch = batch_new(64, schema, NULL, &err);

	assert_non_null(batch);
	for (unsigned i = 0; i < samples; i++) {
		if (batch->count == batch->capacity) {
			test_ok(cache_add(cache, batch, &err), &err);
			batch_reset(batch);
		}
		put_sample(batch, i, &err);
	}
	test_ok(cache_add(cache, batch, &err), &err);
	batch_free(batch);
}

static void check_sample(
    const struct sample *got, unsigned i, const struct schema *schema)
{
	struct error err = ERROR_INIT;
	struct batch *batch = batch_new(1, schema, NULL, &err);

	put_sample(batch, i, &err);
	assert_true(span_equal(got->key, batch->slots[0].key));
	assert_true(
	    sample_hash(got, schema) == sample_hash(&batch->slots[0], schema));
	for (unsigned f = 0; f < got->count; f++) {
		assert_int_equal((uintptr_t)got->fields[f].data % 64, 0);
		assert_false(got->fields[f].owned);
		assert_string_equal(
		    got->fields[f].suffix, batch->slots[0].fields[f].suffix);
	}
	batch_free(batch);
}

/* All streams, chunk by chunk: samples come in the order they were added. */
static unsigned check_all(
    const struct reader *reader, const struct schema *schema)
{
	struct chunk chunk = CHUNK_INIT;
	struct sample sample = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	unsigned seen = 0, chunks = 0;

	for (size_t s = 0; s < reader->streams; s++) {
		void *stream = reader->ops->stream_open(reader, s, &err);
		const unsigned before = seen;

		chunk_reset(&chunk);
		while (reader->ops->stream_fetch(stream, &chunk, &err) == 1) {
			while (reader->ops->next(
			           reader, &chunk, &sample, &err) == 1)
				check_sample(&sample, seen++, schema);
			chunk_reset(&chunk);
			chunks++;
		}
		reader->ops->stream_close(stream);
		assert_int_equal(
		    seen - before, reader->ops->stream_samples(reader, s));
	}
	assert_true(chunks <= CACHE_CHUNKS);
	chunk_release(&chunk);
	return seen;
}

static void test_cache_gives_back_what_was_added(void **state)
{
	static const unsigned counts[] = { 0, 1, 63, 4096, 9001 };
	const struct schema schema = mixed_schema();
	struct error err = ERROR_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		struct cache *cache =
		    cache_new(&(struct cache_plan){ .schema = &schema,
		                  .samples = counts[i],
		                  .budget = 1 << 30 },
		        &err);

		assert_non_null(cache);
		for (int again = 0; again < 2; again++) {
			fill_mixed(cache, &schema, counts[i]);
			assert_int_equal(cache_samples(cache), counts[i]);
			assert_int_equal(
			    cache_reader(cache)->samples, counts[i]);
			assert_int_equal(
			    check_all(cache_reader(cache), &schema), counts[i]);
			cache_clear(cache);
			assert_int_equal(cache_bytes(cache), 0);
		}
		cache_free(cache);
	}
}

/* All chunks can be read ahead at once, whatever number was expected. */
static void test_cache_has_few_chunks_and_several_streams(void **state)
{
	static const uint64_t expected[] = { 0, 2000, 1000000 };
	const struct schema schema = mixed_schema();
	struct error err = ERROR_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		struct cache *cache =
		    cache_new(&(struct cache_plan){ .schema = &schema,
		                  .samples = expected[i],
		                  .budget = 1 << 30 },
		        &err);

		fill_mixed(cache, &schema, 2000);
		assert_true(cache_reader(cache)->streams > 1);
		assert_true(cache_reader(cache)->streams <= CACHE_CHUNKS);
		assert_int_equal(check_all(cache_reader(cache), &schema), 2000);
		cache_free(cache);
	}
}

static void test_cache_does_not_grow_over_its_budget(void **state)
{
	const struct schema schema = mixed_schema();
	struct error err = ERROR_INIT;
	struct batch *batch = batch_new(100, &schema, NULL, &err);
	struct cache *cache;
	uint64_t all;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		put_sample(batch, i, &err);
	cache = cache_new(
	    &(struct cache_plan){
	        .schema = &schema, .samples = 100, .budget = UINT64_MAX },
	    &err);
	test_ok(cache_add(cache, batch, &err), &err);
	all = cache_bytes(cache);
	cache_free(cache);
	for (uint64_t budget = 0; budget <= all; budget += all / 20 + 1) {
		cache = cache_new(
		    &(struct cache_plan){
		        .schema = &schema, .samples = 100, .budget = budget },
		    &err);
		assert_int_equal(cache_add(cache, batch, &err), -1);
		assert_int_equal(err.code, ERROR_LIMIT);
		assert_true(cache_bytes(cache) <= budget);
		assert_true(cache_samples(cache) < 100);
		cache_free(cache);
	}
	cache = cache_new(
	    &(struct cache_plan){
	        .schema = &schema, .samples = 1000, .budget = all },
	    &err);
	test_ok(cache_add(cache, batch, &err), &err); /* just so */
	assert_int_equal(cache_add(cache, batch, &err), -1);
	test_contains(err.text, "needs about ");
	test_contains(err.text, " in memory, ");
	test_contains(err.text, " are allowed");
	cache_free(cache);
	batch_free(batch);
}

static void test_cache_size_is_predicted(void **state)
{
	const struct schema mixed = mixed_schema();
	struct schema known = mixed;
	struct error err = ERROR_INIT;
	double fields = 0, keys = 0, predicted;
	struct batch *batch = batch_new(64, &mixed, NULL, &err);
	struct cache *cache;

	(void)state;
	for (unsigned i = 0; i < 64; i++)
		put_sample(batch, i, &err);
	for (unsigned i = 0; i < 64; i++) {
		keys += (double)batch->slots[i].key.len / 64;
		for (unsigned f = 0; f < 3; f++)
			fields += (double)batch->slots[i].fields[f].bytes / 64;
	}
	cache = cache_new(
	    &(struct cache_plan){ .schema = &mixed, .budget = 1 << 30 }, &err);
	test_ok(cache_add(cache, batch, &err), &err);
	predicted = 64 * cache_sample_bytes(&mixed, fields, keys);
	assert_true(predicted > 0.95 * (double)cache_bytes(cache));
	assert_true(predicted < 1.05 * (double)cache_bytes(cache));
	cache_free(cache);
	known.count = 1; /* of known size: to the byte */
	for (unsigned i = 0; i < 64; i++)
		batch->slots[i].count = 1;
	cache = cache_new(
	    &(struct cache_plan){ .schema = &known, .budget = 1 << 30 }, &err);
	test_ok(cache_add(cache, batch, &err), &err);
	predicted = 64 * cache_sample_bytes(&known, 12, keys);
	assert_int_equal((uint64_t)(predicted + 0.5), cache_bytes(cache));
	cache_free(cache);
	batch_free(batch);
}

static void test_cache_takes_only_what_the_schema_says(void **state)
{
	struct schema schema = mixed_schema();
	struct error err = ERROR_INIT;
	struct batch *batch = batch_new(1, &schema, NULL, &err);
	struct cache *cache;

	(void)state;
	put_sample(batch, 5, &err);
	schema.fields[1].type.shape.dims[2] = 4;
	cache = cache_new(
	    &(struct cache_plan){ .schema = &schema, .budget = 1 << 20 }, &err);
	assert_int_equal(cache_add(cache, batch, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "field image");
	cache_free(cache);
	batch_free(batch);
}

/* ---- between two loaders ---- */

enum { STREAMS = 9, PER_STREAM = 111, SAMPLES = STREAMS * PER_STREAM };

struct setup {
	struct ini ini;
	struct pipeline pipeline;
	struct fake fake;
	struct loader_plan plan;
};

static void set_up(struct setup *s)
{
	static const char text[] = "[pipeline]\n"
	                           "large = resize size=9\n"
	                           "centered = center\n"
	                           "cut = random_crop size=5\n"
	                           "flipped = hflip\n";
	struct error err = ERROR_INIT;

	memset(s, 0, sizeof(*s));
	fake_init(&s->fake, STREAMS, PER_STREAM);
	s->fake.varied = true;
	test_ok(
	    ini_parse_text(&s->ini, "t.conf", text, strlen(text), &err), &err);
	test_ok(pipeline_read(&s->pipeline, &s->ini, &err), &err);
	test_ok(
	    pipeline_bind(&s->pipeline, &s->fake.reader.schema, &err), &err);
	s->plan = (struct loader_plan){
		.reader = &s->fake.reader,
		.pipeline = &s->pipeline,
		.to = s->pipeline.count,
		.threads = 2,
		.batch = 16,
		.seed = 5,
	};
}

static void tear_down(struct setup *s)
{
	pipeline_release(&s->pipeline);
	ini_release(&s->ini);
}

/* The sum of what the epoch gives, whatever the order. */
static uint64_t sum_epoch(
    struct loader *loader, const struct schema *schema, uint32_t epoch)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned samples = 0;
	uint64_t sum = 0;

	loader_begin(loader, epoch, false);
	while ((batch = loader_next(loader))) {
		samples += batch->count;
		for (unsigned i = 0; i < batch->count; i++)
			sum += sample_hash(&batch->slots[i], schema) ^
			       sample_id(batch->slots[i].key);
	}
	test_ok(loader_end(loader, &err), &err);
	return sum + samples;
}

static void fill(struct cache *cache, struct loader *filler)
{
	struct error err = ERROR_INIT;
	struct batch *batch;

	loader_begin(filler, 77, false);
	while ((batch = loader_next(filler)))
		test_ok(cache_add(cache, batch, &err), &err);
	test_ok(loader_end(filler, &err), &err);
}

/* Cached at any representation in front of the random step: all the same. */
static void test_cache_epochs_are_those_without_it(void **state)
{
	static const struct {
		unsigned at, threads, fetchers, batch, shuffle;
	} cases[] = {
		{ 0, 1, 1, 16, 0 },
		{ 1, 2, 1, 64, 0 },
		{ 2, 2, 2, 7, 100 },
		{ 2, 8, 8, 500, 0 },
		{ 2, 4, 1, 1, 2000 },
	};
	struct setup s;
	struct error err = ERROR_INIT;
	uint64_t wanted[3];
	struct loader *plain;
	const struct schema *schema;

	(void)state;
	set_up(&s);
	schema = &s.pipeline.schemas[s.pipeline.count];
	plain = loader_new(&s.plan, &err);
	for (uint32_t e = 0; e < 3; e++)
		wanted[e] = sum_epoch(plain, schema, e);
	assert_true(wanted[0] != wanted[1] && wanted[1] != wanted[2]);
	loader_free(plain);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cache *cache = cache_new(
		    &(struct cache_plan){
		        .schema = &s.pipeline.schemas[cases[i].at],
		        .samples = SAMPLES,
		        .budget = 1 << 30 },
		    &err);
		struct loader_plan before = s.plan, behind = s.plan;
		struct loader *filler, *loader;

		before.to = cases[i].at;
		behind.from = cases[i].at;
		behind.reader = cache_reader(cache);
		behind.threads = cases[i].threads;
		behind.fetchers = cases[i].fetchers;
		behind.batch = cases[i].batch;
		behind.shuffle = cases[i].shuffle;
		filler = loader_new(&before, &err);
		loader = loader_new(&behind, &err);
		for (int run = 0; run < 2; run++) {
			cache_clear(cache);
			fill(cache, filler);
			for (uint32_t e = 0; e < 3; e++)
				assert_true(
				    sum_epoch(loader, schema, e) == wanted[e]);
		}
		loader_free(loader);
		loader_free(filler);
		cache_free(cache);
	}
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cache_gives_back_what_was_added),
		cmocka_unit_test(test_cache_has_few_chunks_and_several_streams),
		cmocka_unit_test(test_cache_does_not_grow_over_its_budget),
		cmocka_unit_test(test_cache_size_is_predicted),
		cmocka_unit_test(test_cache_takes_only_what_the_schema_says),
		cmocka_unit_test(test_cache_epochs_are_those_without_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
