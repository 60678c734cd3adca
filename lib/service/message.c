/* message.c - see message.h. */
#include "lib/service/message.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/dtype.h"
#include "lib/service/wire.h"

enum {
	MARK = 0x5450, /* "PT", in front of every frame */
	SMALL = 1 << 13,
	FACTS_MOST = 64 << 20, /* names of classes may be many */
};

/* ---- frames ---- */

static uint64_t most_bytes(enum message_kind kind)
{
	switch (kind) {
	case MESSAGE_BATCH:
		return UINT64_C(1) << 40;
	case MESSAGE_WELCOME:
		return FACTS_MOST;
	default:
		return SMALL;
	}
}

void frame_put(const struct frame *frame, unsigned char text[FRAME_BYTES])
{
	wire_set_number(text, MARK, 2);
	wire_set_number(text + 2, frame->kind, 2);
	wire_set_number(text + 4, frame->turn, 4);
	wire_set_number(text + 8, frame->bytes, 8);
}

int frame_parse(const unsigned char text[FRAME_BYTES], struct frame *frame,
    struct error *err)
{
	const uint64_t kind = wire_number(text + 2, 2);

	if (wire_number(text, 2) != MARK || kind == 0 || kind >= MESSAGE_KINDS)
		return error_set(err, ERROR_DATA,
		    "what answers does not speak presto's protocol");
	*frame = (struct frame){
		.kind = (enum message_kind)kind,
		.turn = (uint32_t)wire_number(text + 4, 4),
		.bytes = wire_number(text + 8, 8),
	};
	if (frame->bytes > most_bytes(frame->kind))
		return error_set(err, ERROR_DATA,
		    "a message of kind %u with %llu bytes is too long",
		    (unsigned)frame->kind, (unsigned long long)frame->bytes);
	return 0;
}

/* ---- bodies ---- */

/* Says that a message is too short, too long, or has an impossible number. */
static int invalid(const char *what, struct error *err)
{
	return error_set(err, ERROR_DATA, "an invalid message: %s", what);
}

/* Was the body read to its end, and no further? */
static int check_end(
    const struct wire_reader *reader, const char *what, struct error *err)
{
	return reader->is_short || reader->rest.len > 0 ? invalid(what, err)
	                                                : 0;
}

int hello_put(const struct hello *hello, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, hello->version, 4);
	wire_put_text(&to, hello->token);
	wire_put_text(&to, hello->name);
	return to.rc;
}

int hello_parse(struct span body, struct hello *hello, struct error *err)
{
	struct wire_reader from = { .rest = body };

	hello->version = (uint32_t)wire_get(&from, 4);
	if (!from.is_short && hello->version != MESSAGE_VERSION)
		return error_set(err, ERROR_USAGE,
		    "the loader speaks version %u of the protocol, and this "
		    "worker version %d: use the same presto",
		    hello->version, MESSAGE_VERSION);
	hello->token = wire_get_text(&from);
	hello->name = wire_get_text(&from);
	if (hello->token.len > MESSAGE_TOKEN || hello->name.len >= MESSAGE_NAME)
		return invalid("HELLO", err);
	return check_end(&from, "HELLO", err);
}

/* ---- WELCOME ---- */

static void put_field(struct wire_writer *to, const struct field *field)
{
	const struct type *type = &field->type;

	wire_put_text(to, span_text(field->name));
	wire_put(to, type->dtype, 1);
	wire_put(to, type->layout, 1);
	wire_put_text(to, span_text(type->suffix));
	wire_put(to, type->shape.count, 1);
	for (unsigned i = 0; i < type->shape.count; i++)
		wire_put(to, (uint64_t)type->shape.dims[i], 8);
}

int service_facts_put(
    const struct service_facts *facts, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, MESSAGE_VERSION, 4);
	wire_put_text(&to, span_text(facts->version));
	wire_put_text(&to, span_text(facts->name));
	wire_put(&to, facts->samples, 8);
	wire_put(&to, facts->seed, 8);
	wire_put(&to, facts->identity, 8);
	wire_put(&to, facts->steps, 8);
	wire_put(&to, facts->skip_errors, 1);
	wire_put(&to, facts->schema.count, 1);
	for (unsigned f = 0; f < facts->schema.count; f++)
		put_field(&to, &facts->schema.fields[f]);
	wire_put(&to, facts->classes.count, 4);
	for (size_t i = 0; i < facts->classes.count; i++)
		wire_put_text(&to, span_text(facts->classes.names[i]));
	return to.rc;
}

