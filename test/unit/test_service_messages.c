/*
 * test_service_messages.c - messages and batches of a service: what was put is
 * what is parsed, and everything else is an error in words.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/address.h"
#include "lib/service/batch_wire.h"
#include "lib/service/message.h"
#include "test/unit/test.h"

/* ---- messages ---- */

static struct service_facts some_facts(void)
{
	static char cat[] = "cat", dog[] = "dog";
	static char *names[] = { cat, dog };

	return (struct service_facts){
		.name = "photos",
		.version = "0.1.0",
		.schema = {
			.count = 2,
			.fields = {
				{ "data", { .dtype = DTYPE_F32,
				              .shape = { 3, { 2, 2, 3 } } } },
				{ "text", { .dtype = DTYPE_U8,
				              .layout = LAYOUT_ENCODED,
				              .shape = { 1, { -1 } },
				              .suffix = "txt" } },
			},
		},
		.samples = 7,
		.seed = UINT64_MAX,
		.identity = 3,
		.steps = 4,
		.skip_errors = true,
		.classes = { 2, names },
	};
}

static void test_facts_come_back_as_they_were_put(void **state)
{
	const struct service_facts facts = some_facts();
	struct service_facts found;
	struct error err = ERROR_INIT;
	struct buf body = BUF_INIT;

	UNUSED(state);
	test_ok(service_facts_put(&facts, &body, &err), &err);
	test_ok(service_facts_parse(buf_span(&body), &found, &err), &err);
	assert_string_equal(found.name, "photos");
	assert_string_equal(found.version, "0.1.0");
	assert_int_equal(found.schema.count, 2);
	for (unsigned f = 0; f < 2; f++) {
		assert_string_equal(
		    found.schema.fields[f].name, facts.schema.fields[f].name);
		assert_true(type_equal(&found.schema.fields[f].type,
		    &facts.schema.fields[f].type));
	}
	assert_true(found.seed == UINT64_MAX && found.skip_errors);
	assert_int_equal(found.samples, 7);
	assert_int_equal(found.identity, 3);
	assert_int_equal(found.steps, 4);
	assert_int_equal(found.classes.count, 2);
	assert_string_equal(found.classes.names[1], "dog");
	service_facts_release(&found);
	buf_release(&body);
}

static void test_facts_that_are_cut_or_longer_are_refused(void **state)
{
	const struct service_facts facts = some_facts();
	struct service_facts found;
	struct error err = ERROR_INIT;
	struct buf body = BUF_INIT;
	size_t whole;

	UNUSED(state);
	test_ok(service_facts_put(&facts, &body, &err), &err);
	whole = body.len;
	for (size_t len = 0; len < whole; len++)
		assert_int_equal(
		    service_facts_parse(
		        (struct span){ body.data, len }, &found, &err),
		    -1);
	test_ok(buf_append(&body, "x", 1, &err), &err);
	assert_int_equal(
	    service_facts_parse(buf_span(&body), &found, &err), -1);
	buf_release(&body);
}

static void test_another_version_is_named(void **state)
{
	const struct hello hello = { .version = 9 };
	struct hello found;
	struct error err = ERROR_INIT;
	struct buf body = BUF_INIT;

	UNUSED(state);
	test_ok(hello_put(&hello, &body, &err), &err);
	assert_int_equal(hello_parse(buf_span(&body), &found, &err), -1);
	test_contains(err.text, "version 9 of the protocol");
	buf_release(&body);
}

static void test_frames_are_checked(void **state)
{
	const struct frame frame = { MESSAGE_BATCH, 5, 1 << 30 };
	unsigned char text[FRAME_BYTES];
	struct frame found;
	struct error err = ERROR_INIT;

	UNUSED(state);
	frame_put(&frame, text);
	test_ok(frame_parse(text, &found, &err), &err);
	assert_int_equal(found.kind, MESSAGE_BATCH);
	assert_int_equal(found.turn, 5);
	assert_int_equal(found.bytes, 1 << 30);
	text[2] = MESSAGE_ASK; /* no ASK is that long */
	assert_int_equal(frame_parse(text, &found, &err), -1);
	text[2] = MESSAGE_KINDS;
	assert_int_equal(frame_parse(text, &found, &err), -1);
	test_contains(err.text, "does not speak");
}

/* Spans of no batches would never end an epoch. */
static void test_an_order_without_spans_is_refused(void **state)
{
	struct opened opened = { .order = 1, .batches = 9, .unit = 0 };
	struct opened found;
	struct error err = ERROR_INIT;
	struct buf body = BUF_INIT;

	UNUSED(state);
	test_ok(opened_put(&opened, &body, &err), &err);
	assert_int_equal(opened_parse(buf_span(&body), &found, &err), -1);
	opened.batches = UINT64_MAX; /* not known: no spans are needed */
	body.len = 0;
	test_ok(opened_put(&opened, &body, &err), &err);
	test_ok(opened_parse(buf_span(&body), &found, &err), &err);
	buf_release(&body);
}

