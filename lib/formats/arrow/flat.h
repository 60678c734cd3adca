/*
 * flat.h - reads FlatBuffers, in which the metadata of Arrow is.
 *
 * A table has fields by number, at places that its own list of offsets gives.
 * Everything is checked against the bytes that there are: what is damaged reads
 * as missing.
 */
#ifndef LIB_FORMATS_ARROW_FLAT_H
#define LIB_FORMATS_ARROW_FLAT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct flat_table {
	struct span all; /* the whole buffer; no data: there is no table */
	size_t at;
	size_t list;      /* the list of offsets */
	size_t list_size; /* bytes */
	size_t size;      /* bytes of the table */
};

struct flat_vector {
	struct span all;
	size_t at; /* the first item */
	uint32_t count;
};

static inline bool flat_is_there(const struct flat_table *table)
{
	return table->all.data != NULL;
}

/* Returns the root of a buffer. */
struct flat_table flat_root(struct span all);
/* Return fields of a table: `otherwise`, nothing or empty if missing. */
int64_t flat_integer(const struct flat_table *table, unsigned field,
    unsigned bytes, int64_t otherwise);
struct flat_table flat_child(const struct flat_table *table, unsigned field);
struct span flat_text(const struct flat_table *table, unsigned field);
/* Items have `size` bytes; tables have 4. */
struct flat_vector flat_list(
    const struct flat_table *table, unsigned field, size_t size);

/* Return item `i` < count: a table, or 8 bytes of a list of structs. */
struct flat_table flat_item(const struct flat_vector *vector, uint32_t i);
int64_t flat_long(
    const struct flat_vector *vector, size_t size, uint32_t i, size_t offset);

#endif
