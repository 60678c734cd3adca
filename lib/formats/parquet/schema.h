/* schema.h - the schema of a Parquet file: a tree of columns, as a list. */
#ifndef LIB_FORMATS_PARQUET_SCHEMA_H
#define LIB_FORMATS_PARQUET_SCHEMA_H

#include "lib/formats/parquet/metadata.h"
#include "lib/formats/parquet/thrift.h"

/* Reads the list of columns; adds the leaves to the metadata. */
int parquet_read_schema(struct thrift_reader *reader,
    const struct thrift_field *field, struct parquet_metadata *metadata,
    struct error *err);

#endif
