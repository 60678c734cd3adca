/*
 * bench_photos.c - the image pipeline of datasets/imagenet.conf over
 * photographs: decode, resize to 256, center, random crop of 224; from the
 * files, and from each stage that can be stored, against the same fused chain
 * in a bare loop (bare_chain.h). Files are in the page cache.
 *
 * photos/NAME is one worker (with a fetcher beside it) against one thread,
 * photos/NAME-2 two against two, 1core/photos/NAME one against one with all
 * threads on one core.  npy wants samples of one size: of photographs of the
 * size that most have.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "test/bench/bare_chain.h"
#include "test/bench/data.h"
#include "test/bench/load.h"
#include "test/bench/photos.h"
#include "test/bench/places.h"

enum { BATCH = 64 };

static const char pipeline[] = "decoded = jpeg_decode\n"
                               "resized = resize shorter=256 filter=bilinear\n"
                               "centered = center\n"
                               "cropped = random_crop size=224\n";

struct stage {
	const char *name;
	const char *strategy; /* NULL: unprocessed */
	unsigned count;       /* photographs: an epoch takes a while */
	bool equal;
};

static const struct stage stages[] = {
	{ "unprocessed", NULL, 128, false },
	{ "raw-tar", "raw/tar/none", 128, false },
	{ "decoded-tar", "decoded/tar/none", 512, false },
	{ "decoded-npy", "decoded/npy/none", 512, true },
	{ "resized-tar", "resized/tar/none", 1024, false },
	{ "resized-npy", "resized/npy/none", 1024, true },
	{ "centered-tar", "centered/tar/none", 512, false },
	{ "centered-npy", "centered/npy/none", 512, true },
};

struct subject { /* a stage, ready to be loaded both ways */
	const char *name;
	const struct bench_args *args;
	struct data data;
	struct places places;
};

static void compare(const struct subject *subject, const char *family,
    const char *suffix, unsigned threads)
{
	struct bare_chain *bare =
	    bare_chain_new(&subject->data, &subject->places, threads, BATCH);
	char name[BENCH_NAME];
	struct load load;

	snprintf(name, sizeof(name), "%s/%s%s", family, subject->name, suffix);
	load_init(&load, &subject->data, threads, BATCH);
	bench_run(name, &bench_samples_per_s, subject->args->rounds,
	    &(struct bench_side){ .run = load_samples, .arg = &load },
	    &(struct bench_side){ .run = bare_chain_samples,
	        .arg = bare,
	        .form = bare_chain_form(bare) });
	load_release(&load);
	bare_chain_free(bare);
}

static void bench_stage(
    const struct stage *stage, const struct bench_args *args)
{
	struct subject subject = { .name = stage->name, .args = args };
	struct error err = ERROR_INIT;
	char *dir = path_join(args->work, "photos", &err);

	if (!dir)
		bench_die(&err);
	photos_link(args->photos, dir, stage->count, stage->equal);
	data_open_photos(&subject.data, dir, pipeline);
	if (stage->strategy)
		data_store(&subject.data, stage->strategy, args->work);
	places_find(&subject.places, subject.data.reader);
	compare(&subject, "photos", "", 1);
	compare(&subject, "photos", "-2", 2);
	bench_pin(true);
	compare(&subject, "1core/photos", "", 1);
	bench_pin(false);
	places_release(&subject.places);
	data_close(&subject.data);
	photos_unlink(dir);
	free(dir);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		bench_stage(&stages[i], &args);
	return 0;
}
