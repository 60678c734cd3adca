/*
 * rate.h - the sample rate of a recording: a field of its own, so that every
 * store keeps it with the recording.
 *
 * The field is named "rate": an int32 scalar in Hz.  audio_decode adds it,
 * resample changes it, spectrogram reads it, mel drops it.
 */
#ifndef LIB_AUDIO_RATE_H
#define LIB_AUDIO_RATE_H

#include <stdint.h>

#include "lib/sample/sample.h"

struct error;

#define AUDIO_RATE "rate"

enum { AUDIO_RATE_MAX = 10000000 }; /* Hz */

/* Returns the index of the field "rate" if it is an int32 scalar; else -1. */
int audio_rate_field(const struct schema *schema);
/*
 * Finds or adds the field; *field is its index.  ERROR_USAGE if a field of
 * another type has the name, or there are too many fields.
 */
int audio_rate_add(struct schema *schema, unsigned *field, struct error *err);

/* ERROR_DATA unless it is 1 to AUDIO_RATE_MAX.  `rate` may be unaligned. */
int audio_rate_get(
    const struct tensor *rate, unsigned *hertz, struct error *err);
int audio_rate_set(struct tensor *rate, unsigned hertz, struct error *err);

#endif
