/* test_pool.c - memory for tensors of varying size, and its owners. */
#define _GNU_SOURCE /* sched_setaffinity, CPU_SET */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/sample/batch.h"
#include "lib/sample/pool.h"
#include "test/unit/test.h"

enum {
	KIB = 1024,
	SAMPLES = 200,
	WINDOW = 24, /* in flight */
	EPOCHS = 20,
};

static struct pool *new_pool(void)
{
	struct error err = ERROR_INIT;
	struct pool *pool = pool_new(0, &err);

	test_ok(pool ? 0 : -1, &err);
	return pool;
}

static struct pool_block *take(struct pool *pool, size_t bytes)
{
	struct error err = ERROR_INIT;
	struct pool_block *block = pool_take(pool, bytes, &err);

	test_ok(block ? 0 : -1, &err);
	assert_true(pool_block_capacity(block) >= bytes);
	assert_int_equal((uintptr_t)pool_block_data(block) % TENSOR_ALIGN, 0);
	return block;
}

/* May it hold so much? */
static void check_bound(const struct pool *pool)
{
	const uint64_t most = 2 * pool_peak_bytes(pool);

	assert_true(pool_bytes(pool) <= POOL_LEAST || pool_bytes(pool) <= most);
}

static void test_pool_piece_is_little_larger_than_asked(void **state)
{
	struct pool *pool = new_pool();

	UNUSED(state);
	for (size_t bytes = 1; bytes < 64 << 20; bytes += 1 + bytes / 7) {
		struct pool_block *block = take(pool, bytes);
		const size_t has = pool_block_capacity(block);

		memset(pool_block_data(block), 1, bytes); /* all is there */
		if (bytes <= POOL_KEPT)
			assert_true(has <= 2 * bytes || has == 256);
		pool_give(block);
		check_bound(pool);
	}
	pool_free(pool);
	for (size_t bytes = POOL_KEPT + 1; bytes < 32 << 20;
	     bytes += bytes / 5) {
		struct pool_block *block;

		pool = new_pool();
		block = take(pool, bytes);
		assert_true(
		    pool_block_capacity(block) <= bytes + bytes / 4 + 64);
		pool_give(block);
		pool_free(pool);
	}
}

static void test_pool_takes_the_smallest_that_fits(void **state)
{
	struct pool *pool = new_pool();
	struct pool_block *small = take(pool, 96 * KIB);
	struct pool_block *middle = take(pool, 128 * KIB);
	struct pool_block *large = take(pool, 192 * KIB);

	UNUSED(state);
	pool_give(large);
	pool_give(small);
	pool_give(middle);
	assert_ptr_equal(take(pool, 120 * KIB), middle);
	assert_ptr_equal(take(pool, 120 * KIB), large);
	assert_ptr_equal(take(pool, 90 * KIB), small);
	assert_int_equal(pool_made(pool), 3);
	pool_give(small);
	/* More than twice as large is kept for others. */
	assert_ptr_not_equal(take(pool, 40 * KIB), small);
	assert_int_equal(pool_made(pool), 4);
	pool_free(pool);
}

/* Of 20 kB to 5 MB, more small ones. */
static void draw_sizes(size_t *sizes)
{
	struct random random = random_stream(1, 0, 0, 0);

	for (unsigned i = 0; i < SAMPLES; i++) {
		const double x = random_unit(&random);

		sizes[i] = (size_t)(20e3 + 5e6 * x * x * x * x);
	}
}

static void shuffle(size_t *sizes, uint32_t epoch)
{
	struct random random = random_stream(2, epoch, 0, 0);

	for (unsigned i = SAMPLES; i > 1; i--) {
		const unsigned j = random_below(&random, i);
		const size_t kept = sizes[i - 1];

		sizes[i - 1] = sizes[j];
		sizes[j] = kept;
	}
}

/* At most `window` at a time, each given back when it is the oldest. */
static void run_epoch(struct pool *pool, const size_t *sizes, unsigned window)
{
	struct pool_block *blocks[SAMPLES];

	for (unsigned i = 0; i < SAMPLES + window; i++) {
		if (i >= window)
			pool_give(blocks[i - window]);
		if (i < SAMPLES)
			blocks[i] = take(pool, sizes[i]);
		check_bound(pool);
	}
}

