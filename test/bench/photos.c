/* photos.c - see photos.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h> /* wants stdio.h before it */

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/loader/loader.h"
#include "test/bench/data.h"
#include "test/bench/load.h"
#include "test/bench/photos.h"

/* ---- folders ---- */

struct file {
	char *path; /* absolute */
	unsigned width, height;
};

struct listing {
	const char *dir;
	struct file *files;
	size_t count, capacity;
};

/* Width and height of a JPEG file; libjpeg ends the program if it is none. */
static void read_size(struct file *file)
{
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	if (path_read(file->path, INT32_MAX, &bytes, &err))
		bench_die(&err);
	jpeg.err = jpeg_std_error(&errors);
	jpeg_create_decompress(&jpeg);
	jpeg_mem_src(&jpeg, bytes.data, bytes.len);
	jpeg_read_header(&jpeg, TRUE);
	file->width = jpeg.image_width;
	file->height = jpeg.image_height;
	jpeg_destroy_decompress(&jpeg);
	buf_release(&bytes);
}

static bool is_jpeg(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (strcmp(dot, ".jpg") == 0 || strcmp(dot, ".jpeg") == 0 ||
	                  strcmp(dot, ".JPEG") == 0);
}

static int add_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct listing *listing = arg;
	struct file *file;
	char *path;

	UNUSED(bytes);
	if (!is_jpeg(name))
		return 0;
	listing->files = array_grow(listing->files, &listing->capacity,
	    listing->count + 1, sizeof(*listing->files), err);
	path = path_join(listing->dir, name, err);
	if (!listing->files || !path)
		return -1;
	file = &listing->files[listing->count];
	file->path = realpath(path, NULL);
	free(path);
	if (!file->path)
		return error_errno(err, "find", name);
	read_size(file);
	listing->count++;
	return 0;
}

static bool same_size(const struct file *a, const struct file *b)
{
	return a->width == b->width && a->height == b->height;
}

/* Keeps those that have the size of most. */
static void keep_equal(struct listing *listing)
{
	size_t best = 0, most = 0, kept = 0;

	for (size_t i = 0; i < listing->count; i++) {
		size_t count = 0;

		for (size_t j = 0; j < listing->count; j++)
			count +=
			    same_size(&listing->files[i], &listing->files[j]);
		if (count > most) {
			most = count;
			best = i;
		}
	}
	for (size_t i = 0; i < listing->count; i++)
		if (i != best &&
		    !same_size(&listing->files[i], &listing->files[best]))
			free(listing->files[i].path);
		else
			listing->files[kept++] = listing->files[i];
	listing->count = kept;
}

static void make_links(
    const struct listing *listing, const char *dir, size_t count)
{
	struct error err = ERROR_INIT;
	char name[32];

	for (size_t i = 0; i < count; i++) {
		const char *to = listing->files[i % listing->count].path;
		char *path;

		snprintf(name, sizeof(name), "%06zu.jpg", i);
		path = path_join(dir, name, &err);
		if (!path)
			bench_die(&err);
		if (symlink(to, path)) {
			error_errno(&err, "make", path);
			bench_die(&err);
		}
		free(path);
	}
}

void photos_link(const char *photos, const char *dir, size_t count, bool equal)
{
	struct listing listing = { .dir = photos };
	struct error err = ERROR_INIT;

	if (path_each(photos, add_file, &listing, &err) ||
	    path_make_dirs(dir, &err))
		bench_die(&err);
	if (listing.count == 0) {
		error_set(&err, ERROR_DATA, "no JPEG file below %s", photos);
		bench_die(&err);
	}
	if (equal)
		keep_equal(&listing);
	make_links(&listing, dir, count);
	for (size_t i = 0; i < listing.count; i++)
		free(listing.files[i].path);
	free(listing.files);
}

void photos_unlink(const char *dir)
{
	struct error err = ERROR_INIT;

	if (path_remove_tree(dir, &err))
		bench_die(&err);
}

/* ---- memory ---- */

void photos_load(struct photos *photos, const char *dir, const char *pipeline)
{
	struct error err = ERROR_INIT;
	struct data data;
	struct load load;
	const struct batch *batch;

	data_open_photos(&data, dir, pipeline);
	*photos = (struct photos){
		.items =
		    bench_alloc(data.reader->samples * sizeof(struct tensor)),
	};
	load_init(&load, &data, 2, 1);
	loader_begin(load.loader, 0, false);
	while ((batch = loader_next(load.loader))) {
		struct tensor *item = &photos->items[photos->count++];

		*item = (struct tensor)TENSOR_INIT;
		if (tensor_copy(item, &batch->slots[0].fields[0], &err))
			bench_die(&err);
	}
	if (loader_end(load.loader, &err))
		bench_die(&err);
	load_release(&load);
	data_close(&data);
}

void photos_release(struct photos *photos)
{
	for (size_t i = 0; i < photos->count; i++)
		tensor_release(&photos->items[i]);
	free(photos->items);
}
