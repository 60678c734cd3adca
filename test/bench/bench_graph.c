/*
 * bench_graph.c - neighbour sampling with gathering, as SALIENT does it, on a
 * graph of the size of the one that DGL was measured on (18,660 nodes, 790,777
 * edges both ways, batches of 1024, fanouts 15, 10, 5, 64 half-precision
 * features a node); or on the edges in $BENCH_GRAPH, a folder.
 *
 * presto is the loader over an application cache with the graph in it: seeds,
 * neighbor_sample and gather, every epoch anew.  The bare loop does what any
 * sampler has to do in memory for the same batches: of every node that it
 * looks at it reads where the row begins and ends; it reads the neighbours at
 * the places that were drawn, from a list of them; it numbers the nodes by an
 * array over all nodes, which it wipes; it writes both ends of the edges (whom
 * they were drawn for is copied from a list), and reads and writes the rows of
 * features.  It does not shuffle the seeds, draws nothing, does not look
 * whether a neighbour was drawn before or is a node of the graph, and gives
 * nothing to another thread: each batch lies where the last one lay.
 * graph/sample is one worker against one thread, 2workers/graph/sample two
 * against two, which take the next batch of the epoch in turn, as workers do;
 * graph/edges are the same figures in sampled edges.
 *
 * graph/parse is the step parse_edges against strtoul of the C library, which
 * checks nothing else.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generator.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/graph/csr.h"
#include "lib/graph/edge_list.h"
#include "lib/graph/sampler.h"
#include "lib/graph/shuffle.h"
#include "lib/syntax/option.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum {
	BATCH = 1024,
	ROW = 128,    /* bytes */
	BATCHES = 19, /* that the bare loop knows; then it begins again */
	THREADS = 2,
	LAYERS = 3,
};

static const struct bench_unit seeds_per_s = { .name = "seeds/s", .scale = 1 };
static const struct bench_unit edges_per_s = { .name = "edges/s", .scale = 1 };

/* ---- the graph ---- */

struct graph {
	struct buf text, pairs, both, indptr, indices;
	struct csr csr;
};

/* The rows are to be those of the random table. */
static void remove_features(const char *dir)
{
	struct error err = ERROR_INIT;
	char *path = path_join(dir, "graph.features", &err);

	if (!path)
		bench_die(&err);
	remove(path);
	free(path);
}

/* A graph like the one of the comparison, below the work folder. */
static char *generate(const struct bench_args *args)
{
	const struct generator_ops *ops = generator_find("graph");
	struct error err = ERROR_INIT;
	char *dir = path_join(args->work, "graph", &err);
	struct generate_plan plan = { .count = 1, .seed = 1, .threads = 2 };
	void *options = bench_alloc(ops->options_size);

	memcpy(options, ops->defaults, ops->options_size);
	plan.dir = dir;
	plan.options = options;
	if (!dir || path_make_dirs(dir, &err) ||
	    option_set(ops->options, options, "edges", "790777", &err) ||
	    option_set(ops->options, options, "nodes", "18660", &err) ||
	    ops->run(&plan, &err))
		bench_die(&err);
	free(options);
	remove_features(dir);
	return dir;
}

/* The whole of the first list of edges in the folder. */
static int read_first(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct buf *path = arg;
	const size_t len = strlen(name);

	UNUSED(bytes);
	if (len < 4 || (strcmp(name + len - 4, ".txt") != 0 &&
	                   strcmp(name + len - 4, "dges") != 0))
		return 0;
	path->len = 0;
	return buf_printf(path, err, "%s", name);
}

static void read_text(struct graph *graph, const char *dir)
{
	struct error err = ERROR_INIT;
	struct buf name = BUF_INIT;
	char *path;

	if (path_each(dir, read_first, &name, &err))
		bench_die(&err);
	path = path_join(dir, name.len ? (char *)name.data : "?", &err);
	if (!path || path_read(path, SIZE_MAX, &graph->text, &err) ||
	    buf_append(&graph->text, "", 1, &err))
		bench_die(&err);
	graph->text.len--;
	free(path);
	buf_release(&name);
}

static void *room(struct buf *buf, size_t bytes)
{
	struct error err = ERROR_INIT;

	if (buf_reserve(buf, bytes, &err))
		bench_die(&err);
	return buf->data;
}

