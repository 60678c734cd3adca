/*
 * photos.h - photographs for the benchmarks, in folders and in memory.
 */
#ifndef TEST_BENCH_PHOTOS_H
#define TEST_BENCH_PHOTOS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/sample/tensor.h"

/*
 * Makes a folder with `count` links to the JPEG files below `photos`, which
 * come again and again until there are enough; with `equal` only to those of
 * the size that most of them have.
 */
void photos_link(const char *photos, const char *dir, size_t count, bool equal);
void photos_unlink(const char *dir);

/* What the steps make of each file of a folder, in memory. */
struct photos {
	struct tensor *items;
	size_t count;
};

void photos_load(struct photos *photos, const char *dir, const char *pipeline);
void photos_release(struct photos *photos);

#endif
