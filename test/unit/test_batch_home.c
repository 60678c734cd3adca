/* test_batch_home.c - batches that outlive their maker, filled in any order. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/sample/pool.h"
#include "test/unit/test.h"

enum { CAPACITY = 6 };

/* A field of known size, and one of varying size. */
static const struct schema schema = {
	.count = 2,
	.fields = { { "fixed", { DTYPE_U8, LAYOUT_PLAIN, { 1, { 4 } }, "" } },
	    { "varied", { DTYPE_U8, LAYOUT_PLAIN, { 1, { -1 } }, "" } } },
};

static struct batch_home *new_home(unsigned spare)
{
	struct error err = ERROR_INIT;
	struct batch_home *home =
	    batch_home_new(CAPACITY, &schema, spare, &err);

	test_ok(home ? 0 : -1, &err);
	return home;
}

static struct batch *take(struct batch_home *home)
{
	struct error err = ERROR_INIT;
	struct batch *batch = batch_home_take(home, &err);

	test_ok(batch ? 0 : -1, &err);
	return batch;
}

static void fill_slot(struct batch *batch, unsigned slot, unsigned value)
{
	struct error err = ERROR_INIT;
	struct sample *sample = &batch->slots[slot];
	const struct shape four = { 1, { 4 } };
	const struct shape many = { 1, { 20000 + value } };
	char key[32];
	const struct span span = { (const unsigned char *)key,
		(size_t)snprintf(key, sizeof(key), "key %u", value) };

	test_ok(
	    tensor_reshape(&sample->fields[0], DTYPE_U8, &four, &err), &err);
	test_ok(
	    tensor_reshape(&sample->fields[1], DTYPE_U8, &many, &err), &err);
	memset(sample->fields[0].data, (int)value, 4);
	memset(sample->fields[1].data, (int)value, sample->fields[1].bytes);
	sample->count = 2;
	sample->label = value;
	test_ok(batch_put(batch, slot, span, &err), &err);
}

static void check_slot(const struct batch *batch, unsigned slot, unsigned value)
{
	const struct sample *sample = &batch->slots[slot];
	const unsigned char *fixed = sample->fields[0].data;
	const unsigned char *varied = sample->fields[1].data;
	char key[32];

	snprintf(key, sizeof(key), "key %u", value);
	assert_int_equal(sample->key.len, strlen(key));
	assert_memory_equal(sample->key.data, key, sample->key.len);
	assert_int_equal(sample->label, value);
	assert_int_equal(sample->count, 2);
	assert_ptr_equal(fixed, (unsigned char *)batch->blocks[0] + slot * 4);
	assert_int_equal(sample->fields[1].bytes, 20000 + value);
	assert_int_equal(fixed[0], value);
	assert_int_equal(fixed[3], value);
	assert_int_equal(varied[0], value);
	assert_int_equal(varied[20000 + value - 1], value);
}

static void test_batch_home_uses_batches_again(void **state)
{
	struct batch_home *home = new_home(1);
	struct batch *a = take(home), *b = take(home);

	UNUSED(state);
	assert_ptr_not_equal(a, b);
	batch_give(a);
	assert_ptr_equal(take(home), a);
	batch_give(b);
	batch_give(a); /* one too many: freed */
	assert_ptr_equal(take(home), b);
	batch_give(b);
	batch_give(NULL);
	batch_home_close(home);
	batch_home_close(NULL);
}

static void test_batch_home_waits_for_its_batches(void **state)
{
	struct batch_home *home = new_home(4);
	struct batch *batches[3];

	UNUSED(state);
	for (unsigned i = 0; i < 3; i++) {
		batches[i] = take(home);
		fill_slot(batches[i], 0, i);
	}
	batch_home_close(home);
	for (unsigned i = 0; i < 3; i++) {
		check_slot(batches[i], 0, i);
		batch_give(batches[i]);
	}
}

static void test_batch_home_has_the_memory_of_varying_fields(void **state)
{
	struct batch_home *home = new_home(4);
	struct pool *pool = batch_home_pool(home);
	uint64_t made;

	UNUSED(state);
	for (unsigned round = 0; round < 5; round++) {
		struct batch *batch = take(home);

		for (unsigned i = CAPACITY; i-- > 0;)
			fill_slot(batch, i, i);
		if (round == 0)
			made = pool_made(pool);
		assert_int_equal(pool_made(pool), made);
		batch_give(batch);
	}
	batch_home_close(home);
}

