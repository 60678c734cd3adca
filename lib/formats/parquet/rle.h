/*
 * rle.h - numbers of few bits, as Parquet stores levels and indexes of
 * dictionaries: runs of one number, and groups of 8 packed numbers.
 */
#ifndef LIB_FORMATS_PARQUET_RLE_H
#define LIB_FORMATS_PARQUET_RLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct rle {
	struct span left;
	unsigned width; /* bits of a number, 0 to 32 */
	uint64_t run;   /* numbers left in this run */
	bool is_packed;
	uint32_t value; /* number of a run of one number */
	struct span packed;
	uint64_t bit; /* the next one in `packed` */
};

/* Begins to read; with width 0, all numbers are 0. */
void rle_begin(struct rle *rle, struct span bytes, unsigned width);
/* Takes the next number: 0, or -1 when there is none. */
int rle_next(struct rle *rle, uint32_t *number);
/* Returns the bits that numbers up to `most` take. */
unsigned rle_width(uint32_t most);

#endif
