/*
 * sensor.h - turns a photograph into the raw image of a camera's sensor: 16
 * bits in each channel, 14 of them used, proportional to the light, so mostly
 * dark, with shot noise.
 */
#ifndef DATASETS_GENERATORS_SENSOR_H
#define DATASETS_GENERATORS_SENSOR_H

#include "datasets/generators/photo.h"

struct error;
struct random;
struct tensor;

/* Makes `out` HxWx3 with 16 bits; the photo must have 3 channels. */
int sensor_expose(const struct photo *photo, struct random *random,
    struct tensor *out, struct error *err);

#endif
