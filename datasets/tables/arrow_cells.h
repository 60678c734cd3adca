/*
 * arrow_cells.h - rows of a record batch of Arrow: fetched, and made cells.
 *
 * The parts of a slice are first the offsets of each column that has some, then
 * for each column the bits of its nulls, and its data. Of a plain batch, they
 * are those of the slice's rows; of a compressed one, they are whole buffers.
 */
#ifndef DATASETS_TABLES_ARROW_CELLS_H
#define DATASETS_TABLES_ARROW_CELLS_H

#include "datasets/tables/table.h"
#include "lib/formats/arrow/arrow.h"

struct error;

/* The wanted columns of a file: in others, a column may have another form. */
struct arrow_file {
	struct arrow_column columns[TABLE_CHOSEN];
};

struct arrow_group {
	uint64_t body; /* where it is in the file */
	struct arrow_batch batch;
	struct arrow_place *places; /* [table->count]; owned */
};

struct arrow {                     /* table->own of the source */
	struct arrow_file **files; /* owned */
	size_t file_count, file_capacity;
	struct arrow_group *groups; /* owned */
	size_t group_count, group_capacity;
};

/* Functions of struct table_format. */
int arrow_fetch(const struct table *table, struct table_file *file,
    struct table_slice *slice, struct chunk *chunk, struct error *err);
int arrow_measure(const struct table *table, struct packed *packed,
    const struct chunk *chunk, size_t *bytes, struct error *err);
int arrow_unpack(
    const struct table *table, struct table_unpack *at, struct error *err);

#endif
