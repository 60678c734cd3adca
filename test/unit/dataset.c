/* dataset.c - see dataset.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "lib/pipeline/chain.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/permutation.h"
#include "lib/syntax/ini.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

/*
 * What outlives the reader: the options borrow texts of the file.  One test
 * has one dataset open at a time.
 */
struct kept {
	struct ini ini;
	struct dataset dataset;
};

static struct kept kept;

int opened_open(
    struct opened *opened, const char *dir, const char *section, uint64_t limit)
{
	char path[512], text[2048];
	const int len =
	    snprintf(text, sizeof(text), "[dataset]\n%s\n", section);
	struct error *err = &opened->err;

	*opened = (struct opened){ .err = ERROR_INIT };
	snprintf(path, sizeof(path), "%s/test.conf", dir);
	opened->medium = medium_new_local(err);
	assert_non_null(opened->medium);
	if (ini_parse_text(&kept.ini, path, text, (size_t)len, err) ||
	    dataset_read(&kept.dataset, &kept.ini, err))
		return -1;
	opened->reader =
	    dataset_open(&kept.dataset, limit, opened->medium, err);
	return opened->reader ? 0 : -1;
}

static void note(struct opened *opened, const struct sample *sample,
    const struct chunk *chunk, size_t stream)
{
	const struct schema *schema = reader_decoded(opened->reader);
	struct seen *seen = &opened->seen[opened->count];
	char where[256] = "";

	assert_true(opened->count < opened->reader->samples);
	assert_true(sample->key.len > 0);
	assert_true(sample->key.len < sizeof(seen->key));
	assert_int_equal(sample->count, schema->count);
	assert_true(sample->label >= -1);
	memcpy(seen->key, sample->key.data, sample->key.len);
	seen->key[sample->key.len] = '\0';
	seen->label = sample->label;
	seen->hash = sample_hash(sample, schema);
	seen->stream = stream;
	seen->number = opened->count;
	for (unsigned f = 0; f < sample->count; f++) {
		if (sample->fields[f].absent) {
			opened->nulls++;
			continue;
		}
		test_ok(tensor_check(&sample->fields[f],
		            &schema->fields[f].type, &opened->err),
		    &opened->err);
		seen->fields += sample->fields[f].bytes;
	}
	if (opened->reader->ops->locate) {
		opened->reader->ops->locate(
		    opened->reader, chunk, where, sizeof(where));
		assert_string_not_equal(where, "");
	}
	opened->count++;
}

/* What is behind a codec, as it was. */
static void note_decoded(struct opened *opened, const struct sample *sample,
    const struct chunk *chunk, size_t stream)
{
	struct pipeline pipeline = PIPELINE_INIT;
	const struct chain_plan plan = {
		.pipeline = &pipeline,
		.decode = opened->reader->decode,
	};
	struct sample decoded = SAMPLE_INIT;
	struct chain *chain;

	pipeline.schemas[0] = *reader_decoded(opened->reader);
	chain = chain_new(&plan, &opened->err);
	assert_non_null(chain);
	test_ok(chain_run(chain, sample, &decoded, &opened->err), &opened->err);
	note(opened, &decoded, chunk, stream);
	sample_release(&decoded);
	chain_free(chain);
}

static int read_chunk(struct opened *opened, struct chunk *chunk, size_t stream)
{
	const struct reader *reader = opened->reader;
	struct sample sample = SAMPLE_INIT;
	const uint64_t wanted = chunk->left; /* of stores */
	uint64_t samples = 0;
	void *unpacker;
	int got;

	test_ok(
	    reader_unpacker_new(reader, &unpacker, &opened->err), &opened->err);
	test_ok(
	    reader_unpack(reader, unpacker, chunk, &opened->err), &opened->err);
	while ((got = reader->ops->next(reader, chunk, &sample, &opened->err)) >
	       0) {
		if (reader->decode)
			note_decoded(opened, &sample, chunk, stream);
		else
			note(opened, &sample, chunk, stream);
		samples++;
	}
	if (got == 0 && chunk->samples && !wanted)
		assert_int_equal(chunk->samples, samples);
	if (got == 0 && wanted)
		assert_int_equal(wanted, samples);
	reader_unpacker_free(reader, unpacker);
	return got;
}

