/*
 * resample.h - images in another size: what resize and random_resized_crop
 * share.
 *
 * Bytes are made in two passes of integer sums, within 1 of what Pillow gives,
 * which rounds after each pass; floats in two passes of float sums; uint16 as
 * floats that are rounded where bytes would be.  The
 * kernels for bytes come in a plain form and one for AVX2; both give the same
 * bytes.
 */
#ifndef LIB_IMAGE_RESAMPLE_RESAMPLE_H
#define LIB_IMAGE_RESAMPLE_RESAMPLE_H

#include "lib/image/resample/taps.h"
#include "lib/image/window.h"

struct error;
struct resampler; /* one a worker: keeps weights and rows from image to image */

/* An image HxWxC, or a window of one: resized as if there were no more. */
struct resample_source {
	enum dtype dtype;
	struct image_size size;
	size_t channels;
	size_t stride; /* bytes from row to row */
	/*
	 * The pixel at row `top` and column `left`: what is above and to the
	 * left of it is not in memory, and nobody asks for it.
	 */
	const unsigned char *data;
	const unsigned char *end; /* of what may be read */
	size_t top, left;
};

/*
 * The hot loops.  Down: output row `row` of the input rows from `in` on, `len`
 * elements each.  Across: `in` are four rows of taps->reach pixels and
 * RESAMPLE_SLACK bytes; `out` gets taps->out pixels a row, and not a byte more.
 *
 * Words are bytes times 2^RESAMPLE_WORD, with what else there is: between the
 * passes nothing needs to be rounded to bytes.  Going down to them takes
 * shares, going across from them coarse weights.
 */
enum { RESAMPLE_ROWS = 4, RESAMPLE_SLACK = 64, RESAMPLE_WORD = 7 };

typedef void resample_down(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len);
typedef void resample_across(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels);

struct resample_kernels {
	resample_down *down;
	resample_across *across;
	resample_down *down_to_words; /* the words of floats are floats */
	resample_across *across_from_words;
};

extern const struct resample_kernels resample_plain;
extern const struct resample_kernels resample_floats; /* of float rows */
/* Of uint16, with floats for words; the second without vectors, for tests. */
extern const struct resample_kernels resample_words, resample_words_plain;
/* Of bytes; NULL where the processor cannot. */
const struct resample_kernels *resample_avx2(void);

/* The best kernels of this processor, or the given ones, when not NULL. */
struct resampler *resampler_new(enum filter filter, bool antialias,
    const struct resample_kernels *kernels, struct error *err);
void resampler_free(struct resampler *resampler); /* NULL is fine */

/*
 * Are elements of this type taken?  The nearest filter takes all, the others
 * uint8, uint16 and float32.
 */
bool resample_takes(enum filter filter, enum dtype dtype);

/* Makes `out` of `size`, in the source's dtype and channels. */
int resampler_run(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    struct tensor *out, struct error *err);

/* From one size to another. */
struct resample_sizes {
	enum dtype dtype;
	struct image_size in, out;
};

/* Makes the box of the result that of the image which it is made of. */
int resampler_need(struct resampler *resampler,
    const struct resample_sizes *sizes, struct box *box, struct error *err);

/*
 * Makes `out` the box of the result that resampler_run would make.  The
 * source holds at least what resampler_need said.
 */
int resampler_run_box(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    const struct box *box, struct tensor *out, struct error *err);

#endif
