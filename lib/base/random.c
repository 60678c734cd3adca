/* random.c - see random.h. */
#include <math.h>
#include <string.h>

#include "lib/base/random.h"

enum { ROUNDS = 10 };

void random_philox(
    const uint32_t key[2], const uint32_t counter[4], uint32_t out[4])
{
	uint32_t k0 = key[0], k1 = key[1];
	uint32_t c0 = counter[0], c1 = counter[1];
	uint32_t c2 = counter[2], c3 = counter[3];

	for (int round = 0; round < ROUNDS; round++) {
		const uint64_t p0 = (uint64_t)0xd2511f53 * c0;
		const uint64_t p1 = (uint64_t)0xcd9e8d57 * c2;

		c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
		c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
		c1 = (uint32_t)p1;
		c3 = (uint32_t)p0;
		k0 += 0x9e3779b9; /* the golden ratio */
		k1 += 0xbb67ae85; /* square root of 3, minus 1 */
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
}

/* The last steps of SplitMix64, a bijection: no two steps get the same key. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

struct random random_stream(
    uint64_t seed, uint32_t epoch, uint64_t sample, uint32_t step)
{
	const uint64_t key = mix(seed + step * 0x9e3779b97f4a7c15);

	return (struct random){
		.key = { (uint32_t)key, (uint32_t)(key >> 32) },
		.counter = { 0, epoch, (uint32_t)sample,
		    (uint32_t)(sample >> 32) },
	};
}

uint32_t random_u32(struct random *random)
{
	if (!random->left) {
		random_philox(random->key, random->counter, random->out);
		random->counter[0]++;
		random->left = 4;
	}
	return random->out[4 - random->left--];
}

uint64_t random_u64(struct random *random)
{
	const uint64_t low = random_u32(random);

	return low | (uint64_t)random_u32(random) << 32;
}

uint32_t random_below(struct random *random, uint32_t bound)
{
	uint64_t product = (uint64_t)random_u32(random) * bound;

	if ((uint32_t)product < bound) {
		/* 2^32 modulo bound: the number of low halves to reject. */
		const uint32_t surplus = (uint32_t)(-bound) % bound;

		while ((uint32_t)product < surplus)
			product = (uint64_t)random_u32(random) * bound;
	}
	return (uint32_t)(product >> 32);
}

double random_unit(struct random *random)
{
	return (double)(random_u64(random) >> 11) * 0x1p-53;
}

/* Box-Muller.  The second value is dropped: each call draws alike. */
double random_normal(struct random *random)
{
	const double turn = 6.28318530717958647692;
	const double radius = sqrt(-2 * log(1 - random_unit(random)));

	return radius * cos(turn * random_unit(random));
}

/* Words are stored little-endian: all machines produce the same bytes. */
void random_fill(struct random *random, void *data, size_t len)
{
	unsigned char *out = data;

	while (len) {
		const uint32_t word = random_u32(random);
		const unsigned char bytes[4] = {
			(unsigned char)word,
			(unsigned char)(word >> 8),
			(unsigned char)(word >> 16),
			(unsigned char)(word >> 24),
		};
		const size_t n = len < sizeof(bytes) ? len : sizeof(bytes);

		memcpy(out, bytes, n);
		out += n;
		len -= n;
	}
}