static int read_stream(struct opened *opened, size_t stream)
{
	const struct reader_ops *ops = opened->reader->ops;
	const size_t before = opened->count;
	struct chunk chunk = CHUNK_INIT;
	void *s = ops->stream_open(opened->reader, stream, &opened->err);
	int got = -1, rc = s ? 0 : -1;

	while (
	    rc == 0 && (got = ops->stream_fetch(s, &chunk, &opened->err)) > 0) {
		chunk.stream = stream;
		rc = read_chunk(opened, &chunk, stream);
		chunk_reset(&chunk);
	}
	if (got < 0)
		rc = -1;
	if (rc == 0)
		assert_int_equal(opened->count - before,
		    ops->stream_samples(opened->reader, stream));
	ops->stream_close(s);
	chunk_release(&chunk);
	return rc;
}

static int compare_seen(const void *a, const void *b)
{
	return strcmp(
	    ((const struct seen *)a)->key, ((const struct seen *)b)->key);
}

int opened_read(struct opened *opened, int backwards)
{
	const struct reader *reader = opened->reader;

	free(opened->seen);
	opened->count = opened->nulls = 0;
	opened->seen =
	    calloc((size_t)reader->samples + 1, sizeof(*opened->seen));
	assert_non_null(opened->seen);
	for (size_t i = 0; i < reader->streams; i++)
		if (read_stream(
		        opened, backwards ? reader->streams - 1 - i : i))
			return -1;
	assert_int_equal(opened->count, reader->samples);
	assert_true(reader->samples <= reader->total_samples);
	qsort(opened->seen, opened->count, sizeof(*opened->seen), compare_seen);
	for (size_t i = 1; i < opened->count; i++)
		assert_string_not_equal(
		    opened->seen[i - 1].key, opened->seen[i].key);
	return 0;
}

void opened_close(struct opened *opened)
{
	reader_free(opened->reader);
	medium_free(opened->medium);
	free(opened->seen);
	dataset_release(&kept.dataset);
	ini_release(&kept.ini);
	*opened = (struct opened){ .err = ERROR_INIT };
}

/* The sample among those that were read. */
static const struct seen *find_seen(
    const struct opened *opened, const struct sample *sample)
{
	const struct seen *found;
	struct seen wanted = { .key = "" };

	assert_true(sample->key.len < sizeof(wanted.key));
	memcpy(wanted.key, sample->key.data, sample->key.len);
	found = bsearch(&wanted, opened->seen, opened->count,
	    sizeof(*opened->seen), compare_seen);
	assert_non_null(found);
	assert_int_equal(found->label, sample->label);
	assert_true(
	    found->hash == sample_hash(sample, reader_decoded(opened->reader)));
	return found;
}

/* The same samples come through a loader, without a step. */
static void load_all(struct opened *opened)
{
	struct pipeline pipeline = PIPELINE_INIT;
	const struct loader_plan plan = {
		.reader = opened->reader,
		.pipeline = &pipeline,
		.threads = 2,
		.batch = 3,
	};
	unsigned *loaded = calloc(opened->count + 1, sizeof(*loaded));
	struct loader *loader;
	struct batch *batch;

	assert_non_null(loaded);
	pipeline.schemas[0] = *reader_decoded(opened->reader);
	loader = loader_new(&plan, &opened->err);
	assert_non_null(loader);
	for (uint32_t epoch = 0; epoch < 2; epoch++) {
		loader_begin(loader, epoch, false);
		while ((batch = loader_next(loader)))
			for (unsigned i = 0; i < batch->count; i++)
				loaded[find_seen(opened, &batch->slots[i]) -
				       opened->seen]++;
		test_ok(loader_end(loader, &opened->err), &opened->err);
	}
	for (size_t i = 0; i < opened->count; i++)
		assert_int_equal(loaded[i], 2);
	loader_free(loader);
	free(loaded);
}

static int compare_picks(const void *a, const void *b)
{
	const uint64_t x = ((const struct pick *)a)->number;
	const uint64_t y = ((const struct pick *)b)->number;

	return (x > y) - (x < y);
}

