/*
 * bench_loader.c - what a sample costs besides its bytes.
 *
 * loader/per-sample-ns: samples of 64 bytes, warm, without steps, from the
 * store to the batch, against a loop that copies the same tensors and keys
 * from memory.  loader/small-samples: the seconds for 2 GB in samples of 0.01
 * MB over those for 2 GB in samples of 20 MB; the data are 240 MB, read as
 * often as that takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "test/bench/data.h"

enum { BATCH = 64 };

static void open_synthetic(struct data *data, unsigned bytes, unsigned count,
    const char *strategy, const char *work)
{
	char text[256];

	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\nshape = %u\ncount = %u\n"
	    "[pipeline]\nsame = identity\n",
	    bytes, count);
	data_open(data, text);
	data_store(data, strategy, work);
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
    const char *name, const char *strategy, const struct bench_args *args)
{
	struct copying copying = {
		.from = bench_alloc((size_t)TINY_COUNT * (TINY + KEY)),
		.to = bench_alloc((size_t)BATCH * (TINY + KEY)),
	};
	struct data data;
	struct load load;

	memset(copying.from, 1, (size_t)TINY_COUNT * (TINY + KEY));
	open_synthetic(&data, TINY, TINY_COUNT, strategy, args->work);
	load_init(&load, &data, 1, BATCH);
	bench_run(name, &bench_ns, args->rounds,
	    &(struct bench_side){ load_samples, &load },
	    &(struct bench_side){ copy_tiny, &copying });
	load_release(&load);
	data_close(&data);
	free(copying.from);
	free(copying.to);
}

/* ---- small samples against large ones ---- */

enum { SMALL = 10000, LARGE = 20000000, BYTES = 240000000 };

/* The seconds that 2 GB take. */
static const struct bench_unit seconds = { "s", 2e9, true };

/* An epoch is BYTES bytes, however large the samples are. */
static double load_tensors(void *arg, unsigned epochs)
{
	load_samples(arg, epochs);
	return (double)BYTES * epochs;
}

static void bench_small(
    const char *name, const char *strategy, const struct bench_args *args)
{
	struct data small, large;
	struct load load_small, load_large;

	open_synthetic(&small, SMALL, BYTES / SMALL, strategy, args->work);
	open_synthetic(&large, LARGE, BYTES / LARGE, strategy, args->work);
	load_init(&load_small, &small, 1, BATCH);
	load_init(&load_large, &large, 1, 1);
	bench_run(name, &seconds, args->rounds,
	    &(struct bench_side){ load_tensors, &load_small },
	    &(struct bench_side){ load_tensors, &load_large });
	load_release(&load_large);
	load_release(&load_small);
	data_close(&large);
	data_close(&small);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	bench_tiny("loader/per-sample-ns", "raw/tar/none", &args);
	bench_tiny("loader/per-sample-ns-tfrecord", "raw/tfrecord/none", &args);
	bench_small("loader/small-samples", "raw/tar/none", &args);
	return 0;
}
