/* test_scale.c - equal floats on every code path and for every destination. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/image/scale.h"
#include "test/unit/test.h"

enum { MOST = 333, CHANNELS = 3 };

struct run {
	uint8_t bytes[MOST];
	uint16_t words[MOST];
	float floats[MOST];
	float minus[SCALE_STEP * CHANNELS], times[SCALE_STEP * CHANNELS];
};

static void fill(struct run *run)
{
	struct random random = random_stream(2, 7, 1, 8);

	random_fill(&random, run->bytes, sizeof(run->bytes));
	random_fill(&random, run->words, sizeof(run->words));
	for (size_t i = 0; i < MOST; i++)
		run->floats[i] = (float)run->bytes[MOST - 1 - i] * 0.37f;
	for (size_t i = 0; i < SCALE_STEP * CHANNELS; i++) {
		run->minus[i] = (float)(i % CHANNELS) + 0.5f;
		run->times[i] = 1.0f / (float)(i % CHANNELS + 3);
	}
}

static const enum dtype dtypes[] = { DTYPE_U8, DTYPE_U16, DTYPE_F32 };

enum { OUTS = 2 * ARRAY_LEN(dtypes) };

static const void *elements(const struct run *run, enum dtype dtype)
{
	if (dtype == DTYPE_U8)
		return run->bytes;
	return dtype == DTYPE_U16 ? (const void *)run->words : run->floats;
}

static void run_all(const struct run *run, bool away, bool plain, size_t count,
    float *out[OUTS])
{
	const struct scale scale = { 127.5f, 0x1.01p-7f, 0x1.010102p-23f,
		away };
	const struct scale_table table = { SCALE_STEP * CHANNELS, run->minus,
		run->times, away };

	for (size_t i = 0; i < ARRAY_LEN(dtypes); i++) {
		const void *in = elements(run, dtypes[i]);

		(plain ? scale_run_plain : scale_run)(
		    scale, dtypes[i], in, out[2 * i], count);
		(plain ? scale_run_by_table_plain : scale_run_by_table)(
		    table, dtypes[i], in, out[2 * i + 1], count);
	}
}

/* Past the caches or not, and with vectors or without. */
static void test_scale_gives_the_same_in_every_way(void **state)
{
	static const size_t counts[] = { 0, 1, 31, 32, 33, 64, 100, MOST };
	static float want[OUTS][MOST + 8], got[OUTS][MOST + 8];
	struct run run;

	UNUSED(state);
	fill(&run);
	for (size_t i = 0; i < 3 * ARRAY_LEN(counts); i++)
		for (size_t at = 0; at < 8; at++) {
			const size_t count = counts[i / 3];
			float *a[OUTS], *b[OUTS];

			memset(want, 0, sizeof(want));
			memset(got, 0, sizeof(got));
			for (size_t k = 0; k < OUTS; k++) {
				a[k] = want[k] + at;
				b[k] = got[k] + at;
			}
			run_all(&run, false, true, count, a);
			run_all(&run, i % 3 == 1, i % 3 == 2, count, b);
			assert_memory_equal(want, got, sizeof(want));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale_gives_the_same_in_every_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
