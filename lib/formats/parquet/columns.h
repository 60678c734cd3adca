/*
 * columns.h - the columns of the Parquet files that presto writes, for a schema
 * of samples: see lib/stores/parquet.c.
 */
#ifndef LIB_FORMATS_PARQUET_COLUMNS_H
#define LIB_FORMATS_PARQUET_COLUMNS_H

#include "lib/base/bytes.h"
#include "lib/formats/parquet/write.h"
#include "lib/sample/sample.h"

struct error;

enum {
	COLUMN_LEAVES = 2 + 2 * FIELDS_MAX,
	COLUMN_NODES = 2 + 3 * FIELDS_MAX,
};

enum column_role {
	COLUMN_KEY,
	COLUMN_LABEL,
	COLUMN_BYTES,  /* encoded */
	COLUMN_PATH,   /* path of encoded bytes */
	COLUMN_TENSOR, /* elements of a known shape */
	COLUMN_NPY,    /* a .npy file */
};

struct column_leaf {
	enum column_role role;
	unsigned field;
	enum parquet_type type;
	uint32_t width; /* bytes of a value; 0: they differ */
};

/* Lists the leaves of a schema; returns their number. */
unsigned column_leaves(
    const struct schema *schema, struct column_leaf leaves[COLUMN_LEAVES]);
/* Lists the columns as the file's schema has them; returns their number. */
unsigned column_nodes(
    const struct schema *schema, struct parquet_node nodes[COLUMN_NODES]);
/*
 * Appends the note PARQUET_KEY_TENSORS about columns of a fixed length:
 * {"data": {"dtype": "uint8", "shape": [2, 3]}}.
 */
int column_put_tensors(
    const struct schema *schema, struct buf *text, struct error *err);

#endif
