/*
 * fuzz_stored_columns.c - any bytes as a block of the stores mds and parquet:
 * an error, or samples that fulfil the schema. The first byte chooses the store
 * and the schema.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
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
		{ DTYPE_U8, LAYOUT_HWC, { 3, { 2, 2, 3 } }, "" },
	};
	struct error err;

	require(schema_add(schema, "data", &types[choice % 4], &err) == 0);
	if (choice & 4)
		require(schema_add(schema, "mask", &types[1], &err) == 0);
	if (choice & 8)
		require(schema_add(schema, "text", &types[0], &err) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct store_ops *store;
	struct error err = ERROR_INIT;
	struct schema schema = { .count = 0 };
	struct sample sample = SAMPLE_INIT;
	struct chunk chunk = CHUNK_INIT;
	unsigned char *bytes;
	int got;

	if (len == 0)
		return 0;
	store = data[0] & 16 ? &store_mds : &store_parquet;
	make_schema(&schema, data[0]);
	/* Of just the size, so that the sanitizer sees the end. */
	bytes = malloc(len);
	require(bytes != NULL);
	memcpy(bytes, data + 1, len - 1);
	chunk.stored.data = bytes;
	chunk.stored.len = len - 1;
	chunk.bytes = buf_span(&chunk.stored);
	while ((got = store->next(&schema, &chunk, &sample, &err)) > 0) {
		require(sample.count == schema.count);
		sample_hash(&sample, &schema);
	}
	require(got == 0 || err.code == ERROR_DATA);
	chunk.stored.data = NULL;
	chunk_release(&chunk);
	free(bytes);
	return 0;
}
