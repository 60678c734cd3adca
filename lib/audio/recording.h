/*
 * recording.h - shared by steps on recordings: the field to work on, and the
 * source of the sample rate: another field, or an option.
 */
#ifndef LIB_AUDIO_RECORDING_H
#define LIB_AUDIO_RECORDING_H

#include <stdbool.h>

#include "lib/sample/sample.h"

struct error;

struct recording {
	unsigned field; /* index of the field to work on */
	int rate_field; /* index; -1: none */
	unsigned hertz; /* used without a rate field; 0: unknown */
};

/*
 * `fields` is as in struct sample_ops.  `hertz` is the option, 0 if not given.
 * ERROR_USAGE if there are several fields, or both an option and a rate field.
 */
int recording_bind(struct recording *recording, const struct schema *schema,
    unsigned fields, unsigned hertz, struct error *err);
bool recording_has_rate(const struct recording *recording);
/* Gets this sample's rate, 0: unknown; ERROR_DATA if its field is invalid. */
int recording_rate(const struct recording *recording,
    const struct sample *sample, unsigned *hertz, struct error *err);

#endif
