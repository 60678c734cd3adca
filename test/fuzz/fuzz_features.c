/*
 * fuzz_features.c - any bytes as features of nodes: an error in words, or a
 * table of the size that was told.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/graph/feature_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { ELEMENTS_MOST = 1 << 20 };

static void require(int truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span text = { data, len };
	struct feature_size size;
	struct error err = ERROR_INIT;
	float *table;

	if (feature_file_size(text, &size, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
		return 0;
	}
	require(size.nodes > 0 && size.nodes <= FEATURE_NODES_MAX);
	require(size.columns <= FEATURE_COLUMNS_MAX);
	if (size.columns > ELEMENTS_MOST / size.nodes)
		return 0;
	table = calloc(size.nodes * size.columns + 1, sizeof(*table));
	require(table != NULL);
	require(feature_file_read(text, &size, table, &err) == 0);
	free(table);
	/* A table that is too small is told, and not written beyond. */
	if (size.columns > 1) {
		size.columns--;
		table = calloc(size.nodes * size.columns, sizeof(*table));
		require(table != NULL);
		feature_file_read(text, &size, table, &err);
		free(table);
	}
	return 0;
}
