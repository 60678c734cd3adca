/*
 * row_table.h - a table of random rows, for graphs that come without features:
 * what is in row i follows from the seed and i.
 *
 * One table of a kind is shared by the whole program.  It is made in pieces,
 * each when one of its rows is first asked for.
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
	enum dtype dtype; /* DTYPE_F32 or DTYPE_F16: from -1 to 1 */
};

/* The table of this kind, which others may have as well. */
struct row_table *row_table_take(
    const struct row_kind *kind, struct error *err);
void row_table_drop(struct row_table *table); /* NULL is fine */

/* Rows of these numbers, none negative, one behind the other. */
int row_table_gather(struct row_table *table, const int32_t *rows, size_t count,
    void *out, struct error *err);

/* The same of rows of `bytes` bytes that lie one behind the other. */
void rows_gather(const void *table, size_t bytes, const int32_t *rows,
    size_t count, void *out);

#endif
