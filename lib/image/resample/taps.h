/*
 * taps.h - the weights of a one-dimensional resize: which input elements each
 * output element is made of, and how much of each.
 *
 * As Pillow computes them: the filter is stretched by the ratio when the
 * image becomes smaller (antialias), and what falls outside is left out and
 * the rest made up to one.
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

/* In their order, as OPTION_WORDS wants them. */
#define FILTER_WORDS "nearest|bilinear|bicubic|lanczos|box"

/* Does the filter have negative weights, so that results leave the range? */
bool filter_overshoots(enum filter filter);

enum {
	TAPS_ROUND = 4, /* strides are multiples of it */
	TAPS_LOW = 8,   /* bits of the lower half of an exact weight */
	TAPS_FEW = 32,  /* coarse weights are made for so many taps or less */
};

enum taps_kind {
	TAPS_COARSE, /* 16 bits: enough for a result that is then rounded */
	TAPS_SHARES, /* the same for going down to words */
	TAPS_EXACT,  /* 24 bits, just those of Pillow */
	TAPS_FLOATS,
};

/*
 * Output i is the sum over k < count[i] of input[first[i] + k] times weight
 * weights[i * stride + skip[i] + k].  The other weights of the row are zero,
 * so a row can also be read as `stride` taps from first[i] - skip[i] on: that
 * ends within the input whenever the input is as long as the stride.
 */
struct taps {
	size_t in, out;
	enum taps_kind kind;
	size_t stride;
	size_t reach; /* the input that such reading wants, at least `in` */
	unsigned shift;
	int32_t *first, *count, *skip; /* [out] */
	int16_t *weights; /* [out * stride]: times 2^shift; exact: upper half */
	int16_t *low;     /* exact: weights[i] * 2^TAPS_LOW + low[i] */
	uint32_t *shares; /* times 2^16, twice, in both halves */
	float *floats;    /* those that are not of the kind are NULL */
	double *exact;    /* what they are rounded from; owns all the memory */
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

/* So many taps an output may have. */
size_t taps_most(const struct taps_wish *wish);

/* Keeps the memory that `taps` has, when it suffices. */
int taps_fill(
    struct taps *taps, const struct taps_wish *wish, struct error *err);
void taps_release(struct taps *taps);

#endif