static void test_pool_does_not_grow_when_all_are_in_flight(void **state)
{
	struct pool *pool = new_pool();
	size_t sizes[SAMPLES];
	uint64_t bytes;

	UNUSED(state);
	draw_sizes(sizes);
	run_epoch(pool, sizes, SAMPLES);
	bytes = pool_bytes(pool);
	assert_int_equal(pool_made(pool), SAMPLES);
	for (uint32_t epoch = 1; epoch < EPOCHS; epoch++) {
		shuffle(sizes, epoch);
		run_epoch(pool, sizes, SAMPLES);
	}
	assert_int_equal(pool_made(pool), SAMPLES);
	assert_int_equal(pool_bytes(pool), bytes);
	assert_int_equal(pool_peak_bytes(pool), bytes);
	pool_free(pool);
}

/* Some came back early in the first epoch; in the second all are there. */
static void test_pool_has_a_fresh_piece_for_each_at_first(void **state)
{
	struct error err = ERROR_INIT;
	struct pool *pool = pool_new(SAMPLES, &err);
	size_t sizes[SAMPLES];

	UNUSED(state);
	test_ok(pool ? 0 : -1, &err);
	draw_sizes(sizes);
	run_epoch(pool, sizes, SAMPLES - WINDOW);
	assert_int_equal(pool_made(pool), SAMPLES);
	for (uint32_t epoch = 1; epoch < EPOCHS; epoch++) {
		shuffle(sizes, epoch);
		run_epoch(pool, sizes, SAMPLES);
	}
	assert_int_equal(pool_made(pool), SAMPLES);
	pool_free(pool);
	/* But no more than it may hold. */
	pool = pool_new(SAMPLES, &err);
	test_ok(pool ? 0 : -1, &err);
	run_epoch(pool, sizes, 2);
	assert_true(pool_made(pool) < SAMPLES / 2);
	pool_free(pool);
}

static void test_pool_settles_when_some_are_in_flight(void **state)
{
	struct pool *pool = new_pool();
	size_t sizes[SAMPLES];
	uint64_t first, half = 0;

	UNUSED(state);
	draw_sizes(sizes);
	run_epoch(pool, sizes, WINDOW);
	first = pool_made(pool);
	for (uint32_t epoch = 1; epoch < EPOCHS; epoch++) {
		if (epoch == EPOCHS / 2)
			half = pool_made(pool);
		shuffle(sizes, epoch);
		run_epoch(pool, sizes, WINDOW);
	}
	assert_true(first <= 3 * WINDOW);
	assert_true(pool_made(pool) <= 2 * first);
	assert_true(pool_made(pool) - half <= 4);
	pool_free(pool);
}

static void test_pool_frees_small_pieces_as_sizes_rise(void **state)
{
	struct pool *pool = new_pool();
	struct pool_block *blocks[4] = { NULL };
	unsigned i = 0;

	UNUSED(state);
	for (size_t bytes = 32 * KIB; bytes < 16 << 20; bytes += bytes / 9) {
		struct pool_block **at = &blocks[i++ % 4];

		if (*at)
			pool_give(*at);
		*at = take(pool, bytes);
		check_bound(pool);
	}
	pool_free(pool);
}

/* Then any is better than one more. */
static void test_pool_that_is_full_gives_a_larger_piece(void **state)
{
	struct pool *pool = new_pool();
	struct pool_block *large = take(pool, 8000 * KIB);
	struct pool_block *middle[2], *small;

	UNUSED(state);
	pool_give(large);
	middle[0] = take(pool, 3500 * KIB);
	middle[1] = take(pool, 3500 * KIB);
	pool_give(middle[0]);
	pool_give(middle[1]);
	small = take(pool, 1500 * KIB);
	assert_ptr_equal(small, middle[1]);
	assert_int_equal(pool_made(pool), 3);
	check_bound(pool);
	pool_free(pool);
}

static void test_pool_names_what_is_too_much(void **state)
{
	struct pool *pool = new_pool();
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_null(pool_take(pool, (size_t)1 << 62, &err));
	assert_int_equal(err.code, ERROR_MEMORY);
	pool_free(pool);
}

