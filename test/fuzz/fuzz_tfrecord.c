/*
 * fuzz_tfrecord.c - any bytes as records of the tfrecord store: an error, or
 * samples that fulfil the schema and come back when they are stored again, and
 * that are the same without those noted before.
 *
 * The first byte chooses the schema, and whether the rest is framed here as
 * the payload of one record, or as those of two of the same length: checksums
 * are not to be found by chance.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/formats/record.h"
#include "lib/stores/store.h"
#include "test/fuzz/lockstep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void make_schema(struct schema *schema, unsigned choice)
{
	static const struct type types[] = {
		{ DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } }, "" },
		{ DTYPE_F32, LAYOUT_PLAIN, { 2, { -1, 3 } }, "" },
		{ DTYPE_I64, LAYOUT_PLAIN, { 0, { 0 } }, "" },
	};
	struct error err;

	require(schema_add(schema, "a", &types[choice % 3], &err) == 0);
	if (choice & 4)
		require(schema_add(schema, "b", &types[1], &err) == 0);
	if (choice & 8)
		require(schema_add(schema, "ab", &types[2], &err) == 0);
}

static void store_again(
    const struct schema *schema, const struct sample *sample)
{
	struct error err = ERROR_INIT;
	struct chunk chunk = CHUNK_INIT;
	struct sample again = SAMPLE_INIT;

	require(
	    store_tfrecord.append(schema, sample, &chunk.stored, &err) == 0);
	chunk.bytes = buf_span(&chunk.stored);
	require(store_tfrecord.next(schema, &chunk, &again, &err) == 1);
	require(span_equal(sample->key, again.key));
	for (unsigned i = 0; i < sample->count; i++) {
		const struct tensor *a = &sample->fields[i];
		const struct tensor *b = &again.fields[i];

		require(a->bytes == b->bytes);
		require(
		    a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0);
	}
	chunk_release(&chunk);
}

enum { RAW = 16, TWO = 32 };

/* A copy of just the size, framed as the choice says. */
static void set_stored(
    struct chunk *chunk, const uint8_t *data, size_t len, unsigned choice)
{
	const unsigned frames = choice & RAW ? 0 : choice & TWO ? 2 : 1;
	const size_t each = frames ? len / frames : len;
	const size_t framed = RECORD_HEAD + each + RECORD_TAIL;
	unsigned char *bytes = malloc(frames * framed + len + 1);

	require(bytes != NULL);
	if (!frames && len)
		memcpy(bytes, data, len);
	for (unsigned i = 0; i < frames; i++) {
		unsigned char *record = bytes + i * framed;

		if (each)
			memcpy(record + RECORD_HEAD, data + i * each, each);
		record_frame(record, each);
	}
	chunk->stored.data = bytes;
	chunk->stored.len = frames ? frames * framed : len;
	chunk->bytes = buf_span(&chunk->stored);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct error err = ERROR_INIT;
	struct schema schema = { .count = 0 };
	struct sample sample = SAMPLE_INIT;
	struct chunk chunk = CHUNK_INIT;
	int got;

	if (len == 0)
		return 0;
	make_schema(&schema, data[0]);
	set_stored(&chunk, data + 1, len - 1, data[0]);
	lockstep(&store_tfrecord, &schema, chunk.bytes);
	while (
	    (got = store_tfrecord.next(&schema, &chunk, &sample, &err)) > 0) {
		require(sample.count == schema.count);
		store_again(&schema, &sample);
	}
	require(got == 0 || err.code == ERROR_DATA);
	free(chunk.stored.data);
	return 0;
}
