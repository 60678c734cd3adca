/*
 * sizes.h - the mean bytes of a representation, estimated from pilot samples.
 *
 * The bytes of the files are known for all samples of many sources.  Where they
 * say something of the bytes of a representation, the mean of the pilot samples
 * is corrected by the regression on them: mean + slope (X - x), with X the mean
 * of all files, and x that of the pilot samples (Cochran, Sampling Techniques,
 * chapter 7).
 */
#ifndef STRATEGIES_FORECAST_MODELS_SIZES_H
#define STRATEGIES_FORECAST_MODELS_SIZES_H

#include <stdint.h>

#include "lib/pipeline/pipeline.h"

enum { SIZES_MOST = 96 }; /* pilot samples */

struct sizes {
	double source[SIZES_MOST]; /* bytes of the files of a sample */
	double bytes[PIPELINE_STEPS + 1][SIZES_MOST];
	unsigned count;
	double mean_source; /* mean of all samples; 0: not known */
};

struct size_mean {
	double mean;
	double error; /* standard error over the mean */
};

/* Adds a pilot sample with its bytes in each representation. */
void sizes_add(
    struct sizes *sizes, double source, const double bytes[PIPELINE_STEPS + 1]);
/* `samples`: how many the dataset has. */
struct size_mean sizes_mean(
    const struct sizes *sizes, unsigned rep, uint64_t samples);

#endif
