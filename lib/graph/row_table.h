/*
 * row_table.h - a table of random rows, for graphs without features.  Row i
 * depends on the seed and i only.
 *
 * The program shares one table of each kind.  It is made in parts, each when
 * one of its rows is first needed.
 */
#ifndef LIB_GRAPH_ROW_TABLE_H
#define LIB_GRAPH_ROW_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/sample/dtype.h"

struct error;
struct row_table;

struct row_kind {
	uint64_t seed;
	size_t columns;
	enum dtype dtype; /* DTYPE_F32 or DTYPE_F16; values from -1 to 1 */
};

/* Returns the table of this kind, which may be shared. */
struct row_table *row_table_take(
    const struct row_kind *kind, struct error *err);
void row_table_drop(struct row_table *table); /* NULL is fine */

/* Copies the rows with these numbers, which must not be negative. */
int row_table_gather(struct row_table *table, const int32_t *rows, size_t count,
    void *out, struct error *err);

/* The same for a table in one piece with rows of `bytes` bytes. */
void rows_gather(const void *table, size_t bytes, const int32_t *rows,
    size_t count, void *out);

#endif
