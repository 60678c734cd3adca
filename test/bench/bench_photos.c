/*
 * bench_photos.c - the loader against a bare loop, over the same photographs,
 *in the same process, interleaved: decode, resize to 256, random crop of 224,
 * center.
 *
 *	bench_photos DIR WORK [ROUNDS]
 *
 * The bare loop is libjpeg-turbo into one buffer, the resize step, a copy of
 * the crop's rows, and the scaling, over files that are in memory; each thread
 * has its own.  presto reads the files (warm), and delivers batches.  Prints a
 * JSON list of {"name", "presto", "limit", "unit", "ratio"}: medians.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> /* wants stdio.h before it */

#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/ini.h"
#include "lib/base/option.h"
#include "lib/base/path.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "lib/steps/step.h"

enum { CROP = 224, ROUNDS_MOST = 64, EPOCHS = 3 };

struct photos {
	struct buf *files;
	size_t count, capacity;
	const char *dir;
};

static void die(const struct error *err)
{
	fprintf(stderr, "bench: %s\n", err->text);
	exit(1);
}

static int add_photo(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct photos *photos = arg;
	const size_t len = strlen(name);
	char *path;
	int rc;

	if (len < 4 || (strcmp(name + len - 4, ".jpg") != 0 &&
	                   (len < 5 || strcmp(name + len - 5, ".JPEG") != 0)))
		return 0;
	photos->files = array_grow(photos->files, &photos->capacity,
	    photos->count + 1, sizeof(struct buf), err);
	path = path_join(photos->dir, name, err);
	if (!photos->files || !path)
		die(err);
	photos->files[photos->count] = (struct buf)BUF_INIT;
	rc = path_read(path, bytes + 1, &photos->files[photos->count++], err);
	free(path);
	return rc;
}

/* ---- the bare loop ---- */

struct bare {
	const struct photos *photos;
	atomic_size_t *next;
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	unsigned char *pixels;
	size_t capacity;
	void *resize;
	struct tensor resized;
	float *out; /* a batch's worth, as the loader delivers */
	pthread_t thread;
};

enum { OUT_SLOTS = 64 };

static void bare_decode(
    struct bare *bare, const struct buf *file, struct shape *shape)
{
	struct jpeg_decompress_struct *jpeg = &bare->jpeg;
	size_t need;

	jpeg_mem_src(jpeg, file->data, file->len);
	jpeg_read_header(jpeg, TRUE);
	jpeg->out_color_space = JCS_RGB;
	jpeg_start_decompress(jpeg);
	need = (size_t)jpeg->output_width * jpeg->output_height * 3;
	if (need > bare->capacity) {
		free(bare->pixels);
		bare->pixels = malloc(need);
		bare->capacity = need;
	}
	while (jpeg->output_scanline < jpeg->output_height) {
		JSAMPROW rows[16];

		for (unsigned i = 0; i < 16; i++)
			rows[i] =
			    bare->pixels + (size_t)(jpeg->output_scanline + i) *
			                       jpeg->output_width * 3;
		jpeg_read_scanlines(jpeg, rows,
		    jpeg->output_height - jpeg->output_scanline < 16
		        ? jpeg->output_height - jpeg->output_scanline
		        : 16);
	}
	*shape = (struct shape){ .count = 3,
		.dims = { jpeg->output_height, jpeg->output_width, 3 } };
	jpeg_finish_decompress(jpeg);
}

static void bare_crop_and_center(struct bare *bare, size_t n)
{
	const int64_t height = bare->resized.shape.dims[0];
	const int64_t width = bare->resized.shape.dims[1];
	const int64_t top = (int64_t)(n * 7919) % (height - CROP + 1);
	const int64_t left = (int64_t)(n * 104729) % (width - CROP + 1);
	float *out = bare->out + (n % OUT_SLOTS) * CROP * CROP * 3;

	for (int64_t y = 0; y < CROP; y++) {
		const unsigned char *row =
		    (const unsigned char *)bare->resized.data +
		    ((top + y) * width + left) * 3;

		for (int64_t x = 0; x < CROP * 3; x++)
			out[y * CROP * 3 + x] = (float)row[x] / 127.5f - 1.0f;
	}
}

static void *bare_main(void *arg)
{
	struct bare *bare = arg;
	struct error err = ERROR_INIT;
	struct random none = { .left = 0 };
	size_t n;

	while ((n = atomic_fetch_add(bare->next, 1)) <
	       bare->photos->count * EPOCHS) {
		struct tensor in = TENSOR_INIT;
		struct shape shape;

		bare_decode(bare, &bare->photos->files[n % bare->photos->count],
		    &shape);
		tensor_view(&in, DTYPE_U8, &shape, bare->pixels);
		if (step_resize.run(
		        bare->resize, &none, &in, &bare->resized, &err))
			die(&err);
		bare_crop_and_center(bare, n);
	}
	return NULL;
}

static void bare_init(struct bare *bare, const struct photos *photos,
    const struct pipeline_step *resize)
{
	const struct type in = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { .count = 3, .dims = { -1, -1, 3 } } };
	struct type out;
	struct error err = ERROR_INIT;

	memset(bare, 0, sizeof(*bare));
	bare->photos = photos;
	bare->jpeg.err = jpeg_std_error(&bare->errors);
	jpeg_create_decompress(&bare->jpeg);
	bare->resize = calloc(1, step_resize.priv_size + 1);
	bare->out = calloc(OUT_SLOTS, CROP * CROP * 3 * sizeof(float));
	if (!bare->resize || !bare->out ||
	    step_resize.bind(bare->resize, resize->options, &in, &out, &err))
		die(&err);
}

