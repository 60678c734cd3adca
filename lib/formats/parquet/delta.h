/*
 * delta.h - the encodings of Parquet that store differences, and the one that
 * splits numbers into their bytes, unpacked to the form of PLAIN.
 */
#ifndef LIB_FORMATS_PARQUET_DELTA_H
#define LIB_FORMATS_PARQUET_DELTA_H

#include <stdint.h>

#include "lib/base/bytes.h"

/*
 * Numbers stored as differences, DELTA_BINARY_PACKED: a first number, then
 * blocks of differences to the smallest one of the block.
 */
struct delta {
	struct span left;
	uint64_t count;             /* numbers that are left */
	uint64_t block, miniblocks; /* numbers of a block, and its parts */
	uint64_t value;             /* the next number */
	uint64_t least;             /* the smallest difference of this block */
	struct span widths;         /* bits of the numbers of each part */
	uint64_t in_block;          /* number of the next one in the block */
	struct span packed;         /* the part that is being read */
	uint64_t bit;
	unsigned width;
	int is_first;
};

/* Begins to read: 0, or -1 for damage. Sets delta->count. */
int delta_begin(struct delta *delta, struct span bytes);
/* Takes the next number: 0, or -1. */
int delta_next(struct delta *delta, uint64_t *number);
/* Returns the bytes behind all numbers, once they are taken. */
struct span delta_rest(const struct delta *delta);

/*
 * Unpack the values of a page to PLAIN at `out`: 0, or -1 for damage. They set
 * *len to the bytes written, at most `room`.
 */
int delta_numbers(struct span bytes, unsigned width, unsigned char *out,
    size_t room, size_t *len);
int delta_lengths(
    struct span bytes, unsigned char *out, size_t room, size_t *len);
int delta_strings(
    struct span bytes, unsigned char *out, size_t room, size_t *len);
int split_streams(struct span bytes, unsigned width, unsigned char *out,
    size_t room, size_t *len);

/* Gets the bytes that delta_strings needs, at most `most`. */
int delta_strings_room(struct span bytes, uint64_t most, uint64_t *room);

#endif