/* Callers may keep batches: the pool has no limit on the number of blocks. */
static void test_pool_has_room_for_any_number_of_blocks(void **state)
{
	enum { MANY = 5000 };
	struct pool *pool = new_pool();
	struct pool_block **blocks = calloc(MANY, sizeof(*blocks));

	UNUSED(state);
	assert_non_null(blocks);
	for (size_t i = 0; i < MANY; i++) {
		blocks[i] = take(pool, sizeof(i));
		memcpy(pool_block_data(blocks[i]), &i, sizeof(i));
	}
	for (size_t i = 0; i < MANY; i++) {
		assert_memory_equal(pool_block_data(blocks[i]), &i, sizeof(i));
		pool_give(blocks[i]);
	}
	assert_int_equal(pool_made(pool), MANY);
	for (size_t i = 0; i < MANY; i++)
		blocks[i] = take(pool, sizeof(i));
	assert_int_equal(pool_made(pool), MANY);
	free(blocks);
	pool_free(pool);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 4000, HELD = 6 };

struct user {
	struct pool *pool;
	uint32_t number;
	unsigned wrong;
};

/* Nobody else has what it has. */
static void *use_pool(void *arg)
{
	struct user *user = arg;
	struct random random = random_stream(3, 0, user->number, 0);
	struct pool_block *held[HELD] = { NULL };
	uint32_t marks[HELD] = { 0 };

	for (uint32_t round = 0; round < ROUNDS; round++) {
		const unsigned i = random_below(&random, HELD);
		const uint32_t mark = round * THREADS + user->number;
		struct error err = ERROR_INIT;

		if (held[i]) {
			user->wrong += memcmp(pool_block_data(held[i]),
			                   &marks[i], sizeof(mark)) != 0;
			pool_give(held[i]);
		}
		held[i] = pool_take(
		    user->pool, 4 + random_below(&random, 400 * KIB), &err);
		if (!held[i]) {
			user->wrong++;
			continue;
		}
		marks[i] = mark;
		memcpy(pool_block_data(held[i]), &mark, sizeof(mark));
	}
	for (unsigned i = 0; i < HELD; i++)
		if (held[i])
			pool_give(held[i]);
	return NULL;
}

