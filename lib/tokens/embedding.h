/*
 * embedding.h - a table with a row of floats for each token: from a .npy file,
 * or random.
 *
 * Random rows are uniform in [-1, 1), multiples of 2^-23.  Each is a function
 * of seed and row number only, without rounding: it is equal for every worker,
 * process and machine, and for every number of rows.
 */
#ifndef LIB_TOKENS_EMBEDDING_H
#define LIB_TOKENS_EMBEDDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/files/mapping.h"
#include "lib/sample/dtype.h"

struct error;

/* Describes the table wanted. */
struct embedding_plan {
	const char *path; /* a .npy file; NULL: a random table, by the rest */
	uint64_t tokens, dim, seed;
	enum dtype dtype; /* DTYPE_F32, DTYPE_F16 */
	bool any_dtype;   /* with a file: any of its dtypes */
};

struct embedding {
	uint64_t tokens, dim;
	enum dtype dtype;
	size_t row_bytes;
	const unsigned char *rows;
	/* Memory of the table: */
	void *owned;
	struct mapping mapped;
};

/* Makes or maps the table, once for all who use the same one. */
const struct embedding *embedding_take(
    const struct embedding_plan *plan, struct error *err);
void embedding_give(const struct embedding *embedding); /* NULL is fine */

#endif
