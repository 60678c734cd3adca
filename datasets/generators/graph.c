/*
 * graph.c - graphs with the statistics of the Open Graph Benchmark: few nodes
 * have most of the edges, a node has about 16 neighbours, most features are 0,
 * and each node has a label; and graph.conf, which reads them.
 *
 * Edges follow the model of Chung and Lu: both ends are drawn by weight, and
 * the weight of the node with rank r is proportional to (r + 10)^-0.7, so that
 * degrees follow a power law with exponent 2.4. The numbers of nodes are
 * shuffled. Block i of the edges depends on the seed and i only, so the number
 * of threads does not matter.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/pipeline_file.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/graph/shuffle.h"
#include "lib/syntax/option.h"

enum {
	STEP_EDGES = 0x65646765, /* own random streams */
	STEP_FEATURES = 0x66656174,
	STEP_LABELS = 0x6c61626c,
	BLOCK = 1 << 14,   /* edges in a block, or nodes with features */
	EDGES_OF_NODE = 8, /* listed once, so a node has twice as many */
	ONES_OF_NODE = 10, /* typical number of features that are not 0 */
	NODES_LEAST = 16,
};

static const double tail = 0.7, head = 10;

struct options {
	uint64_t classes, dim, edges, nodes;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "classes", struct options, classes, 1, 1 << 20,
	    "number of different labels of nodes"),
	OPTION_RANGE(UINT, "dim", struct options, dim, 1, 1 << 16,
	    "number of features of a node"),
	OPTION_RANGE(UINT, "edges", struct options, edges, 1, 4e9,
	    "number of edges of a graph, each listed once"),
	OPTION_RANGE(UINT, "nodes", struct options, nodes, 0, 2e9,
	    "number of nodes of a graph; 0: an eighth of the edges"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.classes = 16,
	.dim = 128,
	.edges = 200000,
};

static const struct pipeline_file pipeline = {
	.about = "what SALIENT prepares for training on a graph",
	.dataset = "source = edges\npath   = .\n",
	.steps =
	    "edges    = parse_edges\n"
	    "both     = symmetrize\n"
	    "table    = features field=features dtype=float16\n"
	    "known    = parse_labels field=labels\n"
	    "csr      = csr\n"
	    "seeds    = seeds batch=1024           ; random: stays online\n"
	    "sampled  = neighbor_sample fanout=15,10,5\n"
	    "gathered = gather\n",
	.store = "tar",
	.codec = "none, zstd:1",
	.batch = 1,
};

/* The graph that is being made: the text of each block of its files. */
struct making {
	uint64_t seed, edges, nodes, dim, classes;
	uint64_t edge_blocks, node_blocks;
	struct shuffle shuffle;
	struct buf *texts; /* edges, then features, then labels */
};

/* ---- text ---- */

static void put_number(struct buf *text, uint64_t number)
{
	char digits[24];
	size_t n = sizeof(digits);

	do
		digits[--n] = (char)('0' + number % 10);
	while (number /= 10);
	while (n < sizeof(digits))
		text->data[text->len++] = (unsigned char)digits[n++];
}

static void put_char(struct buf *text, char c)
{
	text->data[text->len++] = (unsigned char)c;
}

/* ---- edges ---- */

/* Inverts the sum of weights, approximated by an integral. */
static uint64_t draw_node(const struct making *making, struct random *random)
{
	const double power = 1 - tail, nodes = (double)making->nodes;
	const double low = pow(head, power), high = pow(nodes + head, power);
	const double at = low + random_unit(random) * (high - low);
	const double rank = pow(at, 1 / power) - head;
	const uint64_t r = rank > 0 ? (uint64_t)rank : 0;

	return shuffle_at(
	    &making->shuffle, r < making->nodes ? r : making->nodes - 1);
}

static int make_edges(const struct making *making, uint64_t block,
    struct buf *text, struct error *err)
{
	struct random random =
	    random_stream(making->seed, 0, block, STEP_EDGES);
	const uint64_t first = block * BLOCK;
	const uint64_t left = making->edges - first;
	const uint64_t count = left < BLOCK ? left : BLOCK;

