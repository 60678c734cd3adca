/*
 * photos.c - photographs in ten folders, one for each class; and photos.conf,
 * which reads them. As JPEG files they have the statistics of ImageNet: about
 * 110 KB, mostly 500 pixels wide, some upright, a few grey. As PNG files, or
 * with a width, they are 3:2 and in colour; with 16 bits they are like the
 * sensor images of Cube++.
 *
 * Photograph i depends on the seed and i only, so the number of threads does
 * not matter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/photo.h"
#include "datasets/generators/pipeline_file.h"
#include "datasets/generators/sensor.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/image/jpeg_writer.h"
#include "lib/image/png.h"
#include "lib/sample/tensor.h"
#include "lib/syntax/option.h"

enum {
	STEP_PHOTO = 0x70686f74, /* own random stream */
	FILE_NAME = 64,
	COUNT = 400, /* pictures in the size of ImageNet */
	LARGE = 1296,
	LARGE_COUNT = 30, /* pictures of this width; fewer if wider */
	LEAST_COUNT = PHOTO_CLASSES,
};

enum format { JPEG, PNG_8, PNG_16 };

struct options {
	unsigned format; /* enum format */
	uint64_t width;  /* 0: default of the format */
};

static const struct option options[] = {
	OPTION_WORDS("format", struct options, format, "jpeg|png|png16",
	    "file format; png16: 16 bits, as from a camera's sensor"),
	OPTION_RANGE(UINT, "width", struct options, width, PHOTO_WIDTH_LEAST,
	    PHOTO_WIDTH_MOST,
	    "width in pixels, of 3:2 (default: as in ImageNet; png: 1296)"),
	OPTION_TABLE_END,
};

static const struct form {
	const char *suffix;
	uint64_t width;      /* default; 0: as in ImageNet */
	const char *decoded; /* the first step */
} forms[] = {
	[JPEG] = { "jpg", 0, "jpeg_decode" },
	[PNG_8] = { "png", LARGE, "png_decode" },
	[PNG_16] = { "png", LARGE, "png_decode  ; 16 bits become 8" },
};

static const char later_steps[] =
    "resized  = resize shorter=256 filter=bilinear\n"
    "centered = center\n"
    "cropped  = random_crop size=224   ; random: stays online\n";

struct painter {
	struct photo_studio studio;
	struct tensor pixels; /* pixels of a PNG file */
	struct buf file;
};

static struct options with_width(const struct options *given)
{
	struct options want = given ? *given : (struct options){ 0 };

	if (want.width == 0)
		want.width = forms[want.format].width;
	return want;
}

static struct options options_of(const struct generate_plan *plan)
{
	return with_width(plan->options);
}

/* Keeps the number of pixels, and so the time, about equal for any width. */
static uint64_t count_of(const void *given)
{
	const uint64_t width = with_width(given).width;
	const uint64_t count =
	    width ? (uint64_t)LARGE_COUNT * LARGE * LARGE / (width * width)
	          : COUNT;

	return count > COUNT         ? COUNT
	       : count > LEAST_COUNT ? count
	                             : LEAST_COUNT;
}

/* Qualities as of cameras and web sites: mostly high, with halved chroma. */
static int write_jpeg(struct painter *painter, const struct photo *photo,
    struct random *random, struct error *err)
{
	const bool large = photo->width > 1000;
	const struct jpeg_picture picture = {
		.pixels = photo->pixels,
		.width = photo->width,
		.height = photo->height,
		.channels = photo->channels,
		.quality = (large ? 87 : 92) + (int)random_below(random, 7),
		.full_chroma = random_below(random, 10) < 4,
	};

	return jpeg_write(&picture, &painter->file, err);
}

static int write_png(
    struct painter *painter, const struct photo *photo, struct error *err)
{
	const struct shape shape = { .count = 3,
		.dims = { photo->height, photo->width, photo->channels } };
	struct tensor pixels = TENSOR_INIT;

	tensor_view(&pixels, DTYPE_U8, &shape, photo->pixels);
	return png_encode(&pixels, &painter->file, err);
}

static int write_png16(struct painter *painter, const struct photo *photo,
    struct random *random, struct error *err)
{
	if (sensor_expose(photo, random, &painter->pixels, err))
		return -1;
	return png_encode(&painter->pixels, &painter->file, err);
}

static int encode(struct painter *painter, enum format format,
    const struct photo *photo, struct random *random, struct error *err)
{
	painter->file.len = 0;
	switch (format) {
	case PNG_8:
		return write_png(painter, photo, err);
	case PNG_16:
		return write_png16(painter, photo, random, err);
	case JPEG:
	default:
		return write_jpeg(painter, photo, random, err);
	}
}

static int make_photo(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	const struct options want = options_of(plan);
	struct painter *painter = state;
	const unsigned kind = (unsigned)(number % PHOTO_CLASSES);
	struct random random = random_stream(plan->seed, 0, number, STEP_PHOTO);
	struct photo photo = {
		.width = (unsigned)want.width,
		.height = (unsigned)want.width * 2 / 3,
		.clean = want.format == PNG_16,
	};
	char name[FILE_NAME];

	if (photo_take(&painter->studio, kind, &random, &photo, err) ||
	    encode(painter, want.format, &photo, &random, err))
		return -1;
	snprintf(name, sizeof(name), "%s/IMG_%06" PRIu64 ".%s",
	    photo_class(kind), number, forms[want.format].suffix);
	return crew_write(plan->dir, name, buf_span(&painter->file), err);
}

static void release(void *state)
{
	struct painter *painter = state;

	photo_studio_release(&painter->studio);
	tensor_release(&painter->pixels);
	buf_release(&painter->file);
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

static int print_lines(const struct form *form, struct buf *dataset,
    struct buf *steps, struct error *err)
{
	if (buf_printf(dataset, err,
	        "source = folder\npath   = .\nmatch  = *.%s\n"
	        "label  = directory\n",
	        form->suffix))
		return -1;
	return buf_printf(
	    steps, err, "decoded  = %s\n%s", form->decoded, later_steps);
}

static int write_pipeline(const struct generate_plan *plan, struct error *err)
{
	struct pipeline_file file = {
		.about = "the image pipeline of the PRESTO paper, over "
		         "photographs",
	};
	struct buf dataset = BUF_INIT, steps = BUF_INIT;
	int rc =
	    print_lines(&forms[options_of(plan).format], &dataset, &steps, err);

	file.dataset = (const char *)dataset.data;
	file.steps = (const char *)steps.data;
	if (rc == 0)
		rc = pipeline_file_write(&generator_photos, plan, &file, err);
	buf_release(&dataset);
	buf_release(&steps);
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
	.makes = "photos",
	.summary = "photographs with the statistics of ImageNet, or of Cube++",
	.default_count = COUNT,
	.count_of = count_of,
	.options = options,
	.options_size = sizeof(struct options),
	.run = photos,
};
