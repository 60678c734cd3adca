/*
 * bench_ordered.c - what the fixed order of training costs.
 *
 * ordered/KIND: samples per second of CPU time, of the loader that gives
 * batches in a fixed order, against the one that gives them in any order; two
 * threads, batches of 64, warm.  shuffled/KIND: the same, shuffled, against the
 * same loader in any order, which is not.
 *
 * KIND is a store with samples of 64 bytes, or of 150 kB (records), or
 * photographs that are decoded, cropped and centered.
 */
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/sample/batch_home.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { BATCH = 64, THREADS = 2 };

static const char tiny[] = "[dataset]\nsource = synthetic\nshape = 64\n"
                           "count = 200000\n[pipeline]\nsame = identity\n";
static const char records[] =
    "[dataset]\nsource = synthetic\nshape = 224,224,3\ncount = 600\n"
    "[pipeline]\ncropped = random_crop size=192\n";
static const char photos[] = "decoded = jpeg_decode\n"
                             "resized = resize shorter=256\n"
                             "cropped = random_crop size=224\n"
                             "centered = center\n";

struct ordered {
	struct ordered_loader *loader;
};

static void ordered_init(
    struct ordered *ordered, const struct data *data, bool shuffle)
{
	const struct ordered_plan plan = {
		.reader = data->reader,
		.pipeline = &data->pipeline,
		.medium = data->medium,
		.from = data->from,
		.to = data->pipeline.count,
		.threads = THREADS,
		.batch = BATCH,
		.shuffle = shuffle,
		.world_size = 1,
	};
	struct error err = ERROR_INIT;

	ordered->loader = ordered_loader_new(&plan, &err);
	if (!ordered->loader)
		bench_die(&err);
}

static double ordered_samples(void *arg, unsigned epochs)
{
	const struct ordered *ordered = arg;
	struct error err = ERROR_INIT;
	struct batch *batch;
	uint64_t samples = 0;

	for (unsigned i = 0; i < epochs; i++) {
		int got;

		while ((got = ordered_loader_next(
		            ordered->loader, 0, &batch, &err)) > 0) {
			samples += batch->count;
			batch_give(batch);
		}
		if (got < 0)
			bench_die(&err);
	}
	/* Ends the work ahead: it would be counted as the other side's. */
	ordered_loader_seek(
	    ordered->loader, (struct ordered_position){ .epoch = 0 });
	return (double)samples;
}

static void compare(const char *kind, const struct data *data, bool shuffle,
    const struct bench_args *args)
{
	struct bench_row row = { .unit = bench_samples_per_cpu_s };
	struct ordered ordered;
	struct load load;

	ordered_init(&ordered, data, shuffle);
	load_init(&load, data, THREADS, BATCH);
	snprintf(row.name, sizeof(row.name), "%s/%s",
	    shuffle ? "shuffled" : "ordered", kind);
	bench_compare(&row, args->rounds,
	    &(struct bench_side){ .run = ordered_samples, .arg = &ordered },
	    &(struct bench_side){ .run = load_samples, .arg = &load });
	bench_print(&row);
	load_release(&load);
	ordered_loader_free(ordered.loader);
}

static void compare_stored(const char *kind, const char *text,
    const char *strategy, const struct bench_args *args)
{
	struct data data;

	data_open(&data, text);
	data_store(&data, strategy, args->work);
	compare(kind, &data, false, args);
	compare(kind, &data, true, args);
	data_close(&data);
}

int main(int argc, char **argv)
{
	struct bench_args args;
	struct data data;

	bench_args_read(&args, argc, argv);
	compare_stored("npy", tiny, "raw/npy/none", &args);
	compare_stored("tar", tiny, "raw/tar/none", &args);
	compare_stored("tfrecord", tiny, "raw/tfrecord/none", &args);
	compare_stored("zstd", tiny, "raw/npy/zstd:1", &args);
	compare_stored("records", records, "raw/tar/none", &args);
	data_open_photos(&data, args.photos, photos);
	compare("photos", &data, false, &args);
	compare("photos", &data, true, &args);
	data_close(&data);
	return 0;
}
