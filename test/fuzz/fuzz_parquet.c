/*
 * fuzz_parquet.c - any bytes as a file of the source parquet: an error, or
 * samples that fulfil the schema. All columns that can be read are fields in
 * turn.
 */
#include <stddef.h>
#include <stdint.h>

#include "datasets/tables/table.h"
#include "test/fuzz/read_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const fields[] = { NULL, "image", "text", "ids",
		"vec, flag, label", "big, some" };
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_memory(NULL, &err);

	require(medium != NULL);
	put_file(medium, "a.parquet", data, len, &err);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct table_options options = { .fields = fields[i],
			.match = "*" };

		read_table(&source_parquet, medium, "a.parquet", &options);
	}
	medium_free(medium);
	return 0;
}
