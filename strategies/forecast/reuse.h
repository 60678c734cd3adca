/*
 * reuse.h - work that a strategy can take over from another one with the same
 * number of shards, to save time. See costs.h for the time it is charged.
 */
#ifndef STRATEGIES_FORECAST_REUSE_H
#define STRATEGIES_FORECAST_REUSE_H

#include <stdbool.h>

#include "strategies/plan/strategy.h"

struct load;
struct model;
struct prediction;

/*
 * Can `to` start from the samples of `of`, split no later than itself?  In its
 * order, the same steps come first.  `given`: see strategy.h.
 */
bool reuse_gives_samples(const struct pipeline *given,
    const struct strategy *of, const struct strategy *to);
/* Can `to` copy the compressed frames of `of`? */
bool reuse_gives_frames(const struct pipeline *given, const struct strategy *of,
    const struct strategy *to);

/*
 * Predicts the seconds that starting from the samples of `of` saves: the steps
 * in front of its split, less the time to read them if its split is earlier.
 * Negative: making the samples anew is faster.
 */
double reuse_saves_s(const struct model *model, const struct strategy *of,
    const struct strategy *to, const struct load *load);
/* The same by the forecast of `of`, which is known already. */
double reuse_saves_of_s(const struct model *model, const struct strategy *of,
    const struct prediction *forecast, const struct strategy *to,
    const struct load *load);

#endif
