/* lmdb_rows.h - fetches the samples of an LMDB file, and unpacks them. */
#ifndef DATASETS_TABLES_LMDB_ROWS_H
#define DATASETS_TABLES_LMDB_ROWS_H

#include "datasets/tables/table.h"

/* In table->chosen; the values of further fields follow, and the label. */
enum lmdb_column { LMDB_KEY, LMDB_VALUE };

/* See struct table_format. The chunk gets one part for each slice. */
int lmdb_fetch(const struct table *table, struct table_file *file,
    struct table_slice *slice, struct chunk *chunk, struct error *err);
int lmdb_measure(const struct table *table, struct packed *packed,
    const struct chunk *chunk, size_t *bytes, struct error *err);
int lmdb_unpack(
    const struct table *table, struct table_unpack *at, struct error *err);
int lmdb_view(const struct table *table, unsigned id, struct span value,
    struct tensor *tensor, struct error *err);
int lmdb_judge(const struct table *table, struct error *err);
/* Returns the value of a fetched chunk's first sample. */
struct span lmdb_first_value(const struct chunk *chunk);

#endif