static void bare_release(struct bare *bare)
{
	jpeg_destroy_decompress(&bare->jpeg);
	step_resize.release(bare->resize);
	tensor_release(&bare->resized);
	free(bare->resize);
	free(bare->pixels);
	free(bare->out);
}

/* Photographs per second of `threads` bare loops. */
static double bare_rate(
    struct bare *bares, unsigned threads, const struct photos *photos)
{
	atomic_size_t next = 0;
	const uint64_t start = clock_now(&clock_monotonic);

	for (unsigned i = 0; i < threads; i++) {
		bares[i].next = &next;
		pthread_create(&bares[i].thread, NULL, bare_main, &bares[i]);
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(bares[i].thread, NULL);
	return (double)photos->count * EPOCHS * 1e9 /
	       (double)(clock_now(&clock_monotonic) - start);
}

/* ---- presto ---- */

struct presto {
	struct ini ini;
	struct dataset dataset;
	struct pipeline pipeline;
	struct medium *medium;
	struct reader *reader;
	struct loader *loaders[2]; /* with 1 and 2 threads */
};

static void presto_init(struct presto *p, const char *dir)
{
	char text[4096];
	struct error err = ERROR_INIT;

	memset(p, 0, sizeof(*p));
	snprintf(text, sizeof(text),
	    "[dataset]\nsource = folder\npath = %s\nmatch = *.[jJ][pP]*\n"
	    "[pipeline]\ndecoded = jpeg_decode\n"
	    "resized = resize shorter=256 filter=bilinear\n"
	    "cropped = random_crop size=224\ncentered = center\n",
	    dir);
	p->medium = medium_new_local(&err);
	if (ini_parse_text(&p->ini, "./bench.conf", text, strlen(text), &err) ||
	    dataset_read(&p->dataset, &p->ini, &err) ||
	    pipeline_read(&p->pipeline, &p->ini, &err))
		die(&err);
	p->reader = dataset_open(&p->dataset, 0, p->medium, &err);
	if (!p->reader || pipeline_bind(&p->pipeline, &p->reader->schema, &err))
		die(&err);
	for (unsigned i = 0; i < 2; i++) {
		const struct loader_plan plan = { .reader = p->reader,
			.pipeline = &p->pipeline,
			.to = p->pipeline.count,
			.threads = i + 1,
			.batch = 64 };

		p->loaders[i] = loader_new(&plan, &err);
		if (!p->loaders[i])
			die(&err);
	}
}

static void presto_release(struct presto *p)
{
	loader_free(p->loaders[0]);
	loader_free(p->loaders[1]);
	reader_free(p->reader);
	pipeline_release(&p->pipeline);
	dataset_release(&p->dataset);
	medium_free(p->medium);
	ini_release(&p->ini);
}

static double presto_rate(struct loader *loader)
{
	const uint64_t start = clock_now(&clock_monotonic);
	const struct batch *batch;
	struct error err = ERROR_INIT;
	uint64_t samples = 0;

	for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
		loader_begin(loader, epoch, false);
		while ((batch = loader_next(loader)))
			samples += batch->count;
		if (loader_end(loader, &err))
			die(&err);
	}
	return (double)samples * 1e9 /
	       (double)(clock_now(&clock_monotonic) - start);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return count % 2 ? values[count / 2]
	                 : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int main(int argc, char **argv)
{
	struct photos photos = { .dir = argc > 1 ? argv[1] : "." };
	const int wanted = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 7;
	const int rounds = wanted < ROUNDS_MOST ? wanted : ROUNDS_MOST;
	double presto[2][ROUNDS_MOST], bare[2][ROUNDS_MOST];
	struct error err = ERROR_INIT;
	struct presto p;
	struct bare bares[2];

	if (path_each(photos.dir, add_photo, &photos, &err))
		die(&err);
	presto_init(&p, photos.dir);
	for (int i = 0; i < 2; i++)
		bare_init(&bares[i], &photos, &p.pipeline.steps[1]);
	for (int round = -1; round < rounds; round++)
		for (unsigned t = 0; t < 2; t++) {
			const int at = round < 0 ? 0 : round; /* a warm-up */

			bare[t][at] = bare_rate(bares, t + 1, &photos);
			presto[t][at] = presto_rate(p.loaders[t]);
		}
	for (unsigned t = 0; t < 2; t++) {
		const double own = median(presto[t], (size_t)rounds);
		const double limit = median(bare[t], (size_t)rounds);

		printf("{\"name\": \"photos/unprocessed-%u\", \"presto\": "
		       "%.6g, \"limit\": %.6g, \"unit\": \"samples/s\", "
		       "\"ratio\": %.4f}\n",
		    t + 1, own, limit, own / limit);
	}
	for (int i = 0; i < 2; i++)
		bare_release(&bares[i]);
	for (size_t i = 0; i < photos.count; i++)
		buf_release(&photos.files[i]);
	free(photos.files);
	presto_release(&p);
	return 0;
}
