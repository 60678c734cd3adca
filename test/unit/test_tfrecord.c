/* test_tfrecord.c - records, examples and the tfrecord store to the byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/example.h"
#include "lib/formats/record.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

/* Bytes from hexadecimal digits. */
static size_t from_hex(const char *hex, unsigned char *bytes)
{
	size_t len = 0;

	for (; hex[2 * len]; len++) {
		unsigned value;

		assert_int_equal(sscanf(hex + 2 * len, "%2x", &value), 1);
		bytes[len] = (unsigned char)value;
	}
	return len;
}

static void check_hex(struct span bytes, const char *hex)
{
	unsigned char wanted[512];
	const size_t len = from_hex(hex, wanted);

	assert_int_equal(bytes.len, len);
	assert_memory_equal(bytes.data, wanted, len);
}

static void test_record_of_abc_has_the_known_checksums(void **state)
{
	unsigned char record[RECORD_HEAD + 3 + RECORD_TAIL];
	struct span payload, whole = { record, sizeof(record) };
	struct error err = ERROR_INIT;
	size_t next;

	UNUSED(state);
	memcpy(record + RECORD_HEAD, "abc", 3);
	record_frame(record, 3);
	check_hex(whole, "0300000000000000b099490e6162636e57f121");
	assert_int_equal(record_view(whole, 0, true, &payload, &next, &err), 1);
	assert_true(span_equal(payload, span_text("abc")));
	assert_int_equal(next, sizeof(record));
	assert_int_equal(
	    record_view(whole, next, true, &payload, &next, &err), 0);
}

