/*
 * lmdb_gather.h - gathers the samples of a slice in a chunk; for lmdb_rows.c
 * and lmdb_values.c.
 */
#ifndef DATASETS_TABLES_LMDB_GATHER_H
#define DATASETS_TABLES_LMDB_GATHER_H

#include <stdint.h>

#include "datasets/tables/lmdb_file.h"
#include "datasets/tables/table.h"

/* A sample; what `at` counts lies in chunk->stored. */
struct lmdb_row {
	uint64_t key_at, key_len;
	const unsigned char *mapped; /* the value; NULL: it is at value_at */
	uint64_t value_at, value_len;
	uint64_t page; /* the first page of a large value; else 0 */
	int64_t label; /* the label in a Datum; set by lmdb_unpack */
};

enum { LMDB_ROW = sizeof(struct lmdb_row) };

/* The values of a field that are being gathered. */
struct lmdb_gather {
	struct lmdb *lmdb;
	const struct lmdb_list *list;
	struct table_file *file;
	struct chunk *chunk;
	size_t rows_at; /* of the field's table of samples, in chunk->stored */
	uint64_t rows;
};

static inline struct lmdb_row *lmdb_row_at(
    const struct lmdb_gather *gather, uint64_t i)
{
	unsigned char *rows = gather->chunk->stored.data + gather->rows_at;

	return (struct lmdb_row *)(void *)rows + i;
}

/* Gets the values of all rows that lie on pages of their own. */
int lmdb_get_values(struct lmdb_gather *gather, struct error *err);

#endif