	if (buf_reserve(text, (size_t)count * 24, err))
		return -1;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t from = draw_node(making, &random);
		uint64_t to = draw_node(making, &random);

		while (to == from)
			to = draw_node(making, &random);
		put_number(text, from);
		put_char(text, '\t');
		put_number(text, to);
		put_char(text, '\n');
	}
	return 0;
}

/* ---- features ---- */

/* Writes columns in order, like published files; values are 0.1 to 1. */
static void put_features(
    const struct making *making, struct random *random, struct buf *text)
{
	const uint64_t stride =
	    making->dim > ONES_OF_NODE ? making->dim / ONES_OF_NODE : 1;
	uint64_t column = random_below(random, (uint32_t)stride);

	while (column < making->dim) {
		const uint32_t tenths = 1 + random_below(random, 10);

		put_char(text, ' ');
		put_number(text, column);
		put_char(text, ':');
		if (tenths == 10)
			put_char(text, '1');
		else {
			put_char(text, '0');
			put_char(text, '.');
			put_number(text, tenths);
		}
		column += 1 + random_below(random, (uint32_t)(2 * stride));
	}
}

static int make_features(const struct making *making, uint64_t block,
    struct buf *text, struct error *err)
{
	struct random random =
	    random_stream(making->seed, 0, block, STEP_FEATURES);
	const uint64_t first = block * BLOCK;
	const uint64_t left = making->nodes - first;
	const uint64_t end = first + (left < BLOCK ? left : BLOCK);

	for (uint64_t node = first; node < end; node++) {
		/* At worst every column adds " 65535:0.1". */
		const size_t most = (size_t)making->dim * 10 + 24;

		if (text->cap - text->len < most &&
		    buf_reserve(text, 2 * text->cap + most, err))
			return -1;
		put_number(text, node);
		put_features(making, &random, text);
		put_char(text, '\n');
	}
	return 0;
}

/* ---- labels ---- */

static int make_labels(const struct making *making, uint64_t block,
    struct buf *text, struct error *err)
{
	struct random random =
	    random_stream(making->seed, 0, block, STEP_LABELS);
	const uint64_t first = block * BLOCK;
	const uint64_t left = making->nodes - first;
	const uint64_t end = first + (left < BLOCK ? left : BLOCK);

	if (buf_reserve(text, (size_t)(end - first) * 24, err))
		return -1;
	for (uint64_t node = first; node < end; node++) {
		put_number(text, node);
		put_char(text, ' ');
		put_number(
		    text, random_below(&random, (uint32_t)making->classes));
		put_char(text, '\n');
	}
	return 0;
}

/* ---- the whole graph ---- */

static int make_block(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	const struct making *making = plan->options;

	struct buf *text = &making->texts[number];

	UNUSED(state);
	if (number < making->edge_blocks)
		return make_edges(making, number, text, err);
	number -= making->edge_blocks;
	if (number < making->node_blocks)
		return make_features(making, number, text, err);
	return make_labels(making, number - making->node_blocks, text, err);
}

/* Writes a title, and blocks from .. until-1. */
static int write_blocks(const struct making *making, const char *path,
    const struct buf *title, uint64_t from, uint64_t to, struct error *err)
{
	FILE *file = fopen(path, "wbxe");
	int rc = 0;

	if (!file)
		return error_errno(err, "create", path);
	if (title->len &&
	    fwrite(title->data, 1, title->len, file) != title->len)
		rc = error_errno(err, "write", path);
	for (uint64_t i = from; rc == 0 && i < to; i++) {
		const struct buf *text = &making->texts[i];

		if (fwrite(text->data, 1, text->len, file) != text->len)
			rc = error_errno(err, "write", path);
	}
	if (fclose(file) && rc == 0)
		rc = error_errno(err, "write", path);
	return rc;
}

