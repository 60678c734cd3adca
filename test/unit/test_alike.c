/*
 * test_alike.c - samples parsed by comparing them with one before (alike.h) are
 * those that are parsed byte by byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/record.h"
#include "lib/stores/store.h"
#include "test/unit/test.h"

enum { ELEMENTS = 6, BYTES_MAX = 300 };

static const struct type tensor = {
	.dtype = DTYPE_F32,
	.shape = { 1, { -1 } },
};
static const struct type encoded = {
	.dtype = DTYPE_U8,
	.layout = LAYOUT_ENCODED,
	.shape = { 1, { -1 } },
};

/* What a sample is made of. */
struct made {
	const char *key, *suffix;
	int64_t label, elements;
	size_t bytes; /* of the encoded field */
};

static void make_schema(struct schema *schema, bool has_two)
{
	struct error err = ERROR_INIT;

	*schema = (struct schema){ .count = 0 };
	test_ok(schema_add(schema, "data", &tensor, &err), &err);
	if (has_two)
		test_ok(schema_add(schema, "text", &encoded, &err), &err);
}

/* Adds a sample, whose elements tell which one it is. */
static void append(const struct store_ops *store, const struct schema *schema,
    const struct made *made, struct buf *block)
{
	static unsigned number;
	const struct shape shape = { 1, { made->elements } };
	struct sample sample = { .key = span_text(made->key),
		.label = made->label,
		.count = schema->count };
	struct error err = ERROR_INIT;
	float elements[ELEMENTS];
	char bytes[BYTES_MAX];

	number++;
	for (unsigned i = 0; i < ELEMENTS; i++)
		elements[i] = (float)(number * ELEMENTS + i);
	memset(bytes, (int)(number % 251), sizeof(bytes));
	tensor_view(&sample.fields[0], DTYPE_F32, &shape, elements);
	tensor_view_encoded(
	    &sample.fields[1], bytes, made->bytes, made->suffix);
	test_ok(store->append(schema, &sample, block, &err), &err);
}

static void copy_block(struct chunk *chunk, const struct buf *block)
{
	struct error err = ERROR_INIT;

	*chunk = (struct chunk)CHUNK_INIT;
	test_ok(
	    buf_append(&chunk->stored, block->data, block->len, &err), &err);
	chunk->bytes = buf_span(&chunk->stored);
}

/*
 * Reads a block as it is, and once more with nothing noted. Returns the number
 * of samples that needed no parser, and sets *samples.
 */
static unsigned read_twice(const struct store_ops *store,
    const struct schema *schema, const struct buf *block, unsigned *samples)
{
	struct sample a = SAMPLE_INIT, b = SAMPLE_INIT;
	struct error err = ERROR_INIT, other = ERROR_INIT;
	struct chunk fast, slow;
	unsigned like = 0;
	int got = 1;

	copy_block(&fast, block);
	copy_block(&slow, block);
	for (*samples = 0; got > 0; *samples += got > 0) {
		const size_t at = fast.at;

		slow.alike.is_noted = false;
		got = store->next(schema, &fast, &a, &err);
		assert_int_equal(store->next(schema, &slow, &b, &other), got);
		if (got <= 0)
			break;
		assert_int_equal(fast.at, slow.at);
		assert_true(span_equal(a.key, b.key));
		assert_int_equal(a.label, b.label);
		assert_true(sample_hash(&a, schema) == sample_hash(&b, schema));
		for (unsigned f = 0; f < schema->count; f++)
			assert_string_equal(
			    a.fields[f].suffix, b.fields[f].suffix);
		like += fast.alike.is_noted && fast.alike.start < at;
	}
	assert_string_equal(err.text, other.text);
	chunk_release(&fast);
	chunk_release(&slow);
	return like;
}

static const struct store_ops *const stores[] = { &store_tar, &store_tfrecord };

/* Two samples, in turn: returns how many needed no parser. */
static unsigned read_in_turn(const struct store_ops *store, bool has_two,
    const struct made *first, const struct made *second)
{
	struct buf block = BUF_INIT;
	struct schema schema;
	unsigned samples, like;

	make_schema(&schema, has_two);
	/* A tfrecord's first one may have another padding than the rest. */
	for (unsigned i = 0; i < 2; i++) {
		append(store, &schema, first, &block);
		append(store, &schema, second, &block);
	}
	like = read_twice(store, &schema, &block, &samples);
	assert_int_equal(samples, 4);
	buf_release(&block);
	return like;
}

static void test_alike_samples_need_no_parser(void **state)
{
	static const struct made pairs[][2] = {
		{ { "key_1", "", -1, 2, 0 }, { "key_2", "", -1, 2, 0 } },
		{ { "key_1", "jpg", 3, 4, 20 }, { "KEY@2", "jpg", 9, 4, 20 } },
		{ { "\xc3\xbc", "bin", 0, 6, 200 },
		    { "12", "bin", 1, 6, 200 } },
		{ { "a", "", 7, 0, 0 }, { "b", "", 8, 0, 0 } },
	};

	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++)
		for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
			for (int two = 0; two < 2; two++)
				assert_true(
				    read_in_turn(stores[s], two, &pairs[i][0],
				        &pairs[i][1]) >= 2);
}

