/*
 * photos.c - JPEG photographs with the statistics of ImageNet: about 110 KB,
 * mostly 500 pixels wide, some upright, a few grey, in ten folders named
 * after what is in them; and photos.conf, which reads them.
 *
 * Photograph i depends on the seed and i only, so the number of threads makes
 * no difference.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/photo.h"
#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/base/random.h"
#include "lib/steps/jpeg_writer.h"

enum {
	STEP_PHOTO = 0x70686f74, /* its own random stream */
	FILE_NAME = 64,
};

static const char pipeline_text[] =
    "# photos.conf - the ImageNet pipeline of the PRESTO paper, over\n"
    "# photographs made by: presto generate photos --count %" PRIu64
    " --seed %" PRIu64 "\n"
    "[dataset]\n"
    "source = folder\n"
    "path   = .\n"
    "match  = *.jpg\n"
    "label  = directory\n"
    "\n"
    "[pipeline]              ; name of the representation = step\n"
    "decoded  = jpeg_decode\n"
    "resized  = resize shorter=256 filter=bilinear\n"
    "centered = center\n"
    "cropped  = random_crop size=224   ; random: stays online\n"
    "\n"
    "[strategies]\n"
    "split = all\n"
    "store = tar, tfrecord\n"
    "codec = none, gzip, zstd:1\n"
    "\n"
    "[load]\n"
    "threads = 2\n"
    "cache   = none, system\n"
    "batch   = 64\n"
    "\n"
    "[measure]\n"
    "samples = %" PRIu64 "\n"
    "epochs  = 2\n"
    "runs    = 5\n";

struct painter {
	struct photo_studio studio;
	struct buf jpeg;
};

/* Cameras and web sites: mostly high quality, colour mostly halved. */
static int encode(struct painter *painter, const struct photo *photo,
    struct random *random, struct error *err)
{
	const struct jpeg_picture picture = {
		.pixels = photo->pixels,
		.width = photo->width,
		.height = photo->height,
		.channels = photo->channels,
		.quality = 92 + (int)random_below(random, 7),
		.full_chroma = random_below(random, 10) < 4,
	};

	painter->jpeg.len = 0;
	return jpeg_write(&picture, &painter->jpeg, err);
}

static int make_photo(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	struct painter *painter = state;
	const unsigned kind = (unsigned)(number % PHOTO_CLASSES);
	struct random random = random_stream(plan->seed, 0, number, STEP_PHOTO);
	struct photo photo;
	char name[FILE_NAME];

	if (photo_take(&painter->studio, kind, &random, &photo, err) ||
	    encode(painter, &photo, &random, err))
		return -1;
	snprintf(name, sizeof(name), "%s/IMG_%06" PRIu64 ".jpg",
	    photo_class(kind), number);
	return crew_write(plan->dir, name, buf_span(&painter->jpeg), err);
}

static void release(void *state)
{
	struct painter *painter = state;

	photo_studio_release(&painter->studio);
	buf_release(&painter->jpeg);
}

static const struct crew_job job = {
	.state_size = sizeof(struct painter),
	.make = make_photo,
	.release = release,
};

static int make_folders(const char *dir, struct error *err)
{
	for (unsigned i = 0; i < PHOTO_CLASSES; i++) {
		char *path = path_join(dir, photo_class(i), err);
		int rc = path ? path_make_dirs(path, err) : -1;

		free(path);
		if (rc)
			return -1;
	}
	return 0;
}

static int write_pipeline(const struct generate_plan *plan, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = -1;

	if (buf_printf(&text, err, pipeline_text, plan->count, plan->seed,
	        crew_samples(plan)) == 0)
		rc = crew_write(plan->dir, "photos.conf", buf_span(&text), err);
	buf_release(&text);
	return rc;
}

static int photos(const struct generate_plan *plan, struct error *err)
{
	if (make_folders(plan->dir, err) || crew_run(plan, &job, err))
		return -1;
	return write_pipeline(plan, err);
}

const struct generator_ops generator_photos = {
	.name = "photos",
	.summary = "JPEG photographs with the statistics of ImageNet",
	.default_count = 400,
	.run = photos,
};