static void read_graph(struct graph *graph, const char *dir)
{
	struct edge_list list = { .ids = EDGE_IDS_AUTO };
	struct buf work[2] = { BUF_INIT, BUF_INIT };
	struct error err = ERROR_INIT;
	int32_t highest = 0, *pairs, *both;
	size_t count;

	*graph = (struct graph){ .text = BUF_INIT };
	read_text(graph, dir);
	pairs = room(&graph->pairs, edge_list_most(buf_span(&graph->text)) * 8);
	if (edge_list_read(&list, buf_span(&graph->text), pairs, &count, &err))
		bench_die(&err);
	both = room(&graph->both, count * 16);
	if (pairs_symmetrize(pairs, count, false, work, both, &count, &err) ||
	    pairs_highest(both, count, &highest, &err))
		bench_die(&err);
	graph->csr.nodes = (size_t)highest + 1;
	graph->csr.edges = count;
	graph->csr.indptr = room(&graph->indptr, (graph->csr.nodes + 1) * 8);
	graph->csr.indices = room(&graph->indices, count * 4);
	csr_build(both, count, graph->csr.nodes, (void *)graph->indptr.data,
	    (void *)graph->indices.data);
	buf_release(&work[0]);
	buf_release(&work[1]);
	edge_list_release(&list);
}

static void release_graph(struct graph *graph)
{
	buf_release(&graph->text);
	buf_release(&graph->pairs);
	buf_release(&graph->both);
	buf_release(&graph->indptr);
	buf_release(&graph->indices);
}

/* ---- the bare loop ---- */

/* A batch that was sampled: where its edges are. */
struct known {
	uint32_t *places; /* in `indices` */
	int32_t *targets;
	int32_t *seeds;
	size_t seed_count, edges, nodes;
	size_t layer_nodes[LAYERS], layer_edges[LAYERS + 1];
};

struct bare {
	const struct csr *csr;
	const struct known *known;
	const unsigned char *rows;
	atomic_uint *taken; /* batches, of all threads */
	unsigned times;     /* epochs */
	int32_t *numbers, *nodes, *ends;
	unsigned char *gathered;
	int64_t degrees; /* so that rows are read */
	double seeds;
};

/* Where in the row of `node` the neighbour is. */
static uint32_t place_of(const struct csr *csr, int32_t node, int32_t neighbour)
{
	int64_t at = csr->indptr[node];

	while (csr->indices[at] != neighbour)
		at++;
	return (uint32_t)at;
}

static void know(struct known *known, const struct csr *csr,
    const struct sampler *sampler, const int32_t *ends)
{
	const int32_t *nodes = sampler->map.nodes;

	known->edges = sampler->edges;
	known->nodes = sampler->map.count;
	memcpy(known->layer_nodes, sampler->layer_nodes,
	    sizeof(known->layer_nodes));
	memcpy(known->layer_edges, sampler->layer_edges,
	    sizeof(known->layer_edges));
	known->places = bench_alloc(known->edges * sizeof(*known->places));
	known->targets = bench_alloc(known->edges * sizeof(*known->targets));
	memcpy(known->targets, ends + known->edges, known->edges * 4);
	for (size_t i = 0; i < known->edges; i++)
		known->places[i] =
		    place_of(csr, nodes[known->targets[i]], nodes[ends[i]]);
}

/* The batches of an epoch; returns the edges of a seed. */
static double know_all(struct known *known, const struct csr *csr)
{
	static const struct fanouts fanouts = { LAYERS, { 15, 10, 5 } };
	const struct shuffle shuffle = shuffle_make(csr->nodes, 1);
	struct error err = ERROR_INIT;
	struct tensor edges_made = TENSOR_INIT;
	struct sampler sampler;
	double seeds = 0, edges = 0;

	sampler_init(&sampler, &fanouts);
	for (size_t b = 0; b < BATCHES; b++) {
		int32_t *list = bench_alloc(BATCH * sizeof(*list));
		size_t n = 0;

		for (; n < BATCH && b * BATCH + n < csr->nodes; n++)
			list[n] = (int32_t)shuffle_at(&shuffle, b * BATCH + n);
		known[b].seeds = list;
		known[b].seed_count = n;
		if (sampler_run(&sampler, csr,
		        &(struct sampler_seeds){ list, n, b }, &edges_made,
		        &err))
			bench_die(&err);
		know(&known[b], csr, &sampler, edges_made.data);
		seeds += (double)n;
		edges += (double)sampler.edges;
	}
	sampler_release(&sampler);
	tensor_release(&edges_made);
	return edges / seeds;
}

