/* flat.c - see flat.h. */
#include "lib/formats/arrow/flat.h"

#include <string.h>

enum { LIST_HEAD = 4 }; /* bytes of a list of offsets before the first one */

/* Reads a little-endian number; 0 behind the end. */
static uint64_t number_at(struct span all, size_t at, unsigned bytes)
{
	uint64_t number = 0;

	if (at <= all.len && bytes <= all.len - at)
		memcpy(&number, all.data + at, bytes);
	return number;
}

static struct flat_table table_at(struct span all, uint64_t at)
{
	const struct flat_table nothing = { .at = 0 };
	struct flat_table table = { .all = all, .at = (size_t)at };
	int64_t list;

	if (at > all.len || all.len - at < sizeof(int32_t))
		return nothing;
	list =
	    (int64_t)at - (int32_t)number_at(all, (size_t)at, sizeof(int32_t));
	if (list < 0 || (uint64_t)list > all.len ||
	    all.len - (uint64_t)list < LIST_HEAD)
		return nothing;
	table.list = (size_t)list;
	table.list_size = (size_t)number_at(all, table.list, 2);
	table.size = (size_t)number_at(all, table.list + 2, 2);
	if (table.list_size > all.len - table.list ||
	    table.size > all.len - table.at)
		return nothing;
	return table;
}

struct flat_table flat_root(struct span all)
{
	return table_at(all, number_at(all, 0, sizeof(uint32_t)));
}

/* Returns the place of a field of so many bytes; 0: it is missing. */
static size_t place_of(
    const struct flat_table *table, unsigned field, unsigned bytes)
{
	const size_t entry = LIST_HEAD + 2 * (size_t)field;
	size_t offset;

	if (!flat_is_there(table) || entry + 2 > table->list_size)
		return 0;
	offset = (size_t)number_at(table->all, table->list + entry, 2);
	if (offset == 0 || offset > table->size || bytes > table->size - offset)
		return 0;
	return table->at + offset;
}

int64_t flat_integer(const struct flat_table *table, unsigned field,
    unsigned bytes, int64_t otherwise)
{
	const size_t at = place_of(table, field, bytes);
	uint64_t number;

	if (!at)
		return otherwise;
	number = number_at(table->all, at, bytes);
	switch (bytes) {
	case 1:
		return (int8_t)number;
	case 2:
		return (int16_t)number;
	case 4:
		return (int32_t)number;
	default:
		return (int64_t)number;
	}
}

/* Returns where a field points to; 0: nowhere. */
static uint64_t target_of(const struct flat_table *table, unsigned field)
{
	const size_t at = place_of(table, field, sizeof(uint32_t));

	return at ? at + number_at(table->all, at, sizeof(uint32_t)) : 0;
}

struct flat_table flat_child(const struct flat_table *table, unsigned field)
{
	const uint64_t at = target_of(table, field);
	const struct flat_table nothing = { .at = 0 };

	return at ? table_at(table->all, at) : nothing;
}

struct flat_vector flat_list(
    const struct flat_table *table, unsigned field, size_t size)
{
	const uint64_t at = target_of(table, field);
	struct flat_vector vector = { .all = table->all };

	if (!at || at > table->all.len ||
	    table->all.len - at < sizeof(uint32_t))
		return vector;
	vector.at = (size_t)at + sizeof(uint32_t);
	vector.count =
	    (uint32_t)number_at(table->all, (size_t)at, sizeof(uint32_t));
	if (vector.count > (table->all.len - vector.at) / size)
		vector.count = 0;
	return vector;
}

struct span flat_text(const struct flat_table *table, unsigned field)
{
	const struct flat_vector text = flat_list(table, field, 1);

	return (struct span){ text.count ? text.all.data + text.at : NULL,
		text.count };
}

struct flat_table flat_item(const struct flat_vector *vector, uint32_t i)
{
	const size_t at = vector->at + sizeof(uint32_t) * (size_t)i;

	return table_at(
	    vector->all, at + number_at(vector->all, at, sizeof(uint32_t)));
}

int64_t flat_long(
    const struct flat_vector *vector, size_t size, uint32_t i, size_t offset)
{
	return (int64_t)number_at(vector->all,
	    vector->at + size * (size_t)i + offset, sizeof(int64_t));
}
