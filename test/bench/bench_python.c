/*
 * bench_python.c - what it costs to hand a sample to a python step and back.
 *
 * python/several: a loader of samples of 150 kB with a function that returns an
 * array of its own, called for several samples in a row, against the same
 * loader without steps.  python/batch: it gets several in one array.
 * python/one: one sample at a time.  python/in-place/...: it returns its
 * argument, which presto takes from where it lies.
 *
 * python/copies: python/batch against the loader without steps and two copies
 * of each sample: to where a function gets it, and from where one made it.
 *
 * It is the CPU time of presto and of the worker process that counts.  The
 * function itself takes nothing, so the difference is the cost of the step.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/loader.h"
#include "lib/sample/batch.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { BATCH = 64, TEXT = 1024, CALL = 16, SAMPLE = 224 * 224 * 3 };

static const struct bench_unit cpu_us = {
	.name = "us", .scale = 1e6, .is_cost = true, .of_cpu = true
};

static const char functions[] =
    "import numpy as np\n"
    "made = np.ones((16, 224, 224, 3), np.uint8)\n"
    "def other(x): return made[0] if x.ndim == 3 else made[:len(x)]\n"
    "def same(x): return x\n";

static void write_functions(const char *work)
{
	char path[TEXT];
	FILE *file;

	snprintf(path, sizeof(path), "%s/own.py", work);
	file = fopen(path, "w");
	if (!file || fputs(functions, file) < 0 || fclose(file)) {
		struct error err = ERROR_INIT;

		error_errno(&err, "write", path);
		bench_die(&err);
	}
}

static void open_data(
    struct data *data, const char *work, const char *step, const char *more)
{
	char text[TEXT];

	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\nshape = 224,224,3\ncount = 800\n"
	    "[pipeline]\nsame = %s\n%s",
	    step, more);
	data_open(data, text);
	data_store(data, "raw/npy/none", work);
}

/* ---- two copies of each sample ---- */

struct copying {
	struct load load;
	unsigned char *in, *made, *out; /* [CALL][SAMPLE] */
};

static double load_and_copy(void *arg, unsigned epochs)
{
	struct copying *copying = arg;
	struct loader *loader = copying->load.loader;
	struct error err = ERROR_INIT;
	const struct batch *batch;
	uint64_t samples = 0;

	for (unsigned i = 0; i < epochs; i++) {
		loader_begin(loader, copying->load.epoch++, false);
		while ((batch = loader_next(loader)))
			for (unsigned k = 0; k < batch->count; k++) {
				const size_t at = samples++ % CALL * SAMPLE;

				memcpy(copying->in + at,
				    batch->slots[k].fields[0].data, SAMPLE);
				memcpy(copying->out + at, copying->made + at,
				    SAMPLE);
			}
		if (loader_end(loader, &err))
			bench_die(&err);
	}
	return (double)samples;
}

static void *ones(void)
{
	return memset(bench_alloc(CALL * SAMPLE), 1, CALL * SAMPLE);
}

static void compare_copies(const struct bench_args *args)
{
	struct copying copying = {
		.in = ones(), .made = ones(), .out = ones()
	};
	struct data own, plain;
	struct load with;
	char step[TEXT];

	snprintf(step, sizeof(step),
	    "python '%s/own.py:other' gives=uint8:224x224x3 batch=%d",
	    args->work, CALL);
	open_data(&own, args->work, step, "");
	open_data(&plain, args->work, "identity", "");
	load_init(&with, &own, 1, BATCH);
	load_init(&copying.load, &plain, 1, BATCH);
	bench_run("python/copies", &cpu_us, args->rounds,
	    &(struct bench_side){ .run = load_samples, .arg = &with },
	    &(struct bench_side){ .run = load_and_copy, .arg = &copying });
	load_release(&copying.load);
	load_release(&with);
	data_close(&plain);
	data_close(&own);
	free(copying.in);
	free(copying.made);
	free(copying.out);
}

/* ---- with the step and without ---- */

static void compare(const char *name, const char *function, const char *options,
    const char *more, const struct bench_args *args)
{
	char step[TEXT];
	struct data own, plain;
	struct load with, without;

	snprintf(step, sizeof(step),
	    "python '%s/own.py:%s' gives=uint8:224x224x3 %s", args->work,
	    function, options);
	open_data(&own, args->work, step, more);
	open_data(&plain, args->work, "identity", "");
	load_init(&with, &own, 1, BATCH);
	load_init(&without, &plain, 1, BATCH);
	bench_run(name, &cpu_us, args->rounds,
	    &(struct bench_side){ .run = load_samples, .arg = &with },
	    &(struct bench_side){ .run = load_samples, .arg = &without });
	load_release(&without);
	load_release(&with);
	data_close(&plain);
	data_close(&own);
}

int main(int argc, char **argv)
{
	static const char one[] = "[python]\nworkers = 1\n";
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	write_functions(args.work);
	compare("python/several", "other", "", "", &args);
	compare("python/batch", "other", "batch=16", "", &args);
	compare("python/one", "other", "", one, &args);
	compare_copies(&args);
	compare("python/in-place/several", "same", "", "", &args);
	compare("python/in-place/batch", "same", "batch=16", "", &args);
	compare("python/in-place/one", "same", "", one, &args);
	return 0;
}