/* Each differs from all others in one thing. */
static const struct made odd[] = {
	{ "key_1", "jpg", 3, 4, 20 },
	{ "key_12", "jpg", 3, 4, 20 },
	{ "key_1", "png", 3, 4, 20 },
	{ "key_1", "jpeg", 3, 4, 20 },
	{ "key_1", "jpg", -1, 4, 20 },
	{ "key_1", "jpg", 12, 4, 20 },
	{ "key_1", "jpg", 200, 4, 20 },
	{ "key_1", "jpg", INT64_MAX, 4, 20 },
	{ "key_1", "jpg", 3, 5, 20 },
	{ "key_1", "jpg", 3, 0, 20 },
	{ "key_1", "jpg", 3, 4, 0 },
	{ "key_1", "jpg", 3, 4, 21 },
	{ "key_1", "jpg", 3, 4, BYTES_MAX },
	{ "key.1", "jpg", 3, 4, 20 },
	{ "key/1", "jpg", 3, 4, 20 },
	{ "key%1", "jpg", 3, 4, 20 },
	{ "%41%4", "jpg", 3, 4, 20 },
	{ "k y 1", "jpg", 3, 4, 20 },
	{ "a long key, of more than a hundred bytes, for which tar needs "
	  "another header; so it is not noted there, as others are",
	    "jpg", 3, 4, 20 },
};

static void test_alike_or_not_samples_are_the_same(void **state)
{
	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++)
		for (size_t i = 0; i < ARRAY_LEN(odd); i++)
			for (size_t k = 0; k < ARRAY_LEN(odd); k++) {
				read_in_turn(
				    stores[s], false, &odd[i], &odd[k]);
				read_in_turn(stores[s], true, &odd[i], &odd[k]);
			}
}

/* A member behind a sample of the form that is noted is its label, or none. */
static void test_alike_finds_a_label_that_others_lack(void **state)
{
	const struct made none = { "key_1", "", -1, 2, 0 };
	const struct made labelled = { "key_2", "", 5, 2, 0 };

	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++) {
		read_in_turn(stores[s], false, &none, &labelled);
		read_in_turn(stores[s], false, &labelled, &none);
	}
}

/* Any changed byte gives the same samples, or the same error. */
static void test_alike_damage_is_found_as_without(void **state)
{
	const struct made made = { "key_1", "jpg", 3, 4, 20 };

	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++) {
		struct buf block = BUF_INIT;
		struct schema schema;
		unsigned samples;

		make_schema(&schema, true);
		for (unsigned i = 0; i < 3; i++)
			append(stores[s], &schema, &made, &block);
		for (size_t i = block.len / 3; i < block.len; i++) {
			for (unsigned bit = 0; bit < 8; bit++) {
				block.data[i] ^= (unsigned char)(1u << bit);
				read_twice(
				    stores[s], &schema, &block, &samples);
				block.data[i] ^= (unsigned char)(1u << bit);
			}
		}
		buf_release(&block);
	}
}

/* The last of several labels counts, and it has no number here. */
static void test_alike_takes_the_last_label(void **state)
{
	/* Further Features, which are merged with those before. */
	static const char more[] = "\x0a\x0f\x0a\x0d\x0a\x05label\x12\x04"
	                           "\x1a\x02\x0a";
	const size_t more_len = sizeof(more); /* with its last byte, 0 */
	const struct made made = { "key_1", "", 5, 1, 0 };
	struct error err = ERROR_INIT;
	struct buf block = BUF_INIT, twice = BUF_INIT;
	struct schema schema;
	struct span payload;
	unsigned samples;
	size_t next;

	UNUSED(state);
	make_schema(&schema, false);
	append(&store_tfrecord, &schema, &made, &block);
	assert_int_equal(
	    record_view(buf_span(&block), 0, true, &payload, &next, &err), 1);
	for (unsigned i = 0; i < 3; i++) {
		const size_t len = payload.len + more_len;
		unsigned char *record;

		test_ok(buf_grow(&twice,
		            twice.len + RECORD_HEAD + len + RECORD_TAIL, &err),
		    &err);
		record = twice.data + twice.len;
		memcpy(record + RECORD_HEAD, payload.data, payload.len);
		memcpy(record + RECORD_HEAD + payload.len, more, more_len);
		record_frame(record, len);
		twice.len += RECORD_HEAD + len + RECORD_TAIL;
	}
	assert_int_equal(
	    read_twice(&store_tfrecord, &schema, &twice, &samples), 2);
	assert_int_equal(samples, 3);
	buf_release(&block);
	buf_release(&twice);
}

static void test_alike_has_room_for_all_fields(void **state)
{
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t s = 0; s < ARRAY_LEN(stores); s++) {
		const struct made made = { "key_1", "", 3, 4, 0 };
		struct sample sample = { .key = span_text(made.key),
			.label = made.label,
			.count = FIELDS_MAX };
		const struct shape shape = { 1, { 1 } };
		const float element = 7;
		struct schema schema = { .count = 0 };
		struct buf block = BUF_INIT;
		unsigned samples;

		for (unsigned f = 0; f < FIELDS_MAX; f++) {
			char name[8];

			snprintf(name, sizeof(name), "f%u", f);
			test_ok(schema_add(&schema, name, &tensor, &err), &err);
			tensor_view(
			    &sample.fields[f], DTYPE_F32, &shape, &element);
		}
		for (unsigned i = 0; i < 4; i++)
			test_ok(
			    stores[s]->append(&schema, &sample, &block, &err),
			    &err);
		assert_true(
		    read_twice(stores[s], &schema, &block, &samples) >= 2);
		assert_int_equal(samples, 4);
		buf_release(&block);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alike_samples_need_no_parser),
		cmocka_unit_test(test_alike_or_not_samples_are_the_same),
		cmocka_unit_test(test_alike_finds_a_label_that_others_lack),
		cmocka_unit_test(test_alike_damage_is_found_as_without),
		cmocka_unit_test(test_alike_takes_the_last_label),
		cmocka_unit_test(test_alike_has_room_for_all_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
