/* reference.c - see reference.h. */
#include "lib/measure/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/stats/statistics.h"

enum {
	PLAIN = 160 << 10, /* bytes after inflating */
	REACH = 4000,      /* largest distance of a repetition */
};

static const uint32_t seed = 2463534242; /* seed of the bytes */

struct reference {
	unsigned char *bytes, *packed; /* owned */
	uLong packed_len;
	const struct clock *wall;
	uint64_t last_ns, took_ns; /* start; wall time, 0: none yet */
};

/* Marsaglia's xorshift: the bytes must be the same, not good. */
static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/*
 * Makes bytes like the filtered lines of a picture: around a middle value,
 * sometimes repeating earlier bytes. Half of the compressed size is literals,
 * half is copies.
 */
static void fill(unsigned char *bytes)
{
	uint32_t state = seed;
	size_t i = 0;

	while (i < PLAIN) {
		const uint32_t r = draw(&state);
		const size_t back = 1 + (r >> 8) % REACH;
		size_t len = r % 8 == 0 && i >= back ? 4 + (r >> 3) % 24 : 0;

		if (len == 0)
			bytes[i++] =
			    (unsigned char)((r >> 8 & 15) + (r >> 12 & 15) +
			                    (r >> 16 & 15));
		for (; len > 0 && i < PLAIN; len--, i++)
			bytes[i] = bytes[i - back];
	}
}

struct reference *reference_new(const struct clock *wall, struct error *err)
{
	struct reference *r = memory_zeroed(sizeof(*r), err);

	if (!r)
		return NULL;
	r->wall = wall;
	r->packed_len = compressBound(PLAIN);
	r->bytes = malloc(PLAIN);
	r->packed = malloc(r->packed_len);
	if (r->bytes && r->packed) {
		fill(r->bytes);
		if (compress2(r->packed, &r->packed_len, r->bytes, PLAIN,
		        Z_BEST_SPEED) == Z_OK)
			return r;
	}
	error_memory(err, PLAIN + compressBound(PLAIN));
	reference_free(r);
	return NULL;
}

void reference_free(struct reference *reference)
{
	if (!reference)
		return;
	free(reference->bytes);
	free(reference->packed);
	free(reference);
}

/* The data is valid: it fails only when memory is short. */
static bool inflate_all(struct reference *reference)
{
	uLongf len = PLAIN;

	return uncompress(reference->bytes, &len, reference->packed,
	           reference->packed_len) == Z_OK;
}

/* Returns how many runs may be made now. */
static uint64_t count_due(const struct reference *reference, uint64_t now)
{
	const uint64_t cost = REFERENCE_SHARE * reference->took_ns;
	const uint64_t count = cost ? (now - reference->last_ns) / cost : 1;

	return count < REFERENCE_MOST ? count : REFERENCE_MOST;
}

uint64_t reference_run(struct reference *reference)
{
	const uint64_t now = clock_now(reference->wall);
	const uint64_t count = count_due(reference, now);
	const uint64_t start = clock_now(&clock_thread_cpu);
	uint64_t took;

	if (count == 0)
		return 0;
	for (uint64_t i = 0; i < count; i++)
		if (!inflate_all(reference))
			return 0;
	took = (clock_now(&clock_thread_cpu) - start) / count;
	reference->last_ns = now;
	reference->took_ns = (clock_now(reference->wall) - now) / count;
	return took;
}

struct span reference_bytes(const struct reference *reference)
{
	return (struct span){ .data = reference->bytes, .len = PLAIN };
}

int reference_time(double *seconds, struct error *err)
{
	enum { RUNS = 41 };
	struct reference *reference = reference_new(&clock_monotonic, err);
	double times[RUNS];

	if (!reference)
		return -1;
	for (int i = 0; i < RUNS; i++) {
		const uint64_t start = clock_now(&clock_thread_cpu);

		inflate_all(reference);
		times[i] = (double)(clock_now(&clock_thread_cpu) - start) / 1e9;
	}
	reference_free(reference);
	*seconds = median_of(times, RUNS);
	return 0;
}
