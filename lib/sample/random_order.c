/* random_order.c - see random_order.h. */
#include "lib/sample/random_order.h"

/* Halves of a few bits need more rounds, so that no place is favoured. */
enum { SMALL_BITS = 10, ROUNDS = 6 };

static const uint64_t golden = 0x9e3779b97f4a7c15;

/* The last steps of SplitMix64. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

void random_order_init(
    struct random_order *order, uint64_t count, uint64_t key, uint64_t use)
{
	const uint64_t start = mix(mix(key + golden) + use);
	unsigned bits = 0;

	while (bits < 64 && count > 1 && (count - 1) >> bits)
		bits++;
	*order = (struct random_order){
		.count = count,
		.right_bits = bits - bits / 2,
		.rounds = bits < SMALL_BITS ? RANDOM_ORDER_ROUNDS : ROUNDS,
	};
	order->right_mask = ((uint64_t)1 << order->right_bits) - 1;
	order->left_mask = ((uint64_t)1 << bits / 2) - 1;
	for (unsigned i = 0; i < RANDOM_ORDER_ROUNDS; i++)
		order->keys[i] = mix(start + (i + 1) * golden);
}

static uint64_t once(const struct random_order *order, uint64_t number)
{
	uint64_t right = number & order->right_mask;
	uint64_t left = number >> order->right_bits;

	for (unsigned i = 0; i < order->rounds; i += 2) {
		left ^= mix(right ^ order->keys[i]) & order->left_mask;
		right ^= mix(left ^ order->keys[i + 1]) & order->right_mask;
	}
	return left << order->right_bits | right;
}

uint64_t random_order_at(const struct random_order *order, uint64_t place)
{
	if (order->count < 2)
		return place;
	do
		place = once(order, place);
	while (place >= order->count);
	return place;
}
