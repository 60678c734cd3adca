/* batch_wire.c - see batch_wire.h. */
#include "lib/service/batch_wire.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/service/wire.h"

enum {
	HEAD_BYTES = 28,
	LABEL_BYTES = 8,
	KEY_BYTES = 4, /* length of a key */
	DIM_BYTES = 8,
};

/* ---- sending ---- */

static int add_part(
    struct batch_packer *packer, void *data, size_t bytes, struct error *err)
{
	struct iovec *parts = array_grow(packer->parts, &packer->capacity,
	    packer->count + 1, sizeof(*parts), err);

	if (!parts)
		return -1;
	packer->parts = parts;
	parts[packer->count++] = (struct iovec){ data, bytes };
	packer->bytes += bytes;
	return 0;
}

static void put_keys(struct wire_writer *to, const struct batch *batch)
{
	for (unsigned i = 0; i < batch->count; i++)
		wire_put(to, (uint64_t)batch->slots[i].label, LABEL_BYTES);
	for (unsigned i = 0; i < batch->count; i++)
		wire_put(to, batch->slots[i].key.len, KEY_BYTES);
	for (unsigned i = 0; to->rc == 0 && i < batch->count; i++)
		to->rc = buf_append(to->to, batch->slots[i].key.data,
		    batch->slots[i].key.len, to->err);
}

/* The dims of a field that varies. */
static void put_dims(
    struct wire_writer *to, const struct batch *batch, unsigned field)
{
	for (unsigned i = 0; i < batch->count; i++) {
		const struct shape *shape =
		    &batch->slots[i].fields[field].shape;

		for (unsigned d = 0; d < shape->count; d++)
			wire_put(to, (uint64_t)shape->dims[d], DIM_BYTES);
	}
}

/* Do all samples have the dtype and the number of dims that were promised? */
static int check_field(const struct schema *schema, const struct batch *batch,
    unsigned field, struct error *err)
{
	const struct type *type = &schema->fields[field].type;

	for (unsigned i = 0; i < batch->count; i++) {
		const struct tensor *tensor = &batch->slots[i].fields[field];

		if (tensor->dtype != type->dtype ||
		    tensor->shape.count != type->shape.count)
			return error_set(err, ERROR_DATA,
			    "sample %u of a batch: field %s is not of its "
			    "type",
			    i, schema->fields[field].name);
	}
	return 0;
}

static int add_elements(struct batch_packer *packer, const struct batch *batch,
    bool is_lent, unsigned field, struct error *err)
{
	const size_t block = batch->slots[0].fields[field].bytes * batch->count;

	if (batch->blocks[field] && is_lent) {
		packer->bytes_there += block;
		return 0;
	}
	if (batch->blocks[field])
		return add_part(packer, batch->blocks[field], block, err);
	for (unsigned i = 0; i < batch->count; i++) {
		const struct tensor *tensor = &batch->slots[i].fields[field];

		if (tensor->bytes > 0 &&
		    add_part(packer, tensor->data, tensor->bytes, err))
			return -1;
	}
	return 0;
}

static int pack_fields(struct batch_packer *packer, struct wire_writer *to,
    const struct schema *schema, const struct batch *batch, bool is_lent)
{
	for (unsigned f = 0; to->rc == 0 && f < schema->count; f++) {
		if (check_field(schema, batch, f, to->err))
			return -1;
		if (type_bytes(&schema->fields[f].type) < 0)
			put_dims(to, batch, f);
	}
	for (unsigned f = 0; to->rc == 0 && f < schema->count; f++)
		if (add_elements(packer, batch, is_lent, f, to->err))
			return -1;
	return to->rc;
}

int batch_pack(struct batch_packer *packer, const struct batch_head *head,
    const struct schema *schema, const struct batch *batch, struct error *err)
{
	struct wire_writer to = { .to = &packer->head, .err = err };
	const bool has_samples = batch && batch->count > 0;

	packer->head.len = 0;
	packer->count = 0;
	packer->bytes = packer->bytes_there = 0;
	if (add_part(packer, NULL, 0, err) || add_part(packer, NULL, 0, err))
		return -1;
	wire_put(&to, head->epoch, 4);
	wire_put(&to, has_samples ? batch->count : 0, 4);
	wire_put(&to, head->number, 8);
	wire_put(&to, head->skipped, 4);
	wire_put(&to, head->filtered, 4);
	wire_put(&to, head->place, 4);
	if (has_samples) {
		put_keys(&to, batch);
		if (pack_fields(packer, &to, schema, batch, head->place > 0))
			return -1;
	}
	packer->parts[1] =
	    (struct iovec){ packer->head.data, packer->head.len };
	packer->bytes += packer->head.len;
	return to.rc;
}

void batch_packer_release(struct batch_packer *packer)
{
	buf_release(&packer->head);
	free(packer->parts);
	*packer = (struct batch_packer)BATCH_PACKER_INIT;
}

/* ---- receiving ---- */

static int invalid(const char *what, struct error *err)
{
	return error_set(err, ERROR_DATA, "an invalid batch: %s", what);
}

int wire_read(
    struct wire_input *input, void *to, size_t bytes, struct error *err)
{
	if (bytes > input->left)
		return invalid("it is cut short", err);
	input->left -= bytes;
	return bytes ? input->read(input->arg, to, bytes, err) : 0;
}

int batch_read_head(struct wire_input *input, unsigned capacity,
    struct batch_head *head, struct error *err)
{
	unsigned char text[HEAD_BYTES];