/* ---- batches ---- */

static const struct schema fixed = {
	.count = 1,
	.fields = { { "data",
	    { .dtype = DTYPE_U16, .shape = { 2, { 2, 3 } } } } },
};
static const struct schema varied = {
	.count = 2,
	.fields = { { "data",
	                { .dtype = DTYPE_F32, .shape = { 2, { -1, 2 } } } },
	    { "note", { .dtype = DTYPE_U8, .shape = { 1, { -1 } } } } },
};

enum { CAPACITY = 5 };

static void fill(
    struct batch *batch, const struct schema *schema, unsigned count)
{
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < count; i++) {
		struct sample *slot = &batch->slots[i];
		char key[] = "key0";

		key[3] = (char)('0' + i);
		test_ok(batch_put(batch, i, span_text(key), &err), &err);
		slot->label = (int64_t)i - 1;
		slot->count = schema->count;
		for (unsigned f = 0; f < schema->count; f++) {
			struct shape shape = schema->fields[f].type.shape;

			if (shape.dims[0] < 0)
				shape.dims[0] = i; /* one has no elements */
			test_ok(tensor_reshape(&slot->fields[f],
			            schema->fields[f].type.dtype, &shape, &err),
			    &err);
			if (slot->fields[f].bytes > 0)
				memset(slot->fields[f].data,
				    (int)(i + 10 * f + 1),
				    slot->fields[f].bytes);
		}
	}
	batch->count = count;
}

/* A body in memory. */
struct body {
	struct buf bytes;
	size_t at;
};

static int read_body(void *arg, void *to, size_t bytes, struct error *err)
{
	struct body *body = arg;

	UNUSED(err);
	assert_true(bytes <= body->bytes.len - body->at);
	memcpy(to, body->bytes.data + body->at, bytes);
	body->at += bytes;
	return 0;
}

static void pack(struct body *body, const struct schema *schema,
    const struct batch *batch, uint32_t place)
{
	const struct batch_head head = {
		.epoch = 3, .number = 9, .skipped = 2, .place = place
	};
	struct batch_packer packer = BATCH_PACKER_INIT;
	struct error err = ERROR_INIT;

	test_ok(batch_pack(&packer, &head, schema, batch, &err), &err);
	for (size_t i = 1; i < packer.count; i++)
		test_ok(buf_append(&body->bytes, packer.parts[i].iov_base,
		            packer.parts[i].iov_len, &err),
		    &err);
	assert_int_equal(body->bytes.len, packer.bytes);
	batch_packer_release(&packer);
}

/* Reads so many bytes of the body: 0, or -1. */
static int unpack(struct body *body, size_t len, const struct schema *schema,
    struct batch *batch)
{
	struct wire_input input = { read_body, body, len };
	struct batch_head head;
	struct error err = ERROR_INIT;
	struct buf room = BUF_INIT;
	int rc;

	body->at = 0;
	rc = batch_read_head(&input, CAPACITY, &head, &err);
	if (rc == 0)
		rc = batch_read(&input, &head, schema, batch, &room, &err);
	if (rc == 0) {
		assert_int_equal(head.epoch, 3);
		assert_int_equal(head.number, 9);
		assert_int_equal(head.skipped, 2);
	}
	buf_release(&room);
	return rc;
}

static void check_batch(const struct schema *schema, unsigned count)
{
	struct error err = ERROR_INIT;
	struct batch_home *home = batch_home_new(CAPACITY, schema, 4, &err);
	struct batch *from = batch_home_take(home, &err);
	struct batch *to = batch_home_take(home, &err);
	struct body body = { BUF_INIT, 0 };

	fill(from, schema, count);
	pack(&body, schema, from, 0);
	for (size_t len = 0; len < body.bytes.len; len++)
		assert_int_equal(unpack(&body, len, schema, to), -1);
	assert_int_equal(unpack(&body, body.bytes.len, schema, to), 0);
	assert_int_equal(to->count, count);
	for (unsigned i = 0; i < count; i++) {
		assert_true(sample_hash(&to->slots[i], schema) ==
		            sample_hash(&from->slots[i], schema));
		assert_true(span_equal(to->slots[i].key, from->slots[i].key));
	}
	test_ok(buf_append(&body.bytes, "x", 1, &err), &err);
	assert_int_equal(unpack(&body, body.bytes.len, schema, to), -1);
	batch_give(from);
	batch_give(to);
	batch_home_close(home);
	buf_release(&body.bytes);
}

static void test_batches_come_back_as_they_were_packed(void **state)
{
	UNUSED(state);
	check_batch(&fixed, CAPACITY);
	check_batch(&fixed, 2);
	check_batch(&varied, CAPACITY);
	check_batch(&varied, 1);
}