static void test_record_says_what_is_damaged(void **state)
{
	unsigned char record[RECORD_HEAD + 3 + RECORD_TAIL];
	struct span payload;
	struct error err = ERROR_INIT;
	size_t next;

	UNUSED(state);
	memcpy(record + RECORD_HEAD, "abc", 3);
	record_frame(record, 3);
	for (size_t len = 1; len < sizeof(record); len++) {
		const struct span cut = { record, len };

		assert_int_equal(
		    record_view(cut, 0, false, &payload, &next, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
	}
	for (size_t at = 0; at < sizeof(record); at++) {
		const struct span whole = { record, sizeof(record) };
		const bool in_head = at < RECORD_HEAD;

		record[at] ^= 0x10;
		assert_int_equal(
		    record_view(whole, 0, true, &payload, &next, &err), -1);
		test_contains(err.text, in_head ? "the checksum of its length"
		                                : "the checksum of its data");
		assert_int_equal(
		    record_view(whole, 0, false, &payload, &next, &err),
		    in_head ? -1 : 1);
		record[at] ^= 0x10;
	}
}

static void test_example_has_the_known_bytes(void **state)
{
	static const int64_t label = 7;
	struct example example;
	unsigned char bytes[128];
	struct span whole = { bytes, 0 };

	UNUSED(state);
	example.count = 0;
	example_add_bytes(&example, "image/encoded", span_text("J"));
	example_add_ints(&example, "image/class/label", &label, 1);
	whole.len = example_size(&example);
	example_write(&example, bytes);
	check_hex(whole,
	    "0a340a1a0a11696d6167652f636c6173732f6c6162656c12051a030a01070a16"
	    "0a0d696d6167652f656e636f64656412050a030a014a");
	assert_int_equal(
	    bytes[example_content_at(&example, "image/encoded")], 'J');
}

/* All features of a message, as "name=bytes;" and "name=[ints];". */
static int list(struct span message, struct buf *text, struct error *err)
{
	struct example_cursor cursor = { .message = message };
	struct example_feature feature;
	int64_t ints[EXAMPLE_INTS];
	struct span value;
	unsigned count;
	int got;

	while ((got = example_next(&cursor, &feature, err)) > 0) {
		test_ok(buf_printf(text, err, "%.*s=", (int)feature.name.len,
		            (const char *)feature.name.data),
		    err);
		if (feature.kind == EXAMPLE_KIND_INTS) {
			if (example_ints(
			        &feature, ints, EXAMPLE_INTS, &count, err))
				return -1;
			for (unsigned i = 0; i < count; i++)
				test_ok(buf_printf(text, err, "[%lld]",
				            (long long)ints[i]),
				    err);
		} else {
			if (example_bytes(&feature, &value, err))
				return -1;
			test_ok(buf_printf(text, err, "%.*s", (int)value.len,
			            (const char *)value.data),
			    err);
		}
		test_ok(buf_printf(text, err, ";"), err);
	}
	return got;
}

static void test_example_reads_what_others_write(void **state)
{
	static const struct {
		const char *hex, *wanted;
	} cases[] = {
		/* nothing; no features; a feature without a list */
		{ "", "" },
		{ "0a00", "" },
		/* numbers one by one instead of packed */
		{ "0a0d0a0b0a0173120"
		  "61a0408010802",
		    "s=[1][2];" },
		/* unknown fields before, between and in them */
		{ "7a0300000010051d010203042101020304050607080a0b"
		  "0a090a016112040a020a00",
		    "a=;" },
		/* two messages in a row, as protocol buffers merge them */
		{ "0a0c0a0a0a016112050a030a01780a0c0a0a0a016212050a030a0179",
		    "a=x;b=y;" },
		/* -1, in ten bytes */
		{ "0a160a140a0161120f1a0d0a0bffffffffffffffffff0100",
		    "a=[-1][0];" },
		/* an empty list of numbers: the shape of a scalar */
		{ "0a090a070a016112021a00", "a=;" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		unsigned char bytes[256];
		const struct span message = { bytes,
			from_hex(cases[i].hex, bytes) };
		struct buf text = BUF_INIT;
		struct error err = ERROR_INIT;

		test_ok(buf_printf(&text, &err, "%s", ""), &err);
		test_ok(list(message, &text, &err), &err);
		assert_string_equal((const char *)text.data, cases[i].wanted);
		buf_release(&text);
	}
}

static void test_example_refuses_what_is_damaged(void **state)
{
	static const char *const cases[] = {
		"0a",                         /* a tag and nothing behind it */
		"0a05",                       /* longer than what is there */
		"0b",                         /* a group */
		"ffffffffffffffffffffff01",   /* a number without end */
		"0a030a020a05",               /* a name that is too long */
		"0a0a0a080a016112030a020a05", /* a value too long */
		"0a0a0a080a016112030a020a",   /* the same, cut */
		"0a080a060a016112010a",       /* half a feature */
		"0a0b0a090a016112041a020aff", /* half a number */
		"0a0e0a0c0a016112070a050a00120000", /* two values, a rest */
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		unsigned char bytes[256];
		const struct span message = { bytes,
			from_hex(cases[i], bytes) };
		struct buf text = BUF_INIT;
		struct error err = ERROR_INIT;

		if (list(message, &text, &err) == 0)
			fail_msg("%s was read", cases[i]);
		assert_int_equal(err.code, ERROR_DATA);
		buf_release(&text);
	}
}

/* ---- the store ---- */

static void append(
    struct buf *block, const struct schema *schema, struct sample *sample)
{
	struct error err = ERROR_INIT;

	test_ok(store_tfrecord.append(schema, sample, block, &err), &err);
}

static void test_tfrecord_has_a_feature_a_field_sorted_by_name(void **state)
{
	static const char front[] =
	    "data=JPEG;data/suffix=jpg;key=k;label=[3];zoo=";
	static const unsigned char elements[24] = "four bytes each: float32";
	const struct shape shape = { 2, { 2, 3 } };
	const struct type tensor = { DTYPE_F32, LAYOUT_PLAIN, { 2, { 2, -1 } },
		"" };
	const struct type encoded = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"" };
	struct schema schema = { .count = 0 };
	struct sample sample = {
		.key = span_text("k"), .label = 3, .count = 2
	};
	struct buf block = BUF_INIT, text = BUF_INIT;
	struct error err = ERROR_INIT;
	struct span payload;
	size_t next;

	UNUSED(state);
	test_ok(schema_add(&schema, "zoo", &tensor, &err), &err);
	test_ok(schema_add(&schema, "data", &encoded, &err), &err);
	tensor_view(&sample.fields[0], DTYPE_F32, &shape, elements);
	tensor_view_encoded(&sample.fields[1], "JPEG", 4, "jpg");
	append(&block, &schema, &sample);
	assert_int_equal(
	    record_view(buf_span(&block), 0, true, &payload, &next, &err), 1);
	assert_int_equal(next, block.len);
	test_ok(list(payload, &text, &err), &err);
	assert_memory_equal(text.data, front, sizeof(front) - 1);
	test_contains(
	    (const char *)text.data + sizeof(front) - 1 + sizeof(elements),
	    ";zoo/dtype=float32;zoo/shape=[2][3];");
	buf_release(&block);
	buf_release(&text);
}

static void test_tfrecord_puts_the_first_tensor_at_multiples_of_64(void **state)
{
	const struct type type = { DTYPE_F64, LAYOUT_PLAIN, { 1, { -1 } }, "" };
	static const double elements[40];
	static const char padding[] = "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
	                              "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk";
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	struct buf block = BUF_INIT;
	struct chunk chunk = CHUNK_INIT;
	struct sample sample = SAMPLE_INIT, got = SAMPLE_INIT;
	unsigned count = 0;

	UNUSED(state);
	test_ok(schema_add(&schema, "data", &type, &err), &err);
	sample.count = 1;
	/* Every offset that there can be comes by. */
	for (unsigned i = 1; i < 70; i++) {
		const struct shape shape = { 1, { i % 40 } };

		sample.key = (struct span){ (const unsigned char *)padding, i };
		tensor_view(&sample.fields[0], DTYPE_F64, &shape, elements);
		append(&block, &schema, &sample);
	}
	chunk.stored = block;
	chunk.bytes = buf_span(&block);
	while (store_tfrecord.next(&schema, &chunk, &got, &err) > 0) {
		count++;
		if (got.fields[0].bytes)
			assert_int_equal((uintptr_t)got.fields[0].data % 64, 0);
	}
	assert_int_equal(count, 69);
	buf_release(&block);
}

/* A record of one message in a chunk of its own; what next() says of it. */
static int read_message(const char *hex, struct error *err)
{
	const struct type type = { DTYPE_F32, LAYOUT_PLAIN, { 1, { -1 } }, "" };
	struct schema schema = { .count = 0 };
	struct sample sample = SAMPLE_INIT;
	struct chunk chunk = CHUNK_INIT;
	unsigned char record[512];
	size_t len;
	int got;

	len = from_hex(hex, record + RECORD_HEAD);
	record_frame(record, len);
	test_ok(schema_add(&schema, "x", &type, err), err);
	test_ok(buf_append(&chunk.stored, record,
	            RECORD_HEAD + len + RECORD_TAIL, err),
	    err);
	chunk.bytes = buf_span(&chunk.stored);
	got = store_tfrecord.next(&schema, &chunk, &sample, err);
	chunk_release(&chunk);
	return got;
}

#define ENTRY_KEY   "0a0c0a036b657912050a030a016b" /* key: "k" */
#define ENTRY_X     "0a0d0a017812080a060a0400000000"
#define ENTRY_DTYPE "0a160a07782f6474797065120b0a090a07666c6f61743332"
#define ENTRY_SHAPE "0a100a07782f736861706512051a030a0101"

static void test_tfrecord_says_what_a_record_lacks(void **state)
{
	static const struct {
		const char *hex, *message;
	} cases[] = {
		{ "0a0f" ENTRY_X, "feature 'key' is missing" },
		{ "0a0e" ENTRY_KEY,
		    "record at byte 0: feature 'x' is missing" },
		{ "0a1d" ENTRY_KEY ENTRY_X,
		    "field x: expected float32, got dtype ''" },
		{ "0a35" ENTRY_KEY ENTRY_X ENTRY_DTYPE,
		    "field x: 4 bytes do not make its shape" },
		{ "0a39" ENTRY_KEY ENTRY_DTYPE
		  "0a110a0178120c0a0a0a080000000000000000"
		  "0a00",
		    "field x: 8 bytes do not make its shape" },
		{ "0a2f0a0c0a036b657912050a030a016b0a0d0a017812080a060a0400000"
		  "0000a100a07782f736861706512051a030a0102",
		    "field x: expected float32, got dtype ''" },
	};
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(
	    read_message(
	        "0a47" ENTRY_KEY ENTRY_X ENTRY_DTYPE ENTRY_SHAPE, &err),
	    1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		err = (struct error)ERROR_INIT;
		assert_int_equal(read_message(cases[i].hex, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, cases[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record_of_abc_has_the_known_checksums),
		cmocka_unit_test(test_record_says_what_is_damaged),
		cmocka_unit_test(test_example_has_the_known_bytes),
		cmocka_unit_test(test_example_reads_what_others_write),
		cmocka_unit_test(test_example_refuses_what_is_damaged),
		cmocka_unit_test(
		    test_tfrecord_has_a_feature_a_field_sorted_by_name),
		cmocka_unit_test(
		    test_tfrecord_puts_the_first_tensor_at_multiples_of_64),
		cmocka_unit_test(test_tfrecord_says_what_a_record_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
