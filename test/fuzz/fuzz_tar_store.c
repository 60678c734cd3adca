/*
 * fuzz_tar_store.c - any bytes as a block of the tar store: an error, or
 * samples that fulfil the schema and come back when they are stored again, and
 * that are the same without those noted before. The first byte chooses the
 * schema.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
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

	require(schema_add(schema, "data", &types[choice % 3], &err) == 0);
	if (choice & 4)
		require(schema_add(schema, "mask", &types[1], &err) == 0);
	if (choice & 8)
		require(schema_add(schema, "text", &types[0], &err) == 0);
}

/* Stored again and read again, it is the same; long keys are refused. */
static void store_again(
    const struct schema *schema, const struct sample *sample)
{
	struct error err = ERROR_INIT;
	struct chunk chunk = CHUNK_INIT;
	struct sample again = SAMPLE_INIT;

	if (store_tar.append(schema, sample, &chunk.stored, &err)) {
		require(err.code == ERROR_DATA);
	} else {
		chunk.bytes = buf_span(&chunk.stored);
		require(store_tar.next(schema, &chunk, &again, &err) == 1);
		require(span_equal(sample->key, again.key));
		require(
		    sample_hash(sample, schema) == sample_hash(&again, schema));
		require(chunk.at == chunk.stored.len);
	}
	chunk_release(&chunk);
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
	lockstep(&store_tar, &schema, (struct span){ data + 1, len - 1 });
	/* Of just the size, so that the sanitizer sees the end. */
	chunk.stored.len = len - 1;
	chunk.stored.data = malloc(len);
	require(chunk.stored.data != NULL);
	memcpy(chunk.stored.data, data + 1, len - 1);
	chunk.bytes = buf_span(&chunk.stored);
	while ((got = store_tar.next(&schema, &chunk, &sample, &err)) > 0) {
		require(sample.count == schema.count);
		store_again(&schema, &sample);
	}
	require(got == 0 || err.code == ERROR_DATA);
	free(chunk.stored.data);
	return 0;
}
