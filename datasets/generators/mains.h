/*
 * mains.h - voltage and current of a household, made up: 50 Hz with
 * harmonics, appliances that switch on and off, and the noise of a converter.
 */
#ifndef DATASETS_GENERATORS_MAINS_H
#define DATASETS_GENERATORS_MAINS_H

#include <stddef.h>
#include <stdint.h>

struct random;

enum { MAINS_RATE = 6400 };

/* What counts are times: volts and amperes. */
extern const double mains_volts, mains_amperes;
/* What counts are too large by. */
extern const double mains_volts_offset, mains_amperes_offset;

/* Fills both, of `length` counts. */
void mains_fill(
    struct random *random, int16_t *voltage, int16_t *current, size_t length);

#endif