static int parse_shape(
    struct wire_reader *from, struct shape *shape, struct error *err)
{
	shape->count = (unsigned)wire_get(from, 1);
	if (shape->count > SHAPE_MAX)
		return invalid("too many dims", err);
	for (unsigned i = 0; i < shape->count; i++) {
		shape->dims[i] = (int64_t)wire_get(from, 8);
		if (shape->dims[i] < -1)
			return invalid("a negative dim", err);
	}
	return 0;
}

static int parse_field(
    struct wire_reader *from, struct schema *schema, struct error *err)
{
	struct type type = { .layout = LAYOUT_PLAIN };
	char name[FIELD_NAME];
	uint64_t dtype, layout;
	size_t elements = 1;

	wire_get_words(from, name, sizeof(name));
	dtype = wire_get(from, 1);
	layout = wire_get(from, 1);
	wire_get_words(from, type.suffix, sizeof(type.suffix));
	if (dtype > DTYPE_F64 || layout > LAYOUT_ENCODED)
		return invalid("an unknown dtype", err);
	type.dtype = (enum dtype)dtype;
	type.layout = (enum layout)layout;
	if (parse_shape(from, &type.shape, err))
		return -1;
	for (unsigned i = 0; i < type.shape.count; i++)
		if (type.shape.dims[i] > 0 &&
		    size_mul(elements, (size_t)type.shape.dims[i], &elements))
			return invalid("a field is too large", err);
	if (elements > SIZE_MAX / 2 / sizeof(double))
		return invalid("a field is too large", err);
	if (from->is_short || schema_add(schema, name, &type, err))
		return invalid("a field", err);
	return 0;
}

static int parse_classes(
    struct wire_reader *from, struct classes *classes, struct error *err)
{
	const size_t count = (size_t)wire_get(from, 4);
	struct span *words;
	int rc;

	/* Each has a length of 4 bytes at least. */
	if (count > from->rest.len / 4)
		return invalid("the names of classes", err);
	if (count == 0)
		return 0;
	words = memory_zeroed(count * sizeof(*words), err);
	if (!words)
		return -1;
	for (size_t i = 0; i < count; i++)
		words[i] = wire_get_text(from);
	rc = from->is_short ? invalid("the names of classes", err)
	                    : classes_set(classes, words, count, err);
	free(words);
	return rc;
}

static int parse_facts(
    struct wire_reader *from, struct service_facts *facts, struct error *err)
{
	const uint64_t version = wire_get(from, 4);
	unsigned fields;

	if (!from->is_short && version != MESSAGE_VERSION)
		return error_set(err, ERROR_USAGE,
		    "the worker speaks version %llu of the protocol, and this "
		    "loader version %d: use the same presto",
		    (unsigned long long)version, MESSAGE_VERSION);
	wire_get_words(from, facts->version, sizeof(facts->version));
	wire_get_words(from, facts->name, sizeof(facts->name));
	facts->samples = wire_get(from, 8);
	facts->seed = wire_get(from, 8);
	facts->identity = wire_get(from, 8);
	facts->steps = wire_get(from, 8);
	facts->skip_errors = wire_get(from, 1);
	fields = (unsigned)wire_get(from, 1);
	if (from->is_short || fields == 0 || fields > FIELDS_MAX)
		return invalid("WELCOME", err);
	for (unsigned f = 0; f < fields; f++)
		if (parse_field(from, &facts->schema, err))
			return -1;
	if (parse_classes(from, &facts->classes, err))
		return -1;
	return check_end(from, "WELCOME", err);
}

int service_facts_parse(
    struct span body, struct service_facts *facts, struct error *err)
{
	struct wire_reader from = { .rest = body };

	*facts = (struct service_facts){ .classes = CLASSES_INIT };
	if (parse_facts(&from, facts, err) == 0)
		return 0;
	service_facts_release(facts);
	return -1;
}

void service_facts_release(struct service_facts *facts)
{
	classes_release(&facts->classes);
}

/* ---- the order, spans, credit ---- */

enum { ORDER_SHUFFLE = 1, ORDER_DROP_LAST = 2, ORDER_BORROWS = 4 };

