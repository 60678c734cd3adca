/*
 * fuzz_tfrecord.c - any bytes as records of the tfrecord store: an error, or
 * samples that fulfil the schema and come back when they are stored again.
 *
 * The first byte chooses the schema, and whether the rest is framed here as
 * the payload of one record: checksums are not to be found by chance.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/formats/record.h"
#include "lib/stores/store.h"

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

/* A copy of just the size; framed if the choice says so. */
static void set_stored(
    struct chunk *chunk, const uint8_t *data, size_t len, bool frame)
{
	const size_t ends = frame ? RECORD_HEAD + RECORD_TAIL : 0;
	unsigned char *bytes = malloc(len + ends + 1);

	require(bytes != NULL);
	if (len)
		memcpy(bytes + (frame ? RECORD_HEAD : 0), data, len);
	if (frame)
		record_frame(bytes, len);
	chunk->stored.data = bytes;
	chunk->stored.len = len + ends;
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
	set_stored(&chunk, data + 1, len - 1, (data[0] & 16) == 0);
	while (
	    (got = store_tfrecord.next(&schema, &chunk, &sample, &err)) > 0) {
		require(sample.count == schema.count);
		store_again(&schema, &sample);
	}
	require(got == 0 || err.code == ERROR_DATA);
	free(chunk.stored.data);
	return 0;
}