static void forget(struct known *known)
{
	for (size_t b = 0; b < BATCHES; b++) {
		free(known[b].places);
		free(known[b].targets);
		free(known[b].seeds);
	}
}

/* Where the rows of the first `count` nodes begin and end. */
static int64_t read_rows(const struct bare *bare, size_t count)
{
	const int64_t *indptr = bare->csr->indptr;
	int64_t degrees = 0;

	for (size_t i = 0; i < count; i++)
		degrees += indptr[bare->nodes[i] + 1] - indptr[bare->nodes[i]];
	return degrees;
}

/* Ends of these edges; there are n nodes before. */
static size_t number_ends(struct bare *bare, const struct known *batch,
    size_t from, size_t to, size_t n)
{
	for (size_t i = from; i < to; i++) {
		const int32_t node = bare->csr->indices[batch->places[i]];

		if (bare->numbers[node] < 0) {
			bare->numbers[node] = (int32_t)n;
			bare->nodes[n++] = node;
		}
		bare->ends[i] = bare->numbers[node];
	}
	return n;
}

static void run_batch(struct bare *bare, const struct known *batch)
{
	size_t n = 0;

	for (size_t i = 0; i < batch->seed_count; i++) {
		bare->numbers[batch->seeds[i]] = (int32_t)n;
		bare->nodes[n++] = batch->seeds[i];
	}
	for (unsigned l = 0; l < LAYERS; l++) {
		bare->degrees += read_rows(bare, batch->layer_nodes[l]);
		n = number_ends(bare, batch, batch->layer_edges[l],
		    batch->layer_edges[l + 1], n);
	}
	memcpy(bare->ends + batch->edges, batch->targets, batch->edges * 4);
	for (size_t i = 0; i < n; i++) {
		memcpy(bare->gathered + i * ROW,
		    bare->rows + (size_t)bare->nodes[i] * ROW, ROW);
		bare->numbers[bare->nodes[i]] = -1;
	}
	bare->seeds += (double)batch->seed_count;
}

static void *bare_work(void *arg)
{
	struct bare *bare = arg;

	bare->seeds = 0;
	for (;;) {
		const unsigned b = atomic_fetch_add(bare->taken, 1);

		if (b >= bare->times * BATCHES)
			return NULL;
		run_batch(bare, &bare->known[b % BATCHES]);
	}
}

struct bares {
	struct bare threads[THREADS];
	unsigned count;
	atomic_uint taken;
};

static double bare_run(void *arg, unsigned times)
{
	struct bares *bares = arg;
	double seeds = 0;

	atomic_store(&bares->taken, 0);
	for (unsigned i = 0; i < bares->count; i++)
		bares->threads[i].times = times;
	bench_threads(
	    bare_work, bares->threads, sizeof(struct bare), bares->count);
	for (unsigned i = 0; i < bares->count; i++)
		seeds += bares->threads[i].seeds;
	return seeds;
}

static void bares_init(struct bares *bares, unsigned count,
    const struct csr *csr, const struct known *known, const void *rows)
{
	size_t most = 0;

	for (size_t b = 0; b < BATCHES; b++)
		most = known[b].edges > most ? known[b].edges : most;
	bares->count = count;
	for (unsigned i = 0; i < count; i++) {
		struct bare *bare = &bares->threads[i];
		const size_t bytes = (csr->nodes + 1) * 4;

		*bare = (struct bare){ .csr = csr,
			.known = known,
			.rows = rows,
			.taken = &bares->taken };
		bare->numbers = bench_alloc(bytes);
		bare->nodes = bench_alloc(bytes);
		bare->ends = bench_alloc(most * 8);
		bare->gathered = bench_alloc(csr->nodes * ROW);
		memset(bare->numbers, 0xff, bytes);
		memset(bare->nodes, 0, bytes);
		memset(bare->ends, 0, most * 8);
		memset(bare->gathered, 0, csr->nodes * ROW);
	}
}