	if (wire_read(input, text, sizeof(text), err))
		return -1;
	*head = (struct batch_head){
		.epoch = (uint32_t)wire_number(text, 4),
		.count = (uint32_t)wire_number(text + 4, 4),
		.number = wire_number(text + 8, 8),
		.skipped = (uint32_t)wire_number(text + 16, 4),
		.filtered = (uint32_t)wire_number(text + 20, 4),
		.place = (uint32_t)wire_number(text + 24, 4),
	};
	if (head->count > capacity)
		return invalid("it has too many samples", err);
	if (head->count == 0 && head->place > 0)
		return invalid("it is lent, and empty", err);
	return 0;
}

/* Reads a part of the body into `room`. */
static int read_room(
    struct wire_input *input, size_t bytes, struct buf *room, struct error *err)
{
	if (bytes > input->left)
		return invalid("it is cut short", err);
	if (buf_reserve(room, bytes, err))
		return -1;
	return wire_read(input, room->data, bytes, err);
}

/* Gives the slots their keys; `lengths` lie in front of the keys in `room`. */
static int set_keys(struct batch *batch, unsigned count,
    const unsigned char *lengths, struct span keys, struct error *err)
{
	for (unsigned i = 0; i < count; i++) {
		const size_t len =
		    (size_t)wire_number(lengths + i * KEY_BYTES, KEY_BYTES);

		if (batch_put(batch, i,
		        (struct span){ .data = keys.data, .len = len }, err))
			return -1;
		keys.data += len;
	}
	return 0;
}

static int read_keys(struct wire_input *input, unsigned count,
    struct batch *batch, struct buf *room, struct error *err)
{
	const size_t lengths = (size_t)count * LABEL_BYTES;
	const size_t front = lengths + (size_t)count * KEY_BYTES;
	size_t bytes = 0;

	if (read_room(input, front, room, err))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		const size_t len = (size_t)wire_number(
		    room->data + lengths + i * KEY_BYTES, KEY_BYTES);

		if (len > KEY_MAX)
			return invalid("a key is too long", err);
		batch->slots[i].label = (int64_t)wire_number(
		    room->data + i * LABEL_BYTES, LABEL_BYTES);
		bytes += len;
	}
	if (bytes > input->left)
		return invalid("it is cut short", err);
	room->len = front;
	if (buf_reserve(room, front + bytes, err) ||
	    wire_read(input, room->data + front, bytes, err))
		return -1;
	return set_keys(batch, count, room->data + lengths,
	    (struct span){ .data = room->data + front, .len = bytes }, err);
}

/*
 * Makes room in a slot; the dims come from the message, or from the type.  Its
 * bytes are taken from those that the body has left.
 */
static int shape_slot(uint64_t *left, const struct type *type,
    const unsigned char *dims, struct tensor *tensor, struct error *err)
{
	struct shape shape = type->shape;
	size_t bytes = dtype_bytes(type->dtype);

	for (unsigned d = 0; d < shape.count; d++) {
		if (dims)
			shape.dims[d] = (int64_t)wire_number(
			    dims + d * DIM_BYTES, DIM_BYTES);
		if (shape.dims[d] < 0 ||
		    (type->shape.dims[d] >= 0 &&
		        shape.dims[d] != type->shape.dims[d]))
			return invalid("a shape is not of its type", err);
		if (size_mul(bytes, (size_t)shape.dims[d], &bytes))
			return invalid("a shape is too large", err);
	}
	if (bytes > *left)
		return invalid("it is cut short", err);
	*left -= bytes;
	return tensor_reshape(tensor, type->dtype, &shape, err);
}

/* Is the field not in the body, since both sides have its memory? */
static bool is_there(const struct batch *batch, unsigned field)
{
	return batch->place > 0 && batch->blocks[field];
}

/* Reads the dims of a field that varies, and makes room for its elements. */
static int shape_field(struct wire_input *input, const struct type *type,
    struct batch *batch, unsigned field, struct buf *room, struct error *err)
{
	const bool varies = type_bytes(type) < 0;
	const size_t each = type->shape.count * (size_t)DIM_BYTES;
	uint64_t left = UINT64_MAX;

	if (varies && read_room(input, each * batch->count, room, err))
		return -1;
	if (!is_there(batch, field))
		left = input->left;
	for (unsigned i = 0; i < batch->count; i++)
		if (shape_slot(&left, type,
		        varies ? room->data + i * each : NULL,
		        &batch->slots[i].fields[field], err))
			return -1;
	return 0;
}

static int read_elements(struct wire_input *input, struct batch *batch,
    unsigned field, struct error *err)
{
	if (is_there(batch, field))
		return 0;
	if (batch->blocks[field])
		return wire_read(input, batch->blocks[field],
		    batch->slots[0].fields[field].bytes * batch->count, err);
	for (unsigned i = 0; i < batch->count; i++) {
		struct tensor *tensor = &batch->slots[i].fields[field];

		if (wire_read(input, tensor->data, tensor->bytes, err))
			return -1;
	}
	return 0;
}

int batch_read(struct wire_input *input, const struct batch_head *head,
    const struct schema *schema, struct batch *batch, struct buf *room,
    struct error *err)
{
	const unsigned count = head->count;

	/* The slots whose memory is given back, whatever happens. */
	batch->count = count;
	if (count > 0 && read_keys(input, count, batch, room, err))
		return -1;
	for (unsigned i = 0; i < count; i++)
		batch->slots[i].count = schema->count;
	for (unsigned f = 0; count > 0 && f < schema->count; f++)
		if (shape_field(
		        input, &schema->fields[f].type, batch, f, room, err))
			return -1;
	for (unsigned f = 0; count > 0 && f < schema->count; f++)
		if (read_elements(input, batch, f, err))
			return -1;
	if (input->left > 0)
		return invalid("it is too long", err);
	return 0;
}
