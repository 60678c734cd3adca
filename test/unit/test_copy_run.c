/* test_copy_run.c - samples copied at once are those that were added. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/sample/batch.h"
#include "lib/sample/copy_run.h"
#include "test/unit/test.h"

enum { SAMPLES = 50, ROOM = 1 << 16 };

/* The fields of all samples have these types. */
struct setup {
	struct schema schema;
	struct batch *batch;
	unsigned char *memory; /* [ROOM], of noise: rows lie here */
	struct copy_run run;
	struct random random;
};

static void set_up(
    struct setup *s, const size_t *bytes, unsigned fields, bool is_large)
{
	struct error err = ERROR_INIT;

	*s = (struct setup){ .random = random_stream(1, 2, 3, 4) };
	for (unsigned f = 0; f < fields; f++) {
		const struct type type = { .dtype = DTYPE_U8,
			.shape = { 1, { (int64_t)bytes[f] } } };
		char name[2] = { (char)('a' + f), '\0' };

		test_ok(schema_add(&s->schema, name, &type, &err), &err);
	}
	s->batch = batch_new(SAMPLES, &s->schema, NULL, &err);
	assert_non_null(s->batch);
	for (unsigned i = 0; i < SAMPLES; i++)
		for (unsigned f = 0; f < fields; f++)
			s->batch->slots[i].fields[f].is_large = is_large;
	s->memory = malloc(ROOM);
	assert_non_null(s->memory);
	for (size_t i = 0; i < ROOM; i++)
		s->memory[i] = (unsigned char)random_u64(&s->random);
}

static void tear_down(struct setup *s)
{
	batch_free(s->batch);
	free(s->memory);
}

/* Sample i has its field f at place[f], and its number as label. */
static void add(struct setup *s, unsigned i, const size_t *places)
{
	struct sample in = { .label = i, .count = s->schema.count };
	struct error err = ERROR_INIT;

	for (unsigned f = 0; f < in.count; f++) {
		const struct type *type = &s->schema.fields[f].type;

		assert_true(places[f] + (size_t)type->shape.dims[0] <= ROOM);
		tensor_view(&in.fields[f], type->dtype, &type->shape,
		    s->memory + places[f]);
	}
	test_ok(copy_run_add(&s->run, &in, &s->batch->slots[i], &err), &err);
}

static void check(const struct setup *s, unsigned i, const size_t *places)
{
	for (unsigned f = 0; f < s->schema.count; f++) {
		const struct tensor *field = &s->batch->slots[i].fields[f];
		const struct type *type = &s->schema.fields[f].type;

		assert_true(shape_equal(&field->shape, &type->shape));
		assert_int_equal(field->bytes, type->shape.dims[0]);
		if (field->bytes > 0 &&
		    memcmp(field->data, s->memory + places[f], field->bytes) !=
		        0)
			fail_msg("field %u of sample %u", f, i);
	}
}

/* Where the rows of a field lie: the first, and by how much further each. */
struct way {
	size_t first, stride;
	unsigned jump; /* each so many samples it is elsewhere; 0: never */
};

static void check_ways(
    const struct way *ways, const size_t *bytes, unsigned fields, bool is_large)
{
	size_t places[SAMPLES][2];
	struct setup s;

	set_up(&s, bytes, fields, is_large);
	for (unsigned i = 0; i < SAMPLES; i++) {
		for (unsigned f = 0; f < fields; f++) {
			const struct way *way = &ways[f];

			places[i][f] = way->first + i * way->stride;
			if (way->jump && i % way->jump == 0)
				places[i][f] = random_below(
				    &s.random, (uint32_t)(ROOM - bytes[f]));
		}
		add(&s, i, places[i]);
	}
	copy_run_flush(&s.run);
	copy_run_flush(&s.run);
	copy_fence();
	for (unsigned i = 0; i < SAMPLES; i++)
		check(&s, i, places[i]);
	tear_down(&s);
}

static void test_copy_run_copies_rows_however_they_lie(void **state)
{
	static const size_t bytes[][2] = { { 64, 8 }, { 100, 1 }, { 1000, 3 },
		{ 0, 64 }, { 7, 0 } };

	UNUSED(state);
	for (size_t b = 0; b < ARRAY_LEN(bytes); b++)
		for (size_t gap = 0; gap < 80; gap += 13)
			for (unsigned jump = 0; jump < 4; jump++) {
				const struct way ways[] = {
					{ 5, bytes[b][0] + gap, jump },
					{ 60000, bytes[b][1], 0 },
				};

				check_ways(ways, bytes[b], 1, jump % 2);
				check_ways(ways, bytes[b], 1, jump % 2 == 0);
				check_ways(ways, bytes[b], 2, gap % 2);
			}
}

/* The same row again and again, and rows in the opposite direction. */
static void test_copy_run_copies_what_does_not_go_forward(void **state)
{
	static const size_t bytes[] = { 100 };
	struct setup s;

	UNUSED(state);
	set_up(&s, bytes, 1, false);
	for (unsigned i = 0; i < SAMPLES; i++)
		add(&s, i, &(size_t){ i < SAMPLES / 2 ? 300 : 9000 - 50 * i });
	copy_run_flush(&s.run);
	for (unsigned i = 0; i < SAMPLES; i++)
		check(
		    &s, i, &(size_t){ i < SAMPLES / 2 ? 300 : 9000 - 50 * i });
	tear_down(&s);
}

static void test_copy_run_refuses_what_has_no_room(void **state)
{
	static const size_t bytes[] = { 100 };
	struct shape shape = { 1, { 101 } };
	struct sample in = { .count = 1 };
	struct error err = ERROR_INIT;
	struct setup s;

	UNUSED(state);
	set_up(&s, bytes, 1, false);
	add(&s, 0, &(size_t){ 0 });
	tensor_view(&in.fields[0], DTYPE_U8, &shape, s.memory + 100);
	assert_int_equal(
	    copy_run_add(&s.run, &in, &s.batch->slots[1], &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	add(&s, 1, &(size_t){ 100 });
	copy_run_flush(&s.run);
	check(&s, 0, &(size_t){ 0 });
	check(&s, 1, &(size_t){ 100 });
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy_run_copies_rows_however_they_lie),
		cmocka_unit_test(test_copy_run_copies_what_does_not_go_forward),
		cmocka_unit_test(test_copy_run_refuses_what_has_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
