/*
 * reuse.h - what a strategy can take over from another one that is stored in as
 * many shards, to save time: see costs.h for what it is charged.
 */
#ifndef STRATEGIES_FORECAST_REUSE_H
#define STRATEGIES_FORECAST_REUSE_H

#include <stdbool.h>

#include "strategies/plan/strategy.h"

struct load;
struct model;

/* Its samples, of the same split or of one in front of some of the steps. */
bool reuse_gives_samples(const struct strategy *of, const struct strategy *to);
/* Its compressed frames. */
bool reuse_gives_frames(const struct pipeline *pipeline,
    const struct strategy *of, const struct strategy *to);

/*
 * Predicted seconds that its samples save one that `of` gives them to: the
 * steps in front of its split; of an earlier split, less reading them again.
 * Less than nothing: they are better made anew.
 */
double reuse_saves_s(const struct model *model, const struct strategy *of,
    const struct strategy *to, const struct load *load);

#endif