/* Fetches these samples by number; they come in this order. */
static void pick_block(struct opened *opened, void *picker, void *unpacker,
    const uint32_t *numbers, size_t count)
{
	const struct reader *reader = opened->reader;
	struct pick *picks = calloc(count, sizeof(*picks));
	struct sample sample = SAMPLE_INIT;
	struct chunk chunk = CHUNK_INIT;
	char where[256] = "";

	assert_non_null(picks);
	for (size_t i = 0; i < count; i++)
		picks[i] = (struct pick){ .number = numbers[i], .place = i };
	qsort(picks, count, sizeof(*picks), compare_picks);
	chunk.picked = true;
	chunk.samples = count;
	test_ok(reader->ops->picker_fetch(
	            picker, picks, count, &chunk, &opened->err),
	    &opened->err);
	test_ok(reader_unpack(reader, unpacker, &chunk, &opened->err),
	    &opened->err);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
		    reader->ops->next(reader, &chunk, &sample, &opened->err),
		    1);
		assert_int_equal(
		    find_seen(opened, &sample)->number, numbers[i]);
		if (reader->ops->locate)
			reader->ops->locate(
			    reader, &chunk, where, sizeof(where));
	}
	assert_int_equal(
	    reader->ops->next(reader, &chunk, &sample, &opened->err), 0);
	chunk_release(&chunk);
	free(picks);
}

/* By number, in a random order, in blocks of several sizes. */
static void pick_all(struct opened *opened)
{
	const struct reader *reader = opened->reader;
	struct permutation order;
	void *picker, *unpacker;
	uint64_t at = 0, block = 1;

	test_ok(permutation_init(&order, opened->count, 5, 0, &opened->err),
	    &opened->err);
	picker = reader->ops->picker_open(reader, &opened->err);
	assert_non_null(picker);
	test_ok(
	    reader_unpacker_new(reader, &unpacker, &opened->err), &opened->err);
	while (at < order.count) {
		const uint64_t left = order.count - at;
		const uint64_t count = left < block ? left : block;

		pick_block(opened, picker, unpacker, order.at + at, count);
		at += count;
		block = block * 2 + 1;
	}
	reader_unpacker_free(reader, unpacker);
	reader->ops->picker_close(picker);
	permutation_release(&order);
}

void opened_all(
    struct opened *opened, const char *dir, const char *section, uint64_t limit)
{
	test_ok(opened_open(opened, dir, section, limit), &opened->err);
	test_ok(opened_read(opened, 0), &opened->err);
	load_all(opened);
	if (reader_can_pick(opened->reader))
		pick_all(opened);
}

void opened_fails(const char *dir, const char *section, const char *words)
{
	struct opened opened;

	if (opened_open(&opened, dir, section, 0) == 0 &&
	    opened_read(&opened, 0) == 0)
		fail_msg("'%s' was read", section);
	test_contains(opened.err.text, words);
	opened_close(&opened);
}

/* ---- damaged datasets ---- */

static int skim_chunk(
    const struct reader *reader, struct chunk *chunk, struct error *err)
{
	struct sample sample = SAMPLE_INIT;
	void *unpacker;
	int got;

	test_ok(reader_unpacker_new(reader, &unpacker, err), err);
	got = reader_unpack(reader, unpacker, chunk, err);
	while (got == 0) {
		got = reader->ops->next(reader, chunk, &sample, err);
		if (got == 0)
			break;
		got = got < 0 ? -1 : 0;
		if (got == 0)
			sample_hash(&sample, &reader->schema);
	}
	reader_unpacker_free(reader, unpacker);
	return got;
}

static int skim(const struct reader *reader, struct error *err)
{
	struct chunk chunk = CHUNK_INIT;
	int got = 0;

	for (size_t i = 0; got == 0 && i < reader->streams; i++) {
		void *stream = reader->ops->stream_open(reader, i, err);

		assert_non_null(stream);
		while ((got = reader->ops->stream_fetch(stream, &chunk, err)) >
		       0) {
			got = skim_chunk(reader, &chunk, err);
			chunk_reset(&chunk);
			if (got)
				break;
		}
		reader->ops->stream_close(stream);
	}
	chunk_release(&chunk);
	return got;
}

void opened_skim(const char *dir, const char *section)
{
	struct opened opened;

	if (opened_open(&opened, dir, section, 0) ||
	    skim(opened.reader, &opened.err))
		assert_string_not_equal(opened.err.text, "");
	opened_close(&opened);
}
