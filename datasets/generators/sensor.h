/*
 * sensor.h - a photograph as the sensor of a camera saw it: 16 bits a channel
 * of which 14 are used, in proportion to the light, and so mostly dark; with
 * the noise that light has.
 */
#ifndef DATASETS_GENERATORS_SENSOR_H
#define DATASETS_GENERATORS_SENSOR_H

#include "datasets/generators/photo.h"

struct error;
struct random;
struct tensor;

/* Makes `out` HxWx3 of 16 bits; the photo has 3 channels. */
int sensor_expose(const struct photo *photo, struct random *random,
    struct tensor *out, struct error *err);

#endif
