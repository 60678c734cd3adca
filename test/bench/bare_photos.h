/*
 * bare_photos.h - the bare loops over photographs, the limits of loading them:
 * libjpeg-turbo, the resize step, and rows of the crop scaled into a batch, one
 * photograph after the other, with nothing around it.
 *
 * What the loop begins with is in memory: files, or tensors of any stage.  A
 * tensor is copied first, which stands for reading it.
 */
#ifndef TEST_BENCH_BARE_PHOTOS_H
#define TEST_BENCH_BARE_PHOTOS_H

#include "test/bench/photos.h"

struct bare_photos;

enum stage { STAGE_FILES, STAGE_DECODED, STAGE_RESIZED, STAGE_CENTERED };

enum { CROP = 224 };

/* `photos` is borrowed; photographs are resized to `shorter`. */
struct bare_photos *bare_photos_new(const struct photos *photos,
    enum stage stage, const char *shorter, unsigned threads);
void bare_photos_free(struct bare_photos *bare);

/* For bench_side: so many times all photographs. */
double bare_photos_run(void *bare, unsigned times);

#endif
