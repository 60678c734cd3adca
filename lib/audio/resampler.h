/*
 * resampler.h - changes the sample rate of sound (wraps soxr).
 *
 * n frames become n * to / from, rounded to nearest, halves up.  Equal input
 * gives equal output: int16 is rounded without dither.
 */
#ifndef LIB_AUDIO_RESAMPLER_H
#define LIB_AUDIO_RESAMPLER_H

#include "lib/base/library.h"
#include "lib/sample/tensor.h"

struct error;
struct sound_resampler;

/* Named as in soxr: very_high has 28 bits of precision, high 20, medium 16. */
enum resampler_quality {
	RESAMPLER_QUICK,
	RESAMPLER_LOW,
	RESAMPLER_MEDIUM,
	RESAMPLER_HIGH,
	RESAMPLER_VERY_HIGH,
};

/* The dtype is int16 or float32, for input and output. */
struct resampler_form {
	enum dtype dtype;
	unsigned channels;
	unsigned from, to; /* Hz, at least 1, different */
};

/* Use one per worker for all its recordings. */
struct sound_resampler *sound_resampler_new(
    enum resampler_quality quality, struct error *err);
void sound_resampler_free(struct sound_resampler *resampler); /* NULL is fine */

/* Returns the number of output frames; -1 if it is too large. */
int64_t sound_resampler_frames(uint64_t frames, unsigned from, unsigned to);

/*
 * Resamples `frames` interleaved frames of `in` into `out`, which has room for
 * sound_resampler_frames() of them.
 */
int sound_resampler_run(struct sound_resampler *resampler,
    const struct resampler_form *form, const void *in, size_t frames, void *out,
    struct error *err);

/* The version of the library, as a session records it. */
void resampler_library_version(char text[LIBRARY_VERSION]);

#endif
