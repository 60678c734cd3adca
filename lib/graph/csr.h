/*
 * csr.h - graphs as arrays: pairs of nodes, or compressed sparse rows (CSR),
 * where the neighbours of node i are indices[indptr[i]] to
 * indices[indptr[i+1]-1].
 *
 * Pairs are int32 [E, 2], indptr int64 [N+1], indices int32 [E].
 */
#ifndef LIB_GRAPH_CSR_H
#define LIB_GRAPH_CSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct csr {
	const int64_t *indptr;
	const int32_t *indices;
	size_t nodes, edges;
};

/* Gets the highest node, -1 if there are no pairs; ERROR_DATA below 0. */
int pairs_highest(
    const int32_t *pairs, size_t count, int32_t *highest, struct error *err);

/*
 * Adds the reverse of every edge.  `out` has room for 2 * count pairs; *made is
 * their number.  With `keep`: the given pairs, then the reversed ones in the
 * same order, loops only once.  Otherwise unique pairs, sorted by first, then
 * second node.  `work` is reusable work memory.
 */
int pairs_symmetrize(const int32_t *pairs, size_t count, bool keep,
    struct buf work[2], int32_t *out, size_t *made, struct error *err);

/*
 * Builds rows from pairs whose nodes are below `nodes`.  indptr has room for
 * nodes + 1 entries, indices for count.  Neighbours stay in order.
 */
void csr_build(const int32_t *pairs, size_t count, size_t nodes,
    int64_t *indptr, int32_t *indices);

#endif
