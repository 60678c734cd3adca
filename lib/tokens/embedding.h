/*
 * embedding.h - a table with a row of floats for each token: from a .npy file,
 * or made of a seed.
 *
 * Rows that are made are uniform in [-1, 1), multiples of 2^-23, each a pure
 * function of seed and row number without any rounding: the same for every
 * worker, process and machine, and for every number of rows.
 */
#ifndef LIB_TOKENS_EMBEDDING_H
#define LIB_TOKENS_EMBEDDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/files/mapping.h"
#include "lib/sample/dtype.h"

struct error;

/* What the table is to be. */
struct embedding_plan {
	const char *path; /* of a .npy file; NULL: made of the rest */
	uint64_t tokens, dim, seed;
	enum dtype dtype; /* DTYPE_F32, DTYPE_F16 */
	bool any_dtype;   /* of a file: as it is there */
};

struct embedding {
	uint64_t tokens, dim;
	enum dtype dtype;
	size_t row_bytes;
	const unsigned char *rows;
	/* How it is held: */
	void *owned;
	struct mapping mapped;
};

/* Made, or read and mapped, once for all who have the same. */
const struct embedding *embedding_take(
    const struct embedding_plan *plan, struct error *err);
void embedding_give(const struct embedding *embedding); /* NULL is fine */

#endif
