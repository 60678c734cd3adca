/*
 * fuzz_mds.c - any bytes as a dataset of the source mds: an error, or samples
 * that fulfil the schema. The first line is index.json, and the rest the shard
 * that it is likely to name.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "datasets/tables/table.h"
#include "test/fuzz/read_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct table_options options = { .fields = NULL };
	const uint8_t *end = len ? memchr(data, '\n', len) : NULL;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_memory(NULL, &err);
	size_t index = len;

	require(medium != NULL);
	if (end)
		index = (size_t)(end - data);
	put_file(medium, "d/index.json", data, index, &err);
	if (end)
		put_file(medium, "d/s.mds", end + 1, len - index - 1, &err);
	read_table(&source_mds, medium, "d/index.json", &options);
	medium_free(medium);
	return 0;
}
