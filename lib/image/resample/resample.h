/*
 * resample.h - resizes images, for resize and random_resized_crop.
 *
 * Bytes are resized in two passes of integer sums, within 1 of Pillow, which
 * rounds after each pass.  Floats use two passes of float sums; uint16 uses
 * floats that are rounded where bytes would be.  The byte kernels have a plain
 * and an AVX2 form with equal results.
 */
#ifndef LIB_IMAGE_RESAMPLE_RESAMPLE_H
#define LIB_IMAGE_RESAMPLE_RESAMPLE_H

#include "lib/image/resample/taps.h"
#include "lib/image/window.h"

struct error;
struct resampler; /* one per worker: keeps weights and rows between images */

/* An image HxWxC, or a window of one that is resized like a whole image. */
struct resample_source {
	enum dtype dtype;
	struct image_size size;
	size_t channels;
	size_t stride; /* distance of rows in bytes */
	/*
	 * The pixel at row `top` and column `left`.  Pixels above and to the
	 * left of it are not in memory and not needed.
	 */
	const unsigned char *data;
	const unsigned char *end; /* end of readable memory */
	size_t top, left;
};

/* The part `box` of an image, of which the window contains what is needed. */
struct resample_source resample_source_of(
    const struct window *window, const struct box *box);

/*
 * The inner loops.  Down: computes output row `row` from the input rows at
 * `in`, `len` elements each.  Across: `in` has four rows of taps->reach pixels
 * and RESAMPLE_SLACK bytes; `out` gets exactly taps->out pixels per row.
 *
 * Words are bytes times 2^RESAMPLE_WORD plus a fraction, so that nothing is
 * rounded to bytes between the passes.  The pass down to words uses shares, the
 * pass across from words uses coarse weights.
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
	resample_down *down_to_words; /* for floats, words are floats */
	resample_across *across_from_words;
};

extern const struct resample_kernels resample_plain;
extern const struct resample_kernels resample_floats; /* for rows of floats */
/* For uint16, with floats as words; the second is not vectorized, for tests. */
extern const struct resample_kernels resample_words, resample_words_plain;
/* For bytes; NULL if the processor lacks AVX2. */
const struct resample_kernels *resample_avx2(void);

/* Uses the given kernels; NULL: the best ones for this processor. */
struct resampler *resampler_new(enum filter filter, bool antialias,
    const struct resample_kernels *kernels, struct error *err);
void resampler_free(struct resampler *resampler); /* NULL is fine */

/*
 * Is the element type supported?  The nearest filter supports all, the others
 * uint8, uint16 and float32.
 */
bool resample_takes(enum filter filter, enum dtype dtype);

/* Resizes to `size`, keeping the dtype and channels of the source. */
int resampler_run(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    struct tensor *out, struct error *err);

/* The sizes before and after. */
struct resample_sizes {
	enum dtype dtype;
	struct image_size in, out;
};

/* Changes a box of the result to the box of the source that it needs. */
int resampler_need(struct resampler *resampler,
    const struct resample_sizes *sizes, struct box *box, struct error *err);

/*
 * Computes the box of the result of resampler_run.  The source must contain at
 * least what resampler_need returned.
 */
int resampler_run_box(struct resampler *resampler,
    const struct resample_source *source, struct image_size size,
    const struct box *box, struct tensor *out, struct error *err);

#endif
