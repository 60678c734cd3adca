/*
 * csr.h - graphs as arrays: pairs of nodes, and compressed rows (CSR), in which
 * the neighbours of node i are indices[indptr[i]] to indices[indptr[i+1]-1].
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

/* The highest node of the pairs, -1 when there are none; negative ones are an
 * error. */
int pairs_highest(
    const int32_t *pairs, size_t count, int32_t *highest, struct error *err);

/*
 * Every edge with its reverse.  Room for 2 * count pairs in `out`; *made is
 * how many there are.  `keep`: the given ones, then the reverse ones in the
 * same order; loops once.  Otherwise each once, sorted by first, then second
 * node.  The bufs are room to work in, and may be used again.
 */
int pairs_symmetrize(const int32_t *pairs, size_t count, bool keep,
    struct buf work[2], int32_t *out, size_t *made, struct error *err);

/*
 * Rows of the pairs, whose nodes are below `nodes`: indptr has room for nodes
 * + 1, indices for count.  Neighbours stay in the order of the pairs.
 */
void csr_build(const int32_t *pairs, size_t count, size_t nodes,
    int64_t *indptr, int32_t *indices);

#endif
