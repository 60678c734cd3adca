/*
 * taps.h - the weights of a one-dimensional resize: the input elements of each
 * output element, and the weight of each.
 *
 * They are computed like Pillow's.  When the image becomes smaller, the filter
 * is stretched by the ratio (antialias).  Weights outside the image are
 * dropped, and the rest is scaled to a sum of one.
 */
#ifndef LIB_IMAGE_RESAMPLE_TAPS_H
#define LIB_IMAGE_RESAMPLE_TAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum filter {
	FILTER_NEAREST,
	FILTER_BILINEAR,
	FILTER_BICUBIC,
	FILTER_LANCZOS,
	FILTER_BOX,
};

/* The order of enum filter, for OPTION_WORDS. */
#define FILTER_WORDS "nearest|bilinear|bicubic|lanczos|box"

/* Has the filter negative weights, so that results may leave the range? */
bool filter_overshoots(enum filter filter);

enum {
	TAPS_ROUND = 4, /* strides are multiples of this */
	TAPS_LOW = 8,   /* bits of the lower half of an exact weight */
	TAPS_FEW = 32,  /* most taps for which there are coarse weights */
};

enum taps_kind {
	TAPS_COARSE, /* 16 bits: enough for a result that is rounded next */
	TAPS_SHARES, /* the same for a pass down to words */
	TAPS_EXACT,  /* 24 bits: exactly Pillow's weights */
	TAPS_FLOATS,
};

/*
 * Output i is the sum over k < count[i] of input[first[i] + k] times weights[i
 * * stride + skip[i] + k].  The other weights of the row are zero.  So a row
 * can also be read as `stride` taps from first[i] - skip[i] on.  This stays
 * within the input if the input is at least as long as the stride.
 */
struct taps {
	size_t in, out;
	enum taps_kind kind;
	size_t stride;
	size_t reach; /* input length needed for that, at least `in` */
	unsigned shift;
	int32_t *first, *count, *skip; /* [out] */
	int16_t *weights; /* [out * stride]: times 2^shift; exact: upper half */
	int16_t *low;     /* exact: weights[i] * 2^TAPS_LOW + low[i] */
	uint32_t *shares; /* times 2^16, repeated in both halves */
	float *floats;    /* arrays of other kinds are NULL */
	double *exact;    /* unrounded weights; owns all the memory */
	size_t capacity;  /* bytes */
};

#define TAPS_INIT             \
	{                     \
		.exact = NULL \
	}

struct taps_wish {
	enum filter filter;
	bool antialias;
	enum taps_kind kind;
	size_t in, out; /* more than 0 */
};

/* Returns the most taps that an output may have. */
size_t taps_most(const struct taps_wish *wish);

/* Reuses the memory of `taps` if it is large enough. */
int taps_fill(
    struct taps *taps, const struct taps_wish *wish, struct error *err);
void taps_release(struct taps *taps);

#endif
