/* bare_photos.c - see bare_photos.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> /* wants stdio.h before it */

#include "lib/base/error.h"
#include "lib/image/scale.h"
#include "lib/pipeline/pipeline.h"
#include "lib/steps/step.h"
#include "test/bench/bare_photos.h"
#include "test/bench/data.h"

enum {
	BATCH = 64,
	CHANNELS = 3,
	ROW = CROP * CHANNELS, /* elements */
	LINES = 16,            /* that libjpeg is asked for at once */
};

struct worker { /* all that one thread needs */
	struct bare_photos *bare;
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct tensor read; /* a copy of what is stored, or the pixels */
	struct tensor resized;
	void *resize; /* the step's */
	float *batch;
};

struct bare_photos {
	const struct photos *photos;
	enum stage stage;
	struct data data; /* whose pipeline has the resize step */
	atomic_size_t next;
	size_t end;
	unsigned threads;
	struct worker workers[];
};

/* x / 127.5 - 1 */
static const struct scale centered = {
	.minus = 127.5f,
	.times = 0x1.01p-7f,
	.rest = 0x1.010102p-23f,
};

static void decode(struct worker *worker, const struct tensor *file)
{
	struct jpeg_decompress_struct *jpeg = &worker->jpeg;
	struct error err = ERROR_INIT;
	struct shape shape = { .count = 3 };

	jpeg_mem_src(jpeg, file->data, file->bytes);
	jpeg_read_header(jpeg, TRUE);
	jpeg->out_color_space = JCS_RGB;
	jpeg_start_decompress(jpeg);
	shape.dims[0] = jpeg->output_height;
	shape.dims[1] = jpeg->output_width;
	shape.dims[2] = CHANNELS;
	if (tensor_reshape(&worker->read, DTYPE_U8, &shape, &err))
		bench_die(&err);
	while (jpeg->output_scanline < jpeg->output_height) {
		const unsigned left =
		    jpeg->output_height - jpeg->output_scanline;
		JSAMPROW lines[LINES];

		for (unsigned i = 0; i < LINES; i++)
			lines[i] = (JSAMPROW)worker->read.data +
			           (size_t)(jpeg->output_scanline +
			                    (i < left ? i : left - 1)) *
			               jpeg->output_width * CHANNELS;
		jpeg_read_scanlines(jpeg, lines, left < LINES ? left : LINES);
	}
	jpeg_finish_decompress(jpeg);
}

/* The crop of photograph n, scaled unless it is already, into the batch. */
static void crop(struct worker *worker, const struct tensor *in, size_t n)
{
	const size_t height = (size_t)in->shape.dims[0];
	const size_t width = (size_t)in->shape.dims[1];
	const size_t top = n * 7919 % (height - CROP + 1);
	const size_t left = n * 104729 % (width - CROP + 1);
	float *out = worker->batch + n % BATCH * CROP * ROW;

	for (size_t y = 0; y < CROP; y++) {
		const size_t at = ((top + y) * width + left) * CHANNELS;

		if (in->dtype == DTYPE_U8)
			scale_run(centered, DTYPE_U8,
			    (const uint8_t *)in->data + at, out + y * ROW, ROW);
		else
			memcpy(out + y * ROW, (const float *)in->data + at,
			    ROW * sizeof(float));
	}
}

static void load_one(struct worker *worker, size_t n)
{
	const struct bare_photos *bare = worker->bare;
	const struct tensor *item =
	    &bare->photos->items[n % bare->photos->count];
	const struct tensor *at = &worker->read;
	struct random none = { .left = 0 };
	struct error err = ERROR_INIT;

	if (bare->stage == STAGE_FILES)
		decode(worker, item);
	else if (tensor_copy(&worker->read, item, &err))
		bench_die(&err);
	if (bare->stage <= STAGE_DECODED) {
		if (step_resize.run(
		        worker->resize, &none, at, &worker->resized, &err))
			bench_die(&err);
		at = &worker->resized;
	}
	crop(worker, at, n);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	size_t n;

	while (
	    (n = atomic_fetch_add(&worker->bare->next, 1)) < worker->bare->end)
		load_one(worker, n);
	return NULL;
}

double bare_photos_run(void *arg, unsigned times)
{
	struct bare_photos *bare = arg;

	atomic_store(&bare->next, 0);
	bare->end = bare->photos->count * times;
	bench_threads(
	    work, bare->workers, sizeof(struct worker), bare->threads);
	return (double)bare->end;
}

static void worker_init(struct worker *worker, struct bare_photos *bare)
{
	const size_t batch = (size_t)BATCH * CROP * ROW * sizeof(float);
	const struct type in = { .dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { .count = 3, .dims = { -1, -1, CHANNELS } } };
	const struct pipeline_step *resize = &bare->data.pipeline.steps[0];
	struct type out;
	struct error err = ERROR_INIT;

	memset(worker, 0, sizeof(*worker));
	worker->bare = bare;
	worker->jpeg.err = jpeg_std_error(&worker->errors);
	jpeg_create_decompress(&worker->jpeg);
	worker->resize = bench_alloc(step_resize.priv_size);
	memset(worker->resize, 0, step_resize.priv_size);
	if (step_resize.bind(worker->resize, resize->options, &in, &out, &err))
		bench_die(&err);
	worker->batch = bench_alloc(batch);
	memset(worker->batch, 0, batch); /* the pages are there */
}

struct bare_photos *bare_photos_new(const struct photos *photos,
    enum stage stage, const char *shorter, unsigned threads)
{
	struct bare_photos *bare =
	    bench_alloc(sizeof(*bare) + threads * sizeof(struct worker));
	char text[256];

	memset(bare, 0, sizeof(*bare));
	bare->photos = photos;
	bare->stage = stage;
	bare->threads = threads;
	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\n[pipeline]\n"
	    "resized = resize shorter=%s filter=bilinear\n",
	    shorter);
	data_open(&bare->data, text);
	for (unsigned i = 0; i < threads; i++)
		worker_init(&bare->workers[i], bare);
	return bare;
}

void bare_photos_free(struct bare_photos *bare)
{
	for (unsigned i = 0; i < bare->threads; i++) {
		struct worker *worker = &bare->workers[i];

		jpeg_destroy_decompress(&worker->jpeg);
		step_resize.release(worker->resize);
		tensor_release(&worker->read);
		tensor_release(&worker->resized);
		free(worker->resize);
		free(worker->batch);
	}
	data_close(&bare->data);
	free(bare);
}
