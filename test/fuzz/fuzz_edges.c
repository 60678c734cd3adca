/*
 * fuzz_edges.c - any bytes as a list of edges: an error in words, or as many
 * edges as were counted, whose nodes are none below 0, and whose rows sample.
 * The first byte chooses how ids and titles are read.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/csr.h"
#include "lib/graph/edge_list.h"
#include "lib/graph/sampler.h"
#include "lib/sample/tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { NODES_MOST = 1 << 16 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* All edges of all nodes are sampled when all are asked for. */
static void sample_all(const int32_t *pairs, size_t count, size_t nodes)
{
	static const struct fanouts fanouts = { 1, { FANOUT_ALL } };
	int64_t *indptr = malloc((nodes + 1) * sizeof(*indptr));
	int32_t *indices = malloc((count + 1) * sizeof(*indices));
	int32_t *seeds = malloc(nodes * sizeof(*seeds));
	const struct csr csr = { indptr, indices, nodes, count };
	const struct sampler_seeds given = { seeds, nodes, 1 };
	struct tensor edges = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct sampler sampler;

	require(indptr && indices && seeds);
	for (size_t i = 0; i < nodes; i++)
		seeds[i] = (int32_t)i;
	csr_build(pairs, count, nodes, indptr, indices);
	sampler_init(&sampler, &fanouts);
	require(sampler_run(&sampler, &csr, &given, &edges, &err) == 0);
	require(sampler.edges == count && sampler.map.count == nodes);
	sampler_release(&sampler);
	tensor_release(&edges);
	free(indptr);
	free(indices);
	free(seeds);
}

static void use(const int32_t *pairs, size_t count)
{
	struct buf work[2] = { BUF_INIT, BUF_INIT };
	int32_t *both = malloc(count * 16);
	struct error err = ERROR_INIT;
	int32_t highest;
	size_t made;

	require(both != NULL);
	require(pairs_highest(pairs, count, &highest, &err) == 0);
	require(highest >= 0 && highest <= NODE_MAX);
	require(pairs_symmetrize(
	            pairs, count, false, work, both, &made, &err) == 0);
	require(made > 0 && made <= 2 * count);
	if (highest < NODES_MOST)
		sample_all(both, made, (size_t)highest + 1);
	buf_release(&work[0]);
	buf_release(&work[1]);
	free(both);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct edge_list list = { .ids = EDGE_IDS_AUTO };
	struct error err = ERROR_INIT;
	size_t counted = 0, count = 0;
	struct span text;
	int32_t *pairs;
	int rc;

	if (len == 0)
		return 0;
	list.ids = data[0] % 3;
	list.titles = data[0] / 3 % 3;
	text = (struct span){ data + 1, len - 1 };
	pairs = malloc(edge_list_most(text) * 8);
	require(pairs != NULL);
	rc = edge_list_read(&list, text, NULL, &counted, &err);
	require(rc == 0 || (err.code == ERROR_DATA && err.text[0]));
	require(edge_list_read(&list, text, pairs, &count, &err) == rc);
	if (rc == 0) {
		require(count == counted && count <= edge_list_most(text));
		use(pairs, count);
	}
	edge_list_release(&list);
	free(pairs);
	return 0;
}