static void test_pool_gives_a_piece_to_one_thread_only(void **state)
{
	struct pool *pool = new_pool();
	struct user users[THREADS];
	pthread_t threads[THREADS];

	UNUSED(state);
	for (uint32_t i = 0; i < THREADS; i++) {
		users[i] = (struct user){ .pool = pool, .number = i };
		assert_int_equal(
		    pthread_create(&threads[i], NULL, use_pool, &users[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(users[i].wrong, 0);
	}
	check_bound(pool);
	/* All are free again: what is wanted now is there. */
	assert_true(pool_peak_bytes(pool) <= THREADS * HELD * 448 * KIB);
	pool_free(pool);
}

/* ---- tensors and batches ---- */

static void reshape(struct tensor *tensor, int64_t bytes)
{
	const struct shape shape = { 1, { bytes } };
	struct error err = ERROR_INIT;

	test_ok(tensor_reshape(tensor, DTYPE_U8, &shape, &err), &err);
}

static void test_pool_tensor_hands_back_what_is_large(void **state)
{
	struct pool *pool = new_pool();
	struct tensor a = { .block = pool_empty(pool) },
	              b = { .block = pool_empty(pool) };
	struct shape shape = { 1, { 300 * KIB } };
	struct error err = ERROR_INIT;
	void *data;

	UNUSED(state);
	reshape(&a, 100);
	data = a.data;
	tensor_hand_back(&a);
	reshape(&a, 200);
	assert_ptr_equal(a.data, data); /* small: it was kept */

	reshape(&a, 200 * KIB);
	memset(a.data, 7, a.bytes);
	test_ok(tensor_resize(&a, DTYPE_U8, &shape, &err), &err);
	assert_int_equal(((unsigned char *)a.data)[200 * KIB - 1], 7);
	data = a.data;
	tensor_hand_back(&a);
	assert_null(a.data);
	assert_false(a.owned);

	reshape(&b, 300 * KIB);
	assert_ptr_equal(b.data, data);
	tensor_borrow(&a, &b);
	assert_ptr_equal(a.block, pool_empty(pool));
	tensor_release(&a);
	reshape(&a, 90); /* what the first gave for a larger one */
	assert_int_equal(pool_made(pool), 3);
	tensor_release(&a);
	tensor_release(&b);
	pool_free(pool);
}

static void fill_slot(struct batch *batch, int64_t bytes)
{
	struct error err = ERROR_INIT;
	struct sample *slot = batch_slot(batch);

	reshape(&slot->fields[0], 8);
	reshape(&slot->fields[1], bytes);
	slot->count = 2;
	test_ok(batch_add(batch, span_text("key"), &err), &err);
}

static void test_pool_batch_reset_hands_back_unequal_fields(void **state)
{
	const struct type fixed = { .dtype = DTYPE_U8, .shape = { 1, { 8 } } };
	const struct type varied = { .dtype = DTYPE_U8,
		.shape = { 1, { -1 } } };
	struct pool *pool = new_pool();
	struct error err = ERROR_INIT;
	struct schema schema = { .count = 0 };
	struct batch *one, *other;

	UNUSED(state);
	test_ok(schema_add(&schema, "fixed", &fixed, &err), &err);
	test_ok(schema_add(&schema, "varied", &varied, &err), &err);
	one = batch_new(4, &schema, pool, &err);
	other = batch_new(4, &schema, pool, &err);
	assert_non_null(one);
	assert_non_null(other);
	for (int64_t i = 1; i <= 4; i++)
		fill_slot(one, i * 100 * KIB);
	assert_int_equal(pool_made(pool), 4);
	batch_reset(one);
	for (int64_t i = 4; i >= 1; i--)
		fill_slot(other, i * 100 * KIB);
	assert_int_equal(pool_made(pool), 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_ptr_equal(other->slots[i].fields[0].data,
		    (char *)other->blocks[0] + (size_t)i * 8);
		assert_null(one->slots[i].fields[1].data);
		assert_non_null(one->slots[i].fields[0].data);
	}
	batch_free(one);
	batch_free(other);
	pool_free(pool);
}

/* Of the processors that there are to `all`, number i; false: none. */
static bool run_on(const cpu_set_t *all, int i)
{
	cpu_set_t one;
	size_t cpu = 0;

	for (; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, all) && i-- == 0)
			break;
	CPU_ZERO(&one);
	if (cpu == CPU_SETSIZE)
		return false;
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

/* Who gives it back does not matter; with none of its own, any will do. */
static void test_pool_gives_a_processor_what_it_had(void **state)
{
	enum { BYTES = 100 * KIB };
	struct pool *pool = new_pool();
	struct pool_block *had[2];
	cpu_set_t all;

	UNUSED(state);
	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < 2; i++) {
		if (!run_on(&all, i)) {
			sched_setaffinity(0, sizeof(all), &all);
			pool_free(pool);
			skip();
		}
		had[i] = take(pool, BYTES);
	}
	for (int turn = 0; turn < 4; turn++) {
		pool_give(had[turn / 2]);
		pool_give(had[1 - turn / 2]);
		run_on(&all, turn % 2);
		assert_ptr_equal(take(pool, BYTES), had[turn % 2]);
		run_on(&all, 1 - turn % 2);
		assert_ptr_equal(take(pool, BYTES), had[1 - turn % 2]);
	}
	pool_give(had[0]);
	pool_give(had[1]);
	take(pool, BYTES);
	take(pool, BYTES);
	assert_int_equal(pool_made(pool), 2);
	sched_setaffinity(0, sizeof(all), &all);
	pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pool_piece_is_little_larger_than_asked),
		cmocka_unit_test(test_pool_takes_the_smallest_that_fits),
		cmocka_unit_test(
		    test_pool_does_not_grow_when_all_are_in_flight),
		cmocka_unit_test(test_pool_has_a_fresh_piece_for_each_at_first),
		cmocka_unit_test(test_pool_settles_when_some_are_in_flight),
		cmocka_unit_test(test_pool_frees_small_pieces_as_sizes_rise),
		cmocka_unit_test(test_pool_that_is_full_gives_a_larger_piece),
		cmocka_unit_test(test_pool_gives_a_processor_what_it_had),
		cmocka_unit_test(test_pool_names_what_is_too_much),
		cmocka_unit_test(test_pool_has_room_for_any_number_of_blocks),
		cmocka_unit_test(test_pool_gives_a_piece_to_one_thread_only),
		cmocka_unit_test(test_pool_tensor_hands_back_what_is_large),
		cmocka_unit_test(
		    test_pool_batch_reset_hands_back_unequal_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
