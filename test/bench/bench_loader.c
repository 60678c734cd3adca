/*
 * bench_loader.c - what a sample costs besides its bytes, by one worker.
 *
 * loader/per-sample-ns-KIND: samples of 64 bytes, warm, without steps, into
 * batches, against a loop that copies the same tensors and keys from memory.
 *
 * loader/small-samples-KIND: the seconds for 2 GB in samples of 0.01 MB over
 * those for 2 GB in samples of 20 MB.  A batch has 20 MB in both: small batches
 * would be written through the caches, large ones are written past them.  The
 * data are 240 MB, read as often as that takes: little room is needed, and
 * memory holds it.
 *
 * KIND is a store, or the application cache.  Without it, it is the one that
 * does worst: of all, and for small samples of those that are made for them,
 * the application cache and npy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { BATCH = 64 };

static const char application[] = "cache";

/* In the application cache, or in this store. */
static void open_samples(struct data *data, unsigned bytes, unsigned count,
    const char *kind, const char *work)
{
	char text[256], strategy[64];

	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\nshape = %u\ncount = %u\n"
	    "[pipeline]\nsame = identity\n",
	    bytes, count);
	data_open(data, text);
	snprintf(strategy, sizeof(strategy), "raw/%s/none", kind);
	if (strcmp(kind, application) == 0)
		data_keep(data);
	else
		data_store(data, strategy, work);
}

static void name_row(struct bench_row *row, const char *name, const char *kind)
{
	snprintf(row->name, sizeof(row->name), "%s-%s", name, kind);
}

/* ---- tiny samples ---- */

enum { TINY = 64, KEY = 8, TINY_COUNT = 100000 };

struct copying {
	unsigned char *from, *to; /* TINY_COUNT samples and keys; BATCH */
};

/* Keeps the compiler from leaving out a copy that nobody reads. */
static void use(const void *data)
{
	__asm__ volatile("" : : "r"(data) : "memory");
}

static double copy_tiny(void *arg, unsigned times)
{
	const struct copying *copying = arg;

	for (unsigned i = 0; i < times; i++)
		for (size_t n = 0; n < TINY_COUNT; n++) {
			const unsigned char *from =
			    copying->from + n * (TINY + KEY);
			unsigned char *to =
			    copying->to + n % BATCH * (TINY + KEY);

			memcpy(to, from, TINY);
			memcpy(to + TINY, from + TINY, KEY);
			use(to);
		}
	return (double)TINY_COUNT * times;
}

static void bench_tiny(
    struct bench_row *row, const char *kind, const struct bench_args *args)
{
	struct copying copying = {
		.from = bench_alloc((size_t)TINY_COUNT * (TINY + KEY)),
		.to = bench_alloc((size_t)BATCH * (TINY + KEY)),
	};
	struct data data;
	struct load load;

	memset(copying.from, 1, (size_t)TINY_COUNT * (TINY + KEY));
	open_samples(&data, TINY, TINY_COUNT, kind, args->work);
	load_init(&load, &data, 1, BATCH);
	row->unit = bench_ns;
	name_row(row, "loader/per-sample-ns", kind);
	bench_compare(row, args->rounds,
	    &(struct bench_side){ .run = load_samples, .arg = &load },
	    &(struct bench_side){ .run = copy_tiny, .arg = &copying });
	bench_print(row);
	load_release(&load);
	data_close(&data);
	free(copying.from);
	free(copying.to);
}

/* ---- small samples against large ones ---- */

enum { SMALL = 10000, LARGE = 20000000, BYTES = 240000000 };

/* The seconds that 2 GB take. */
static const struct bench_unit seconds = {
	.name = "s", .scale = 2e9, .is_cost = true
};

/* An epoch is BYTES bytes, however large the samples are. */
static double load_tensors(void *arg, unsigned epochs)
{
	load_samples(arg, epochs);
	return (double)BYTES * epochs;
}

static void bench_small(
    struct bench_row *row, const char *kind, const struct bench_args *args)
{
	struct data small, large;
	struct load load_small, load_large;

	open_samples(&small, SMALL, BYTES / SMALL, kind, args->work);
	open_samples(&large, LARGE, BYTES / LARGE, kind, args->work);
	load_init(&load_small, &small, 1, LARGE / SMALL);
	load_init(&load_large, &large, 1, 1);
	row->unit = seconds;
	name_row(row, "loader/small-samples", kind);
	bench_compare(row, args->rounds,
	    &(struct bench_side){ .run = load_tensors, .arg = &load_small },
	    &(struct bench_side){ .run = load_tensors, .arg = &load_large });
	bench_print(row);
	load_release(&load_large);
	load_release(&load_small);
	data_close(&large);
	data_close(&small);
}

/* Of small samples the first decide. */
enum { DECIDING = 2 };

static const char *const kinds[] = { application, "npy", "tar", "tfrecord" };

int main(int argc, char **argv)
{
	struct bench_row rows[ARRAY_LEN(kinds)];
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		bench_tiny(&rows[i], kinds[i], &args);
	bench_print_highest("loader/per-sample-ns", rows, ARRAY_LEN(kinds));
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		bench_small(&rows[i], kinds[i], &args);
	bench_print_highest("loader/small-samples", rows, DECIDING);
	return 0;
}
