/*
 * fuzz_lmdb.c - any bytes as an LMDB file: an error, or samples that fulfil the
 * schema. The file is read as a whole, and as its database "b".
 */
#include <stddef.h>
#include <stdint.h>

#include "datasets/tables/lmdb_scan.h"
#include "test/fuzz/read_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct lmdb_options options[] = {
		{ .table.label = "directory" },
		{ .table.label = NULL },
		{ .table.match = "*0*", .database = "b" },
		{ .table.fields = "data:a/*,more:b/*" },
	};
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_memory(NULL, &err);

	require(medium != NULL);
	put_file(medium, "d/data.mdb", data, len, &err);
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		read_table(&source_lmdb, medium, "d", &options[i]);
	medium_free(medium);
	return 0;
}
