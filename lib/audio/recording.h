/*
 * recording.h - what the steps on recordings share: the one field that they
 * work on, and where they have the sample rate from: the field beside it, or
 * an option where there is none.
 */
#ifndef LIB_AUDIO_RECORDING_H
#define LIB_AUDIO_RECORDING_H

#include <stdbool.h>

#include "lib/sample/sample.h"

struct error;

struct recording {
	unsigned field; /* of the samples, or what was made of them */
	int rate_field; /* -1: there is none */
	unsigned hertz; /* then this; 0: not known */
};

/*
 * `fields` is as in struct sample_ops; `hertz` the option, 0 when not given.
 * ERROR_USAGE where several fields are wanted, or the rate is said twice.
 */
int recording_bind(struct recording *recording, const struct schema *schema,
    unsigned fields, unsigned hertz, struct error *err);
bool recording_has_rate(const struct recording *recording);
/* Of this sample, 0: not known; ERROR_DATA when its field is not a rate. */
int recording_rate(const struct recording *recording,
    const struct sample *sample, unsigned *hertz, struct error *err);

#endif
