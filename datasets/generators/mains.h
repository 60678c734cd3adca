/*
 * mains.h - makes up voltage and current of a household: 50 Hz with harmonics,
 * appliances that switch on and off, and noise of a converter.
 */
#ifndef DATASETS_GENERATORS_MAINS_H
#define DATASETS_GENERATORS_MAINS_H

#include <stddef.h>
#include <stdint.h>

struct random;

enum { MAINS_RATE = 6400 };

/* Volts and amperes of one count. */
extern const double mains_volts, mains_amperes;
/* Counts at 0 V and 0 A. */
extern const double mains_volts_offset, mains_amperes_offset;

/* Fills both channels with `length` counts. */
void mains_fill(
    struct random *random, int16_t *voltage, int16_t *current, size_t length);

#endif
