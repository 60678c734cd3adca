/*
 * bands.h - the step mel as the step in front of it sees it, to run with it as
 * one: that makes the bands itself.
 */
#ifndef LIB_AUDIO_BANDS_H
#define LIB_AUDIO_BANDS_H

#include "lib/sample/sample.h"

struct bands; /* what the step keeps, bound */
struct error;
struct mel;

/* The field that has the spectra. */
unsigned bands_field(const struct bands *bands);

/* The filters for spectra of so many bins, at the rate of this sample. */
struct mel *bands_filters(struct bands *bands, const struct sample *in,
    size_t bins, struct error *err);

/*
 * Makes `out` of `in`: bands of so many frames, to be filled at what is
 * returned, and all other fields but the rate.
 */
float *bands_output(struct bands *bands, const struct sample *in, size_t frames,
    struct sample *out, struct error *err);

#endif
