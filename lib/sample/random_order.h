/*
 * random_order.h - a random order of 0 to count - 1 that needs no memory: the
 * number at each place is computed when it is asked for.
 *
 * One key gives the same order on every machine.  It is a Feistel network on
 * the smallest power of two that holds all numbers; a result outside goes
 * through it again (cycle walking: Black and Rogaway, "Ciphers with Arbitrary
 * Finite Domains", CT-RSA 2002).  Not for secrets.
 */
#ifndef LIB_SAMPLE_RANDOM_ORDER_H
#define LIB_SAMPLE_RANDOM_ORDER_H

#include <stdint.h>

enum { RANDOM_ORDER_ROUNDS = 24 }; /* at most */

struct random_order {
	uint64_t count;
	uint64_t keys[RANDOM_ORDER_ROUNDS];
	uint64_t left_mask, right_mask; /* for the halves of a number */
	unsigned right_bits, rounds;
};

/* `use` makes orders of one key differ where they serve different purposes. */
void random_order_init(
    struct random_order *order, uint64_t count, uint64_t key, uint64_t use);
/* Returns the number at a place (< count); each number is at one place. */
uint64_t random_order_at(const struct random_order *order, uint64_t place);

#endif
