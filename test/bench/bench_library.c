/*
 * bench_library.c - what a training program pays for presto.h: samples per
 * second of CPU time, against lib/loader, which gives batches in any order and
 * takes them back at once.  Two workers, batches of 64, warm.
 *
 * library/NAME is the pipeline of bench_photos.c over photographs, from the
 * files and from stored data; library/small is samples of 10 kB without steps,
 * stored as npy.
 */
#include <stdio.h>
#include <stdlib.h>

#include "api/presto.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "test/bench/data.h"
#include "test/bench/load.h"
#include "test/bench/photos.h"

enum { BATCH = 64, THREADS = 2, PHOTOS = 512 };

#define BEHIND "centered = center\ncropped = random_crop size=224\n"

static const char photo_steps[] = "decoded = jpeg_decode\n"
                                  "resized = resize shorter=256 "
                                  "filter=bilinear\n" BEHIND;

/* ---- the library's side ---- */

struct library {
	struct presto_dataset *dataset;
	struct presto_loader *loader;
};

static void die(const struct presto_error *told)
{
	struct error err = ERROR_INIT;

	error_set(&err, ERROR_DATA, "%s", told->text);
	bench_die(&err);
}

static void library_open(struct library *library, const char *conf)
{
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_error err;

	options.batch_size = BATCH;
	options.threads = THREADS;
	library->dataset = presto_open(conf, NULL, &err);
	if (!library->dataset)
		die(&err);
	library->loader = presto_loader_new(library->dataset, &options, &err);
	if (!library->loader)
		die(&err);
}

static void library_close(struct library *library)
{
	presto_loader_free(library->loader);
	presto_close(library->dataset);
}

static double library_samples(void *arg, unsigned epochs)
{
	const struct library *library = arg;
	struct presto_batch *batch;
	struct presto_error err;
	size_t samples = 0;
	int got = 0;

	for (unsigned i = 0; i < epochs && got == 0; i++)
		while ((got = presto_loader_next(
		            library->loader, &batch, &err)) > 0) {
			samples += presto_batch_samples(batch);
			presto_batch_free(batch);
		}
	/* Ends the work ahead: it would be counted as the other side's. */
	if (got < 0 || presto_loader_seek(library->loader, 0, &err))
		die(&err);
	return (double)samples;
}

/* ---- rows ---- */

static void compare(const char *name, const char *conf, const struct data *data,
    unsigned rounds)
{
	char row[BENCH_NAME];
	struct library library;
	struct load load;

	snprintf(row, sizeof(row), "library/%s", name);
	library_open(&library, conf);
	load_init(&load, data, THREADS, BATCH);
	bench_run(row, &bench_samples_per_cpu_s, rounds,
	    &(struct bench_side){ .run = library_samples, .arg = &library },
	    &(struct bench_side){
	        .run = load_samples, .arg = &load, .form = "lib/loader" });
	load_release(&load);
	library_close(&library);
}

/* A pipeline file for what is loaded, which may be stored. */
static char *write_conf(const struct bench_args *args, const char *source,
    const char *dir, const char *steps)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	char *path = path_join(args->work, "library.conf", &err);

	if (!path ||
	    buf_printf(&text, &err,
	        "[dataset]\nsource = %s\npath = %s\n[pipeline]\n%s", source,
	        dir, steps) ||
	    path_write(path, buf_span(&text), &err))
		bench_die(&err);
	buf_release(&text);
	return path;
}

static void compare_stored(const struct bench_args *args, const char *name,
    const struct data *data, const char *steps)
{
	struct error err = ERROR_INIT;
	char *dir =
	    path_absolute(data->dir ? data->dir : data->dataset.path, &err);
	char *conf;

	if (!dir)
		bench_die(&err);
	conf = write_conf(args, data->dir ? "presto" : "folder", dir, steps);
	compare(name, conf, data, args->rounds);
	free(conf);
	free(dir);
}

static void bench_photographs(const struct bench_args *args)
{
	static const struct {
		const char *name, *strategy, *steps;
	} stages[] = {
		{ "unprocessed", NULL, photo_steps },
		{ "resized-tar", "resized/tar/none", BEHIND },
	};
	struct error err = ERROR_INIT;
	char *dir = path_join(args->work, "photos", &err);

	if (!dir)
		bench_die(&err);
	photos_link(args->photos, dir, PHOTOS, false);
	for (size_t i = 0; i < ARRAY_LEN(stages); i++) {
		struct data data = { .from = 0 };

		data_open_photos(&data, dir, photo_steps);
		if (stages[i].strategy)
			data_store(&data, stages[i].strategy, args->work);
		compare_stored(args, stages[i].name, &data, stages[i].steps);
		data_close(&data);
	}
	photos_unlink(dir);
	free(dir);
}

static void bench_small(const struct bench_args *args)
{
	struct data data = { .from = 0 };

	data_open(&data,
	    "[dataset]\nsource = synthetic\nshape = 10000\ncount = 20000\n"
	    "[pipeline]\nsame = identity\n");
	data_store(&data, "raw/npy/none", args->work);
	compare_stored(args, "small", &data, "same = identity\n");
	data_close(&data);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	bench_photographs(&args);
	bench_small(&args);
	return 0;
}
