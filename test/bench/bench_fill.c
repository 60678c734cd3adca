/*
 * bench_fill.c - how fast the memory takes batches, which no loader can exceed.
 *
 * usage: bench_fill FORM THREADS BUFFERS IMAGES BATCHES
 *
 * Threads write float32 images of 224 x 224 x 3, as cropped photographs are,
 * into a ring of BUFFERS batches of IMAGES each.  They read nothing and compute
 * nothing.  A FORM is a way to write.
 *
 * The program writes a byte to its standard output when the ring is in memory,
 * waits for the end of its standard input, and then writes a byte for each of
 * BATCHES batches.  scripts/compare/load_bound.py starts it; `make bench`
 * does not, since no work of presto is beside it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "test/bench/bench.h"

enum {
	FLOATS = 224 * 224 * 3, /* of an image */
	LINE = COPY_LINE / sizeof(float),
};

static const float value = 0.5F;

/* Compilers make vectors of it. */
static void store(float *image)
{
	for (size_t i = 0; i < FLOATS; i++)
		image[i] = value;
}

static void store_prefetched(float *image)
{
	for (size_t i = 0; i < FLOATS; i += LINE) {
		copy_ask(image + i);
		for (size_t k = 0; k < LINE; k++)
			image[i + k] = value;
	}
}

static void store_past_caches(float *image)
{
	float line[LINE];

	for (size_t k = 0; k < LINE; k++)
		line[k] = value;
	for (size_t i = 0; i < FLOATS; i += LINE)
		copy_line(image + i, line);
	copy_fence();
}

static void set(float *image)
{
	memset(image, 0, FLOATS * sizeof(*image));
}

static const struct form {
	const char *name;
	void (*write)(float *image);
} forms[] = {
	{ "store", store },
	{ "prefetch", store_prefetched },
	{ "past-caches", store_past_caches },
	{ "memset", set },
};

struct filling {
	void (*write)(float *image);
	float *ring;
	size_t ring_images, batch_images, images;
	atomic_size_t next, written; /* images */
};

static void tell(void)
{
	if (write(STDOUT_FILENO, "", 1) != 1)
		exit(1);
}

static void *fill(void *arg)
{
	struct filling *filling = arg;
	size_t i;

	while ((i = atomic_fetch_add(&filling->next, 1)) < filling->images) {
		filling->write(
		    filling->ring + i % filling->ring_images * FLOATS);
		if ((atomic_fetch_add(&filling->written, 1) + 1) %
		        filling->batch_images ==
		    0)
			tell();
	}
	return NULL;
}

static size_t number(const char *text)
{
	const unsigned long n = strtoul(text, NULL, 10);

	return n ? n : 1;
}

static void usage(void)
{
	fprintf(
	    stderr, "usage: bench_fill FORM THREADS BUFFERS IMAGES BATCHES\n");
	exit(2);
}

static void read_args(struct filling *filling, char **argv)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (strcmp(argv[1], forms[i].name) == 0)
			filling->write = forms[i].write;
	if (!filling->write)
		usage();
	filling->batch_images = number(argv[4]);
	filling->ring_images = number(argv[3]) * filling->batch_images;
	filling->images = number(argv[5]) * filling->batch_images;
}

int main(int argc, char **argv)
{
	struct filling filling = { .write = NULL };
	struct error err = ERROR_INIT;
	struct pages pages;
	char byte;

	if (argc != 6)
		usage();
	read_args(&filling, argv);
	filling.ring = pages_take(
	    &pages, filling.ring_images * FLOATS * sizeof(float), &err);
	if (!filling.ring)
		bench_die(&err);
	for (size_t i = 0; i < filling.ring_images; i++)
		set(filling.ring + i * FLOATS);
	tell();
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	bench_threads(fill, &filling, 0, (unsigned)number(argv[2]));
	pages_give(&pages);
	return 0;
}
