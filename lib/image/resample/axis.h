/*
 * axis.h - one axis of a resize, or a part of it: the weights, kept from image
 * to image, and which input the outputs wanted are made of.
 */
#ifndef LIB_IMAGE_RESAMPLE_AXIS_H
#define LIB_IMAGE_RESAMPLE_AXIS_H

#include "lib/base/bytes.h"
#include "lib/image/resample/taps.h"

struct error;

enum { TAPS_CACHE = 16 };

struct taps_cache { /* zeros: empty */
	struct {
		struct taps taps;
		uint64_t used; /* when; 0: never */
	} kept[TAPS_CACHE];
	uint64_t now;
};

/*
 * The weights that are wished for, made or found: all wishes of a cache are of
 * one filter.  They live until TAPS_CACHE others were asked for.
 */
int taps_cache_find(struct taps_cache *cache, const struct taps_wish *wish,
    const struct taps **taps, struct error *err);
void taps_cache_release(struct taps_cache *cache);

struct axis {
	const struct taps *taps; /* NULL: nothing changes */
	size_t first, count;     /* of the output: what is wanted */
	size_t low, high;        /* of the input: what it is made of */
};

/* Sets low and high: those that have a weight; */
void axis_span(struct axis *axis);
/* or whole strides of taps, which end behind a shorter input. */
void axis_span_strides(struct axis *axis);

/*
 * The taps of what is wanted, as of an input that begins at `low`; their
 * `first` is in `starts` when it had to be moved.
 */
int axis_take(const struct axis *axis, struct buf *starts, struct taps *part,
    struct error *err);

#endif
