/*
 * photos.c - JPEG photographs with the statistics of ImageNet: about 110 KB,
 * mostly 500 pixels wide, some upright, a few grey, in ten folders named
 * after what is in them; and photos.conf, which reads them.
 *
 * Photograph i depends on the seed and i only, so the number of threads makes
 * no difference.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generator.h"
#include "datasets/generators/photo.h"
#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/base/random.h"
#include "lib/steps/jpeg_writer.h"

enum {
	STEP_PHOTO = 0x70686f74, /* its own random stream */
	THREADS_MAX = 256,
	FILE_NAME = 64,
	MEASURE_MAX = 1000, /* samples are enough to measure with */
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

struct crew {
	const struct generate_plan *plan;
	atomic_uint_fast64_t next; /* photograph to take */
	atomic_uint_fast64_t done;
	atomic_bool failed;
};

struct worker {
	struct crew *crew;
	pthread_t thread;
	bool started;
	bool reports; /* progress; one does */
	struct photo_studio studio;
	struct buf jpeg;
	struct error err;
};

static int write_file(const char *path, struct span bytes, struct error *err)
{
	FILE *file = fopen(path, "wb");
	size_t n;

	if (!file)
		return error_errno(err, "create", path);
	n = fwrite(bytes.data, 1, bytes.len, file);
	if (fclose(file) || n != bytes.len)
		return error_errno(err, "write", path);
	return 0;
}

/* Cameras and web sites: mostly high quality, colour mostly halved. */
static int encode(
    struct worker *worker, const struct photo *photo, struct random *random)
{
	const struct jpeg_picture picture = {
		.pixels = photo->pixels,
		.width = photo->width,
		.height = photo->height,
		.channels = photo->channels,
		.quality = 92 + (int)random_below(random, 7),
		.full_chroma = random_below(random, 10) < 4,
	};

	worker->jpeg.len = 0;
	return jpeg_write(&picture, &worker->jpeg, &worker->err);
}

static int make_photo(struct worker *worker, uint64_t number)
{
	const struct generate_plan *plan = worker->crew->plan;
	const unsigned kind = (unsigned)(number % PHOTO_CLASSES);
	struct random random = random_stream(plan->seed, 0, number, STEP_PHOTO);
	struct photo photo;
	char name[FILE_NAME], *path;
	int rc;

	if (photo_take(&worker->studio, kind, &random, &photo, &worker->err) ||
	    encode(worker, &photo, &random))
		return -1;
	snprintf(name, sizeof(name), "%s/IMG_%06" PRIu64 ".jpg",
	    photo_class(kind), number);
	path = path_join(plan->dir, name, &worker->err);
	if (!path)
		return -1;
	rc = write_file(path, buf_span(&worker->jpeg), &worker->err);
	free(path);
	return rc;
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct crew *crew = worker->crew;
	const struct generate_plan *plan = crew->plan;
	uint64_t number;

	while ((number = atomic_fetch_add(&crew->next, 1)) < plan->count) {
		uint64_t done;

		if (atomic_load(&crew->failed))
			break;
		if (make_photo(worker, number)) {
			atomic_store(&crew->failed, true);
			break;
		}
		done = atomic_fetch_add(&crew->done, 1) + 1;
		if (worker->reports && plan->progress)
			plan->progress(plan->arg, done, plan->count);
	}
	return NULL;
}

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
	const uint64_t samples =
	    plan->count < MEASURE_MAX ? plan->count : MEASURE_MAX;
	char *path = path_join(plan->dir, "photos.conf", err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (path && buf_printf(&text, err, pipeline_text, plan->count,
	                plan->seed, samples) == 0)
		rc = write_file(path, buf_span(&text), err);
	buf_release(&text);
	free(path);
	return rc;
}

/* This thread is the first of them; one that cannot be started is no harm. */
static int take_photos(
    struct worker *workers, unsigned count, struct error *err)
{
	int rc = 0;

	for (unsigned i = 1; i < count; i++)
		workers[i].started = pthread_create(&workers[i].thread, NULL,
		                         work, &workers[i]) == 0;
	work(&workers[0]);
	for (unsigned i = 1; i < count; i++)
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < count; i++) {
		if (rc == 0 && workers[i].err.code != ERROR_NONE) {
			*err = workers[i].err;
			rc = -1;
		}
		photo_studio_release(&workers[i].studio);
		buf_release(&workers[i].jpeg);
	}
	return rc;
}

static int photos(const struct generate_plan *plan, struct error *err)
{
	unsigned count = plan->threads ? plan->threads : 1;
	struct crew crew = { .plan = plan };
	struct worker *workers;
	int rc;

	if (count > THREADS_MAX)
		count = THREADS_MAX;
	if (make_folders(plan->dir, err))
		return -1;
	workers = calloc(count, sizeof(*workers));
	if (!workers)
		return error_memory(err, count * sizeof(*workers));
	for (unsigned i = 0; i < count; i++)
		workers[i].crew = &crew;
	workers[0].reports = true;
	rc = take_photos(workers, count, err);
	free(workers);
	return rc ? -1 : write_pipeline(plan, err);
}

const struct generator_ops generator_photos = {
	.name = "photos",
	.summary = "JPEG photographs with the statistics of ImageNet",
	.default_count = 400,
	.run = photos,
};