int order_put(
    const struct service_order *order, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, order->batch, 4);
	wire_put(&to, order->rank, 4);
	wire_put(&to, order->world_size, 4);
	wire_put(&to,
	    (order->shuffle ? ORDER_SHUFFLE : 0u) |
	        (order->drop_last ? ORDER_DROP_LAST : 0u) |
	        (order->borrows ? ORDER_BORROWS : 0u),
	    4);
	wire_put(&to, order->seed, 8);
	return to.rc;
}

int order_parse(
    struct span body, struct service_order *order, struct error *err)
{
	struct wire_reader from = { .rest = body };
	uint64_t flags;

	order->batch = (uint32_t)wire_get(&from, 4);
	order->rank = (uint32_t)wire_get(&from, 4);
	order->world_size = (uint32_t)wire_get(&from, 4);
	flags = wire_get(&from, 4);
	order->seed = wire_get(&from, 8);
	order->shuffle = flags & ORDER_SHUFFLE;
	order->drop_last = flags & ORDER_DROP_LAST;
	order->borrows = flags & ORDER_BORROWS;
	if (flags > (ORDER_SHUFFLE | ORDER_DROP_LAST | ORDER_BORROWS))
		return invalid("OPEN", err);
	return check_end(&from, "OPEN", err);
}

int opened_put(const struct opened *opened, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, opened->order, 8);
	wire_put(&to, opened->batches, 8);
	wire_put(&to, opened->unit, 8);
	wire_put(&to, opened->places, 4);
	return to.rc;
}

int opened_parse(struct span body, struct opened *opened, struct error *err)
{
	struct wire_reader from = { .rest = body };

	opened->order = wire_get(&from, 8);
	opened->batches = wire_get(&from, 8);
	opened->unit = wire_get(&from, 8);
	opened->places = (uint32_t)wire_get(&from, 4);
	/* Spans of no batches would never get through an epoch. */
	if (opened->unit == 0 && opened->batches != UINT64_MAX)
		return invalid("OPENED", err);
	return check_end(&from, "OPENED", err);
}

int span_put(
    const struct ordered_span *span, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, span->epoch, 4);
	wire_put(&to, span->from, 8);
	wire_put(&to, span->end, 8);
	return to.rc;
}

int span_parse(struct span body, struct ordered_span *span, struct error *err)
{
	struct wire_reader from = { .rest = body };

	span->epoch = (uint32_t)wire_get(&from, 4);
	span->from = wire_get(&from, 8);
	span->end = wire_get(&from, 8);
	if (span->from > span->end)
		return invalid("ASK", err);
	return check_end(&from, "ASK", err);
}

int credit_put(uint32_t batches, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, batches, 4);
	return to.rc;
}

int credit_parse(struct span body, uint32_t *batches, struct error *err)
{
	struct wire_reader from = { .rest = body };

	*batches = (uint32_t)wire_get(&from, 4);
	return check_end(&from, "CREDIT", err);
}

int places_put(
    const uint32_t *places, unsigned count, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	for (unsigned i = 0; i < count; i++)
		wire_put(&to, places[i], 4);
	return to.rc;
}

int places_take(struct span *body, uint32_t *place, struct error *err)
{
	struct wire_reader from = { .rest = *body };

	if (body->len == 0)
		return 0;
	*place = (uint32_t)wire_get(&from, 4);
	*body = from.rest;
	return from.is_short ? invalid("RETURN", err) : 1;
}

int ended_put(const struct ended *ended, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, ended->epoch, 4);
	wire_put(&to, ended->batches, 8);
	return to.rc;
}

int ended_parse(struct span body, struct ended *ended, struct error *err)
{
	struct wire_reader from = { .rest = body };

	ended->epoch = (uint32_t)wire_get(&from, 4);
	ended->batches = wire_get(&from, 8);
	return check_end(&from, "END", err);
}

int failed_put(const struct failed *failed, struct buf *out, struct error *err)
{
	struct wire_writer to = { .to = out, .err = err };

	wire_put(&to, failed->epoch, 4);
	wire_put(&to, failed->batch, 8);
	wire_put(&to, failed->is_usage, 1);
	wire_put_text(&to, span_text(failed->text));
	return to.rc;
}

int failed_parse(struct span body, struct failed *failed, struct error *err)
{
	struct wire_reader from = { .rest = body };

	failed->epoch = (uint32_t)wire_get(&from, 4);
	failed->batch = wire_get(&from, 8);
	failed->is_usage = wire_get(&from, 1);
	wire_get_words(&from, failed->text, sizeof(failed->text));
	return check_end(&from, "FAILED", err);
}