/* Writes one file of the graph: blocks from .. until-1. */
static int write_file(const struct making *making, const char *dir,
    const char *name, uint64_t from, uint64_t to, struct error *err)
{
	struct buf title = BUF_INIT;
	char *path = path_join(dir, name, err);
	int rc = path ? 0 : -1;

	if (rc == 0 && from == 0)
		rc = buf_printf(&title, err,
		    "# Undirected graph, each edge once\n# Nodes: %" PRIu64
		    " Edges: %" PRIu64 "\n# FromNodeId\tToNodeId\n",
		    making->nodes, making->edges);
	else if (rc == 0 && from == making->edge_blocks)
		rc = buf_printf(&title, err, "# %" PRIu64 " %" PRIu64 "\n",
		    making->nodes, making->dim);
	if (rc == 0)
		rc = write_blocks(making, path, &title, from, to, err);
	buf_release(&title);
	free(path);
	return rc;
}

static int write_graph(
    const struct making *making, const char *dir, struct error *err)
{
	const uint64_t features = making->edge_blocks;
	const uint64_t labels = features + making->node_blocks;
	const uint64_t end = labels + making->node_blocks;

	return write_file(making, dir, "graph.edges", 0, features, err) ||
	               write_file(making, dir, "graph.features", features,
	                   labels, err) ||
	               write_file(making, dir, "graph.labels", labels, end, err)
	           ? -1
	           : 0;
}

static uint64_t blocks_of(uint64_t count)
{
	return (count + BLOCK - 1) / BLOCK;
}

/* The crew makes all blocks in memory; then they are written. */
static int make_graph(const struct generate_plan *plan, const char *dir,
    uint64_t number, struct error *err)
{
	static const struct crew_job job = { .make = make_block };
	const struct options *want = plan->options;
	struct random random =
	    random_stream(plan->seed, 0, number, STEP_EDGES + 1);
	struct making making = {
		.seed = random_u64(&random),
		.edges = want->edges,
		.nodes =
		    want->nodes ? want->nodes : want->edges / EDGES_OF_NODE,
		.dim = want->dim,
		.classes = want->classes,
		.edge_blocks = blocks_of(want->edges),
	};
	struct generate_plan blocks = *plan;
	int rc;

	if (making.nodes < NODES_LEAST)
		making.nodes = NODES_LEAST;
	blocks.options = &making;
	blocks.progress = plan->count == 1 ? plan->progress : NULL;
	making.node_blocks = blocks_of(making.nodes);
	blocks.count = making.edge_blocks + 2 * making.node_blocks;
	making.shuffle = shuffle_make(making.nodes, making.seed);
	making.texts = calloc((size_t)blocks.count, sizeof(*making.texts));
	if (!making.texts)
		return error_memory(err, blocks.count * sizeof(*making.texts));
	rc = crew_run(&blocks, &job, err);
	if (rc == 0)
		rc = write_graph(&making, dir, err);
	for (uint64_t i = 0; i < blocks.count; i++)
		buf_release(&making.texts[i]);
	free(making.texts);
	return rc;
}

/* A single graph lies in the folder itself, several in folders of their own. */
static int make_numbered(
    const struct generate_plan *plan, uint64_t number, struct error *err)
{
	char name[32], *dir;
	int rc;

	if (plan->count == 1)
		return make_graph(plan, plan->dir, number, err);
	snprintf(name, sizeof(name), "%06" PRIu64, number);
	dir = path_join(plan->dir, name, err);
	if (!dir)
		return -1;
	rc = path_make_dirs(dir, err) ? -1 : make_graph(plan, dir, number, err);
	free(dir);
	return rc;
}

static int graph(const struct generate_plan *plan, struct error *err)
{
	for (uint64_t i = 0; i < plan->count; i++) {
		if (make_numbered(plan, i, err))
			return -1;
		if (plan->progress && plan->count > 1)
			plan->progress(plan->arg, i + 1, plan->count);
	}
	return pipeline_file_write(&generator_graph, plan, &pipeline, err);
}

const struct generator_ops generator_graph = {
	.name = "graph",
	.makes = "graphs",
	.summary = "graphs with the statistics of the Open Graph Benchmark's",
	.default_count = 1,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.run = graph,
};
