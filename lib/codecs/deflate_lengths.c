/* deflate_lengths.c - see deflate_lengths.h. */
#include "lib/codecs/deflate_lengths.h"

#include <stdlib.h>

enum { BITS_MOST = 15 };

struct leaf {
	uint32_t often;
	uint16_t symbol;
};

static int rarest_first(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;

	if (x->often != y->often)
		return x->often < y->often ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/* The used ones, and others until there are two. */
static unsigned find_leaves(
    struct leaf *leaves, const uint32_t *often, unsigned count)
{
	unsigned used = 0;

	for (unsigned i = 0; i < count; i++)
		if (often[i])
			leaves[used++] = (struct leaf){ often[i], (uint16_t)i };
	for (unsigned i = 0; used < 2; i++)
		if (!often[i])
			leaves[used++] = (struct leaf){ 0, (uint16_t)i };
	qsort(leaves, used, sizeof(*leaves), rarest_first);
	return used;
}

/*
 * The tree, from the rarest two on: nodes [0, n) are the leaves, those behind
 * them were made in order, so that both are queues.
 */
static void make_tree(const struct leaf *leaves, unsigned n, uint16_t *parents)
{
	uint64_t weights[2 * LENGTHS_SYMBOLS];
	unsigned leaf = 0, node = n;

	for (unsigned i = 0; i < n; i++)
		weights[i] = leaves[i].often;
	for (unsigned made = n; made < 2 * n - 1; made++) {
		weights[made] = 0;
		for (int child = 0; child < 2; child++) {
			const unsigned i =
			    leaf < n && (node == made ||
			                    weights[leaf] <= weights[node])
			        ? leaf++
			        : node++;

			weights[made] += weights[i];
			parents[i] = (uint16_t)made;
		}
	}
}

/* How many leaves have each length, of which none is over `most`. */
static void count_lengths(
    unsigned *counts, const uint16_t *parents, unsigned n, unsigned most)
{
	unsigned depths[2 * LENGTHS_SYMBOLS];

	depths[2 * n - 2] = 0;
	for (unsigned i = 2 * n - 2; i-- > 0;) {
		depths[i] = depths[parents[i]] + 1;
		if (i < n)
			counts[depths[i] < most ? depths[i] : most]++;
	}
}

/* Codes that were cut off take room from shorter ones; then none is left. */
static void make_whole(unsigned *counts, unsigned most)
{
	const unsigned whole = 1u << most;
	unsigned sum = 0;

	for (unsigned len = 1; len <= most; len++)
		sum += counts[len] << (most - len);
	while (sum > whole) {
		unsigned len = most - 1;

		while (counts[len] == 0)
			len--;
		counts[len]--;
		counts[len + 1]++;
		sum -= 1u << (most - len - 1);
	}
	while (sum < whole) {
		unsigned len = 2;

		while (counts[len] == 0 || 1u << (most - len) > whole - sum)
			len++;
		counts[len]--;
		counts[len - 1]++;
		sum += 1u << (most - len);
	}
}

void deflate_lengths(
    uint8_t *lengths, const uint32_t *often, unsigned count, unsigned most)
{
	struct leaf leaves[LENGTHS_SYMBOLS];
	uint16_t parents[2 * LENGTHS_SYMBOLS];
	unsigned counts[BITS_MOST + 1] = { 0 };
	const unsigned n = find_leaves(leaves, often, count);
	unsigned next = 0;

	for (unsigned i = 0; i < count; i++)
		lengths[i] = 0;
	make_tree(leaves, n, parents);
	count_lengths(counts, parents, n, most);
	make_whole(counts, most);
	for (unsigned len = most; len > 0; len--)
		for (unsigned i = 0; i < counts[len]; i++)
			lengths[leaves[next++].symbol] = (uint8_t)len;
}
