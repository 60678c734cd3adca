/*
 * bench_photos.c - the image pipeline of datasets/imagenet.conf over
 * photographs, from each stage that can be stored, against the bare loops of
 * bare_photos.h: decode, resize to 256, center, random crop of 224.
 *
 * presto reads files that are in the kernel's memory, checks them, and
 * delivers batches; the bare loop has its input in its own memory.  It does
 * the whole of each step, as a program calling libraries does: presto, which
 * leaves out pixels that the crop will not need, may be faster.
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
#include "test/bench/bare_photos.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { BATCH = 64 };

#define SHORTER  "256"
#define RAW      "same = identity\n"
#define DECODED  "decoded = jpeg_decode\n"
#define RESIZED  DECODED "resized = resize shorter=" SHORTER " filter=bilinear\n"
#define CENTERED RESIZED "centered = center\n"
#define CROPPED  CENTERED "cropped = random_crop size=224\n"

struct form {
	const char *name;
	const char *strategy; /* NULL: unprocessed */
	enum stage stage;
	const char *pipeline; /* up to this stage */
	unsigned count;       /* photographs: an epoch takes a while */
	bool equal;
};

static const struct form forms[] = {
	{ "unprocessed", NULL, STAGE_FILES, RAW, 256, false },
	{ "raw-tar", "raw/tar/none", STAGE_FILES, RAW, 256, false },
	{ "decoded-npy", "decoded/npy/none", STAGE_DECODED, DECODED, 512,
	    true },
	{ "resized-tar", "resized/tar/none", STAGE_RESIZED, RESIZED, 1024,
	    false },
	{ "resized-npy", "resized/npy/none", STAGE_RESIZED, RESIZED, 1024,
	    true },
	{ "centered-npy", "centered/npy/none", STAGE_CENTERED, CENTERED, 512,
	    true },
};

struct subject { /* a form, ready to be loaded both ways */
	const char *name;
	const struct bench_args *args;
	enum stage stage;
	struct data data;
	struct photos photos;
};

static void compare(const struct subject *subject, const char *family,
    const char *suffix, unsigned threads)
{
	struct bare_photos *bare =
	    bare_photos_new(&subject->photos, subject->stage, SHORTER, threads);
	char name[BENCH_NAME];
	struct load load;

	snprintf(name, sizeof(name), "%s/%s%s", family, subject->name, suffix);
	load_init(&load, &subject->data, threads, BATCH);
	bench_run(name, &bench_samples_per_s, subject->args->rounds,
	    &(struct bench_side){ load_samples, &load },
	    &(struct bench_side){ bare_photos_run, bare });
	load_release(&load);
	bare_photos_free(bare);
}

static void bench_form(const struct form *form, const struct bench_args *args)
{
	struct subject subject = {
		.name = form->name,
		.args = args,
		.stage = form->stage,
	};
	struct error err = ERROR_INIT;
	char *dir = path_join(args->work, "photos", &err);

	if (!dir)
		bench_die(&err);
	photos_link(args->photos, dir, form->count, form->equal);
	photos_load(&subject.photos, dir, form->pipeline);
	data_open_photos(&subject.data, dir, CROPPED);
	if (form->strategy)
		data_store(&subject.data, form->strategy, args->work);
	compare(&subject, "photos", "", 1);
	compare(&subject, "photos", "-2", 2);
	bench_pin(true);
	compare(&subject, "1core/photos", "", 1);
	bench_pin(false);
	data_close(&subject.data);
	photos_release(&subject.photos);
	photos_unlink(dir);
	free(dir);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		bench_form(&forms[i], &args);
	return 0;
}
