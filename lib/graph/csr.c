/* csr.c - see csr.h. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/csr.h"

enum { DIGIT_BITS = 11, DIGIT_SIZE = 1 << DIGIT_BITS };

int pairs_highest(
    const int32_t *pairs, size_t count, int32_t *highest, struct error *err)
{
	int32_t most = -1;
	uint32_t signs = 0;

	for (size_t i = 0; i < 2 * count; i++) {
		most = pairs[i] > most ? pairs[i] : most;
		signs |= (uint32_t)pairs[i];
	}
	*highest = most;
	for (size_t i = 0; signs >> 31 && i < 2 * count; i++)
		if (pairs[i] < 0)
			return error_set(err, ERROR_DATA,
			    "edge %zu has the node %d", i / 2, pairs[i]);
	return 0;
}

/* ---- both directions ---- */

static size_t reverse_all(const int32_t *pairs, size_t count, int32_t *out)
{
	size_t n = 2 * count;

	memcpy(out, pairs, count * 2 * sizeof(*pairs));
	for (size_t i = 0; i < count; i++) {
		if (pairs[2 * i] == pairs[2 * i + 1])
			continue;
		out[n++] = pairs[2 * i + 1];
		out[n++] = pairs[2 * i];
	}
	return n / 2;
}

/* Packs each pair, first node in the upper bits, second in the lower. */
static size_t make_keys(
    const int32_t *pairs, size_t count, unsigned bits, uint64_t *keys)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t a = (uint32_t)pairs[2 * i];
		const uint64_t b = (uint32_t)pairs[2 * i + 1];

		keys[n++] = a << bits | b;
		keys[n] = b << bits | a;
		n += a != b;
	}
	return n;
}

/* One pass of a radix sort, by the digit at `shift`. */
static void sort_by_digit(
    const uint64_t *in, uint64_t *out, size_t count, unsigned shift)
{
	size_t place[DIGIT_SIZE] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		place[in[i] >> shift & (DIGIT_SIZE - 1)]++;
	for (size_t d = 0; d < DIGIT_SIZE; d++) {
		const size_t here = place[d];

		place[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		out[place[in[i] >> shift & (DIGIT_SIZE - 1)]++] = in[i];
}

/* Sorts the keys; returns the buffer that has the result. */
static const uint64_t *sort_keys(
    uint64_t *keys, uint64_t *other, size_t count, unsigned bits)
{
	for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
		uint64_t *sorted = other;

		sort_by_digit(keys, sorted, count, shift);
		other = keys;
		keys = sorted;
	}
	return keys;
}

static size_t take_different(
    const uint64_t *keys, size_t count, unsigned bits, int32_t *out)
{
	const uint64_t low = ((uint64_t)1 << bits) - 1;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && keys[i] == keys[i - 1])
			continue;
		out[n++] = (int32_t)(keys[i] >> bits);
		out[n++] = (int32_t)(keys[i] & low);
	}
	return n / 2;
}

int pairs_symmetrize(const int32_t *pairs, size_t count, bool keep,
    struct buf work[2], int32_t *out, size_t *made, struct error *err)
{
	uint64_t *keys, *other;
	int32_t highest;
	unsigned bits = 1;
	size_t bytes, n;

	if (pairs_highest(pairs, count, &highest, err))
		return -1;
	if (keep) {
		*made = reverse_all(pairs, count, out);
		return 0;
	}
	while (highest > 0 && highest >> bits)
		bits++;
	/* One more: a key is written before it is known to belong to a loop. */
	if (size_mul(2 * count + 1, sizeof(*keys), &bytes))
		return error_memory(err, count);
	if (buf_reserve(&work[0], bytes, err) ||
	    buf_reserve(&work[1], bytes, err))
		return -1;
	keys = (void *)work[0].data;
	other = (void *)work[1].data;
	n = make_keys(pairs, count, bits, keys);
	*made =
	    take_different(sort_keys(keys, other, n, 2 * bits), n, bits, out);
	return 0;
}

/* ---- rows ---- */

void csr_build(const int32_t *pairs, size_t count, size_t nodes,
    int64_t *indptr, int32_t *indices)
{
	int64_t sum = 0;

	/*
	 * Entry i + 1 first holds the count of row i, then the position to fill
	 * next, and finally its end.
	 */
	memset(indptr, 0, (nodes + 1) * sizeof(*indptr));
	for (size_t i = 0; i < count; i++)
		indptr[pairs[2 * i] + 1]++;
	for (size_t i = 0; i < nodes; i++) {
		const int64_t here = indptr[i + 1];

		indptr[i + 1] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		indices[indptr[pairs[2 * i] + 1]++] = pairs[2 * i + 1];
}
