/*
 * rate.h - how many samples a second a recording has: a field of its own, so
 * that it goes with the recording through every store.
 *
 * The field is named "rate": int32, a scalar, in Hz.  audio_decode adds it,
 * resample changes it, spectrogram reads it, mel drops it.
 */
#ifndef LIB_AUDIO_RATE_H
#define LIB_AUDIO_RATE_H

#include <stdint.h>

#include "lib/sample/sample.h"

struct error;

#define AUDIO_RATE "rate"

enum { AUDIO_RATE_MAX = 10000000 }; /* Hz */

/* Index of the field "rate" if it is an int32 scalar; else -1. */
int audio_rate_field(const struct schema *schema);
/*
 * Makes sure that there is one: *field is its index.  ERROR_USAGE where
 * another field has the name, or there are too many.
 */
int audio_rate_add(struct schema *schema, unsigned *field, struct error *err);

/* ERROR_DATA unless it is 1 to AUDIO_RATE_MAX.  `rate` may be unaligned. */
int audio_rate_get(
    const struct tensor *rate, unsigned *hertz, struct error *err);
int audio_rate_set(struct tensor *rate, unsigned hertz, struct error *err);

#endif