static void bares_release(struct bares *bares)
{
	for (unsigned i = 0; i < bares->count; i++) {
		free(bares->threads[i].numbers);
		free(bares->threads[i].nodes);
		free(bares->threads[i].ends);
		free(bares->threads[i].gathered);
	}
}

/* ---- presto ---- */

struct epochs {
	struct load load;
	double nodes; /* seeds of an epoch */
};

static double presto_run(void *arg, unsigned times)
{
	struct epochs *epochs = arg;

	load_samples(&epochs->load, times);
	return epochs->nodes * times;
}

static void bench_sample(const struct bench_args *args, const struct data *data,
    const struct csr *csr, unsigned threads)
{
	struct known known[BATCHES];
	const double edges = know_all(known, csr);
	unsigned char *rows = bench_alloc(csr->nodes * ROW);
	struct epochs epochs = { .nodes = (double)csr->nodes };
	struct bench_row row = { .unit = seeds_per_s };
	struct bares bares;

	memset(rows, 1, csr->nodes * ROW);
	bares_init(&bares, threads, csr, known, rows);
	load_init(&epochs.load, data, threads, 1);
	snprintf(row.name, sizeof(row.name), "%sgraph/sample",
	    threads > 1 ? "2workers/" : "");
	bench_compare(&row, args->rounds,
	    &(struct bench_side){ .run = presto_run, .arg = &epochs },
	    &(struct bench_side){ .run = bare_run, .arg = &bares });
	bench_print(&row);
	snprintf(row.name, sizeof(row.name), "%sgraph/edges",
	    threads > 1 ? "2workers/" : "");
	row.unit = edges_per_s;
	row.presto *= edges;
	row.limit *= edges;
	bench_print(&row);
	load_release(&epochs.load);
	bares_release(&bares);
	forget(known);
	free(rows);
}

/* ---- reading edges ---- */

static double parse_run(void *arg, unsigned times)
{
	struct graph *graph = arg;
	struct edge_list list = { .ids = EDGE_IDS_AUTO };
	struct error err = ERROR_INIT;
	size_t count;

	for (unsigned i = 0; i < times; i++)
		if (edge_list_read(&list, buf_span(&graph->text),
		        (void *)graph->pairs.data, &count, &err))
			bench_die(&err);
	edge_list_release(&list);
	return (double)graph->text.len * times;
}

/* Lines of two numbers; comments to begin with.  The text ends with a NUL. */
static double libc_run(void *arg, unsigned times)
{
	struct graph *graph = arg;
	char *end = (char *)graph->text.data + graph->text.len;

	for (unsigned i = 0; i < times; i++) {
		char *at = (char *)graph->text.data;
		int32_t *pair = (void *)graph->pairs.data;

		while (at < end && *at == '#') {
			at = memchr(at, '\n', (size_t)(end - at));
			at = at ? at + 1 : end;
		}
		for (char *before = NULL; at + 1 < end && at != before;) {
			before = at;
			*pair++ = (int32_t)strtoul(at, &at, 10);
		}
	}
	return (double)graph->text.len * times;
}

int main(int argc, char **argv)
{
	const char *given = getenv("BENCH_GRAPH");
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct bench_args args;
	struct graph graph;
	struct data data;
	char *dir;

	bench_args_read(&args, argc, argv);
	dir = given ? strdup(given) : generate(&args);
	if (!dir || buf_printf(&text, &err,
	                "[dataset]\nsource = edges\npath = %s\n"
	                "[pipeline]\nedges = parse_edges\n"
	                "both = symmetrize\ncsr = csr\nseeds = seeds\n"
	                "sampled = neighbor_sample fanout=15,10,5\n"
	                "gathered = gather dim=64 dtype=half\n",
	                dir))
		bench_die(&err);
	read_graph(&graph, dir);
	bench_run("graph/parse", &bench_mb_per_s, args.rounds,
	    &(struct bench_side){ .run = parse_run, .arg = &graph },
	    &(struct bench_side){
	        .run = libc_run, .arg = &graph, .is_library = true });
	data_open(&data, (char *)text.data);
	data_keep(&data);
	bench_sample(&args, &data, &graph.csr, 1);
	bench_sample(&args, &data, &graph.csr, THREADS);
	data_close(&data);
	release_graph(&graph);
	buf_release(&text);
	free(dir);
	return 0;
}