static void test_batch_closes_its_gaps(void **state)
{
	UNUSED(state);
	/* Bit i: slot i has a sample. */
	for (unsigned set = 0; set < 1u << CAPACITY; set++) {
		struct batch_home *home = new_home(1);
		struct batch *batch = take(home);
		unsigned count = 0;

		for (unsigned i = 0; i < CAPACITY; i++)
			if (set >> i & 1)
				fill_slot(batch, i, 10 + i);
			else
				batch->slots[i].count = 0;
		batch_close_gaps(batch, CAPACITY);
		for (unsigned i = 0; i < CAPACITY; i++)
			if (set >> i & 1)
				check_slot(batch, count++, 10 + i);
		assert_int_equal(batch->count, count);
		batch_give(batch);
		/* It is as good as new. */
		batch = take(home);
		for (unsigned i = 0; i < CAPACITY; i++)
			fill_slot(batch, i, 30 + i);
		for (unsigned i = 0; i < CAPACITY; i++)
			check_slot(batch, i, 30 + i);
		batch_give(batch);
		batch_home_close(home);
	}
}

static void test_batch_keeps_long_keys(void **state)
{
	struct batch_home *home = new_home(1);
	unsigned char bytes[CAPACITY][KEY_MAX];
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (unsigned round = 0; round < 3; round++) {
		struct batch *batch = take(home);

		for (unsigned i = 0; i < CAPACITY; i++) {
			const struct span key = { bytes[i], KEY_MAX - i };

			memset(bytes[i], (int)('a' + i + round), KEY_MAX);
			test_ok(batch_put(batch, i, key, &err), &err);
		}
		for (unsigned i = 0; i < CAPACITY; i++) {
			assert_int_equal(batch->slots[i].key.len, KEY_MAX - i);
			assert_memory_equal(
			    batch->slots[i].key.data, bytes[i], KEY_MAX - i);
		}
		batch_give(batch);
	}
	batch_home_close(home);
}

/* Fields of known size lie where another process would read them. */
static void test_batch_home_shares_what_it_makes(void **state)
{
	enum { PLACES = 3 };
	const size_t part = pages_round(batch_part(CAPACITY, &schema));
	struct batch_home *home = new_home(1);
	struct batch *batches[PLACES + 1];
	struct error err = ERROR_INIT;
	struct pages pages;
	unsigned char *there;
	const int fd = batch_home_share(home, PLACES, &err);

	UNUSED(state);
	assert_true(fd >= 0);
	there = pages_borrow(&pages, fd, PLACES * part, &err);
	test_ok(there ? 0 : -1, &err);
	close(fd);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i <= PLACES; i++) {
			const struct batch *batch = batches[i] = take(home);

			fill_slot(batches[i], CAPACITY - 1, 10 * round + i);
			check_slot(batch, CAPACITY - 1, 10 * round + i);
			/* The last one is made elsewhere. */
			assert_int_equal(batch->place == 0, i == PLACES);
			if (batch->place > 0)
				assert_memory_equal(batch->blocks[0],
				    there + (batch->place - 1) * part,
				    4 * CAPACITY);
		}
		for (unsigned i = 0; i <= PLACES; i++)
			batch_give(batches[i]);
	}
	batch_home_close(home);
	/* What was borrowed stays. */
	assert_true(there[4 * (CAPACITY - 1)] >= 10);
	pages_give(&pages);
}

static void test_batch_home_without_known_sizes_shares_nothing(void **state)
{
	static const struct schema varied = {
		.count = 1,
		.fields = { { "data",
		    { DTYPE_U8, LAYOUT_PLAIN, { 1, { -1 } }, "" } } },
	};
	struct error err = ERROR_INIT;
	struct batch_home *home = batch_home_new(CAPACITY, &varied, 1, &err);
	struct batch *batch;

	UNUSED(state);
	assert_int_equal(batch_home_share(home, 3, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	batch = take(home);
	assert_int_equal(batch->place, 0);
	batch_give(batch);
	batch_home_close(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batch_home_uses_batches_again),
		cmocka_unit_test(test_batch_home_waits_for_its_batches),
		cmocka_unit_test(
		    test_batch_home_has_the_memory_of_varying_fields),
		cmocka_unit_test(test_batch_closes_its_gaps),
		cmocka_unit_test(test_batch_keeps_long_keys),
		cmocka_unit_test(test_batch_home_shares_what_it_makes),
		cmocka_unit_test(
		    test_batch_home_without_known_sizes_shares_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