/* The elements of a field of known size are there; the others come. */
static void test_lent_batches_come_without_what_is_there(void **state)
{
	static const struct schema mixed = {
		.count = 2,
		.fields = { { "data", { .dtype = DTYPE_U16,
		                          .shape = { 2, { 2, 3 } } } },
		    { "note", { .dtype = DTYPE_U8, .shape = { 1, { -1 } } } } },
	};
	const size_t bytes = CAPACITY * 2 * 3 * sizeof(uint16_t);
	struct error err = ERROR_INIT;
	struct batch_home *homes[2];
	struct batch *batches[2];
	struct body body = { BUF_INIT, 0 };

	UNUSED(state);
	for (unsigned i = 0; i < 2; i++) {
		homes[i] = batch_home_new(CAPACITY, &mixed, 1, &err);
		close(batch_home_share(homes[i], 1, &err));
		batches[i] = batch_home_take(homes[i], &err);
		assert_int_equal(batches[i]->place, 1);
	}
	fill(batches[0], &mixed, CAPACITY);
	memcpy(batches[1]->blocks[0], batches[0]->blocks[0], bytes);
	pack(&body, &mixed, batches[0], 1);
	for (size_t len = 0; len < body.bytes.len; len++)
		assert_int_equal(unpack(&body, len, &mixed, batches[1]), -1);
	assert_int_equal(unpack(&body, body.bytes.len, &mixed, batches[1]), 0);
	for (unsigned i = 0; i < CAPACITY; i++)
		assert_true(sample_hash(&batches[0]->slots[i], &mixed) ==
		            sample_hash(&batches[1]->slots[i], &mixed));
	for (unsigned i = 0; i < 2; i++) {
		batch_give(batches[i]);
		batch_home_close(homes[i]);
	}
	buf_release(&body.bytes);
}

static void test_shapes_that_lie_are_refused(void **state)
{
	struct error err = ERROR_INIT;
	struct batch_home *home = batch_home_new(CAPACITY, &varied, 4, &err);
	struct batch *batch = batch_home_take(home, &err);
	struct body body = { BUF_INIT, 0 };
	unsigned char *dims;

	UNUSED(state);
	fill(batch, &varied, 1);
	pack(&body, &varied, batch, 0);
	/* Behind the head, a label, the length of a key, and the key. */
	dims = body.bytes.data + 28 + 8 + 4 + 4;
	memset(dims, 0x7f, 8); /* rows: too many for any memory */
	assert_int_equal(unpack(&body, body.bytes.len, &varied, batch), -1);
	memset(dims, 0xff, 8); /* -1 */
	assert_int_equal(unpack(&body, body.bytes.len, &varied, batch), -1);
	memset(dims, 0, 8);
	dims[8] = 3; /* columns: the type says 2 */
	assert_int_equal(unpack(&body, body.bytes.len, &varied, batch), -1);
	batch_give(batch);
	batch_home_close(home);
	buf_release(&body.bytes);
}

/* ---- addresses ---- */

static void test_addresses_are_parsed(void **state)
{
	struct service_address address;
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_true(address_is("presto://a:1"));
	assert_false(address_is("presto.conf"));
	assert_false(address_is("http://a:1"));
	test_ok(address_parse("presto://a:1,[::1]:65535/train", &address, &err),
	    &err);
	assert_int_equal(address.count, 2);
	assert_string_equal(address.places[0].host, "a");
	assert_string_equal(address.places[1].host, "::1");
	assert_string_equal(address.places[1].port, "65535");
	assert_string_equal(address.name, "train");
	test_ok(address_parse("prestos://h:07", &address, &err), &err);
	assert_true(address.tls);
	assert_string_equal(address.places[0].port, "7");
	test_ok(address_parse("presto:///a/b,/c", &address, &err), &err);
	assert_int_equal(address.count, 2);
	assert_string_equal(address.places[0].host, "");
	assert_string_equal(address.places[0].port, "/a/b");
	assert_string_equal(address.places[1].port, "/c");
	assert_string_equal(address.name, "");
}

static void test_wrong_addresses_are_refused(void **state)
{
	static const char *const wrong[] = { "presto://", "presto://a",
		"presto://a:", "presto://:1", "presto://a:0",
		"presto://a:70000", "presto://a:1,", "presto://a:1,b",
		"presto://::1:5", "presto://[]:5", "prestos:///socket" };
	struct service_address address;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err = ERROR_INIT;

		if (address_parse(wrong[i], &address, &err) == 0 ||
		    err.code != ERROR_USAGE)
			fail_msg("%s was taken", wrong[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts_come_back_as_they_were_put),
		cmocka_unit_test(test_facts_that_are_cut_or_longer_are_refused),
		cmocka_unit_test(test_another_version_is_named),
		cmocka_unit_test(test_frames_are_checked),
		cmocka_unit_test(test_an_order_without_spans_is_refused),
		cmocka_unit_test(test_batches_come_back_as_they_were_packed),
		cmocka_unit_test(test_lent_batches_come_without_what_is_there),
		cmocka_unit_test(test_shapes_that_lie_are_refused),
		cmocka_unit_test(test_addresses_are_parsed),
		cmocka_unit_test(test_wrong_addresses_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
