/*
 * axis.h - one axis of a resize, or a part of it: which input it needs, and a
 * cache of weights from image to image.
 */
#ifndef LIB_IMAGE_RESAMPLE_AXIS_H
#define LIB_IMAGE_RESAMPLE_AXIS_H

#include "lib/base/bytes.h"
#include "lib/image/resample/taps.h"

struct error;

enum { TAPS_CACHE = 16 };

struct taps_cache { /* zeroed: empty */
	struct {
		struct taps taps;
		uint64_t used; /* time of last use; 0: never */
	} kept[TAPS_CACHE];
	uint64_t now;
};

/*
 * Returns the weights wanted, from the cache or newly computed.  All entries of
 * a cache have the same filter.  They are valid until TAPS_CACHE others were
 * requested.
 */
int taps_cache_find(struct taps_cache *cache, const struct taps_wish *wish,
    const struct taps **taps, struct error *err);
void taps_cache_release(struct taps_cache *cache);

struct axis {
	const struct taps *taps; /* NULL: the size does not change */
	size_t first, count;     /* part of the output that is wanted */
	size_t low, high;        /* part of the input that it needs */
};

/* Sets low and high to the inputs with a weight. */
void axis_span(struct axis *axis);
/* Sets low and high to whole strides of taps, which may exceed the input. */
void axis_span_strides(struct axis *axis);

/*
 * Returns the taps of the wanted part, relative to an input that begins at
 * `low`.  `starts` holds their `first` if it had to be shifted.
 */
int axis_take(const struct axis *axis, struct buf *starts, struct taps *part,
    struct error *err);

#endif
