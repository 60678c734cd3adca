/* test_scale.c - the same floats, wherever they are written to and how. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/steps/scale.h"
#include "test/unit/test.h"

enum { MOST = 333, CHANNELS = 3 };

struct run {
	uint8_t bytes[MOST];
	float floats[MOST];
	float minus[SCALE_STEP * CHANNELS], times[SCALE_STEP * CHANNELS];
};

static void fill(struct run *run)
{
	struct random random = random_stream(2, 7, 1, 8);

	random_fill(&random, run->bytes, sizeof(run->bytes));
	for (size_t i = 0; i < MOST; i++)
		run->floats[i] = (float)run->bytes[MOST - 1 - i] * 0.37f;
	for (size_t i = 0; i < SCALE_STEP * CHANNELS; i++) {
		run->minus[i] = (float)(i % CHANNELS) + 0.5f;
		run->times[i] = 1.0f / (float)(i % CHANNELS + 3);
	}
}

static void run_all(
    const struct run *run, bool away, size_t count, float *out[4])
{
	const struct scale scale = { 127.5f, 0x1.01p-7f, 0x1.010102p-23f,
		away };
	const struct scale_table table = { SCALE_STEP * CHANNELS, run->minus,
		run->times, away };

	scale_bytes(scale, run->bytes, out[0], count);
	scale_floats(scale, run->floats, out[1], count);
	scale_bytes_by_table(table, run->bytes, out[2], count);
	scale_floats_by_table(table, run->floats, out[3], count);
}

static void test_scale_gives_the_same_past_the_caches(void **state)
{
	static const size_t counts[] = { 0, 1, 31, 32, 33, 64, 100, MOST };
	static float near[4][MOST + 8], far[4][MOST + 8];
	struct run run;

	UNUSED(state);
	fill(&run);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		for (size_t at = 0; at < 8; at++) {
			float *a[4], *b[4];

			memset(near, 0, sizeof(near));
			memset(far, 0, sizeof(far));
			for (size_t k = 0; k < 4; k++) {
				a[k] = near[k] + at;
				b[k] = far[k] + at;
			}
			run_all(&run, false, counts[i], a);
			run_all(&run, true, counts[i], b);
			assert_memory_equal(near, far, sizeof(near));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale_gives_the_same_past_the_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
