/* batch.c - see arrow.h: messages, and the buffers of record batches. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/arrow/arrow.h"
#include "lib/formats/arrow/flat.h"

enum { /* fields of tables */
	MESSAGE_KIND = 1,
	MESSAGE_HEADER = 2,
	MESSAGE_BODY = 3,
	BATCH_ROWS = 0,
	BATCH_NODES = 1,
	BATCH_BUFFERS = 2,
	BATCH_COMPRESSION = 3,
};

enum { PAIR = 16 }; /* bytes of a node, and of a buffer */

static const uint32_t continuation = 0xffffffff;

int arrow_take_head(struct span bytes, size_t *head, uint64_t *metadata)
{
	uint32_t words[2] = { 0, 0 };

	memcpy(words, bytes.data,
	    bytes.len < sizeof(words) ? bytes.len : sizeof(words));
	/* Before Arrow 0.15 there was no mark in front of the length. */
	*head =
	    words[0] == continuation ? 2 * sizeof(uint32_t) : sizeof(uint32_t);
	*metadata = words[0] == continuation ? words[1] : words[0];
	return bytes.len >= *head && *metadata > 0;
}

int arrow_read_head(
    struct span metadata, struct arrow_head *head, struct error *err)
{
	const struct flat_table message = flat_root(metadata);
	const int64_t kind = flat_integer(&message, MESSAGE_KIND, 1, 0);
	const int64_t body = flat_integer(&message, MESSAGE_BODY, 8, 0);

	if (!flat_is_there(&message) || kind < ARROW_IS_SCHEMA || body < 0)
		return error_set(err, ERROR_DATA,
		    "is no Arrow stream, or a message is damaged");
	*head = (struct arrow_head){
		.kind = (enum arrow_message)kind,
		.body = (uint64_t)body,
	};
	return 0;
}

static struct flat_table batch_of(struct span metadata)
{
	const struct flat_table message = flat_root(metadata);

	return flat_child(&message, MESSAGE_HEADER);
}

static int damaged(struct error *err)
{
	return error_set(err, ERROR_DATA, "a record batch is damaged");
}

int arrow_read_batch(struct span metadata, const struct arrow_schema *schema,
    uint64_t body, struct arrow_batch *batch, struct error *err)
{
	const struct flat_table table = batch_of(metadata);
	const struct flat_table packing = flat_child(&table, BATCH_COMPRESSION);
	const struct flat_vector nodes = flat_list(&table, BATCH_NODES, PAIR);
	const struct flat_vector buffers =
	    flat_list(&table, BATCH_BUFFERS, PAIR);
	const int64_t rows = flat_integer(&table, BATCH_ROWS, 8, 0);

	UNUSED(body);
	if (!flat_is_there(&table) || rows < 0 ||
	    nodes.count != schema->nodes || buffers.count != schema->buffers)
		return damaged(err);
	batch->rows = (uint64_t)rows;
	batch->packed = PACKED_NONE;
	if (!flat_is_there(&packing))
		return 0;
	switch (flat_integer(&packing, 0, 1, 0)) {
	case 0:
		batch->packed = PACKED_LZ4_FRAME;
		return 0;
	case 1:
		batch->packed = PACKED_ZSTD;
		return 0;
	default:
		return error_set(err, ERROR_DATA,
		    "a record batch has a compression that is not known");
	}
}

static int get_buffer(const struct flat_vector *buffers, unsigned number,
    uint64_t body, struct arrow_buffer *buffer)
{
	const int64_t offset = flat_long(buffers, PAIR, number, 0);
	const int64_t bytes = flat_long(buffers, PAIR, number, 8);

	if (number >= buffers->count || offset < 0 || bytes < 0 ||
	    (uint64_t)offset > body ||
	    (uint64_t)bytes > body - (uint64_t)offset)
		return -1;
	*buffer = (struct arrow_buffer){ (uint64_t)offset, (uint64_t)bytes };
	return 0;
}

/* Is a buffer large enough for so many bytes, or compressed? */
static bool holds(const struct arrow_buffer *buffer,
    const struct arrow_batch *batch, uint64_t bytes)
{
	return batch->packed != PACKED_NONE || buffer->bytes >= bytes;
}

/* Adds the bits of a node, if it has nulls. */
static int add_valid(const struct flat_table *table, unsigned node,
    unsigned buffer, uint64_t body, const struct arrow_batch *batch,
    struct arrow_place *place)
{
	const struct flat_vector nodes = flat_list(table, BATCH_NODES, PAIR);
	const struct flat_vector buffers =
	    flat_list(table, BATCH_BUFFERS, PAIR);
	struct arrow_buffer *valid = &place->valid[place->valids];

	if (flat_long(&nodes, PAIR, node, 0) != (int64_t)batch->rows)
		return -1;
	if (flat_long(&nodes, PAIR, node, 8) == 0)
		return 0;
	if (get_buffer(&buffers, buffer, body, valid))
		return -1;
	if (valid->bytes == 0)
		return 0;
	place->valids++;
	return holds(valid, batch, (batch->rows + 7) / 8) ? 0 : -1;
}

static int find_values(const struct flat_table *table,
    const struct arrow_column *column, uint64_t body,
    const struct arrow_batch *batch, struct arrow_place *place)
{
	const struct flat_vector buffers =
	    flat_list(table, BATCH_BUFFERS, PAIR);
	const uint64_t rows = batch->rows;
	unsigned data = column->buffer + 1;
	uint64_t bytes;

	if (column->offset_bytes) {
		if (get_buffer(&buffers, data, body, &place->offsets))
			return -1;
		/* Without rows, there may be no offset. */
		if (rows && !holds(&place->offsets, batch,
		                (rows + 1) * column->offset_bytes))
			return -1;
		data++;
	}
	/* The numbers of lists follow the bits of their own nulls. */
	if (column->kind == ARROW_LIST)
		data = column->buffer + 3;
	if (column->kind == ARROW_ARRAY)
		data = column->buffer + 2;
	if (get_buffer(&buffers, data, body, &place->data))
		return -1;
	if (column->offset_bytes)
		return 0;
	if (__builtin_mul_overflow(rows, column->width, &bytes))
		return -1;
	if (column->is_flag)
		bytes = (rows + 7) / 8;
	return holds(&place->data, batch, bytes) ? 0 : -1;
}

int arrow_find(struct span metadata, const struct arrow_column *column,
    uint64_t body, const struct arrow_batch *batch, struct arrow_place *place,
    struct error *err)
{
	const struct flat_table table = batch_of(metadata);
	const struct flat_vector nodes = flat_list(&table, BATCH_NODES, PAIR);

	*place = (struct arrow_place){ .valids = 0 };
	for (unsigned i = 0; i < column->parents; i++)
		if (add_valid(&table, column->parent[i].node,
		        column->parent[i].buffer, body, batch, place))
			return damaged(err);
	if (add_valid(
	        &table, column->node, column->buffer, body, batch, place) ||
	    find_values(&table, column, body, batch, place))
		return damaged(err);
	if ((column->kind == ARROW_LIST || column->kind == ARROW_ARRAY) &&
	    flat_long(&nodes, PAIR, column->elements_node, 8) != 0)
		return error_set(err, ERROR_DATA,
		    "column '%s': a list holds a null, which no tensor can",
		    column->name);
	return 0;
}
