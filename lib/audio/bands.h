/*
 * bands.h - lets the spectrogram step run fused with a following mel step: it
 * computes the bands itself.
 */
#ifndef LIB_AUDIO_BANDS_H
#define LIB_AUDIO_BANDS_H

#include "lib/sample/sample.h"

struct bands; /* the state of a bound mel step */
struct error;
struct mel;

/* Returns the index of the field with the spectra. */
unsigned bands_field(const struct bands *bands);

/* Returns the filters for spectra of so many bins, at this sample's rate. */
struct mel *bands_filters(struct bands *bands, const struct sample *in,
    size_t bins, struct error *err);

/*
 * Makes the fields of `out`: bands of so many frames, and all fields of `in`
 * except the rate.  Returns the memory for the bands, which the caller fills.
 */
float *bands_output(struct bands *bands, const struct sample *in, size_t frames,
    struct sample *out, struct error *err);

#endif
