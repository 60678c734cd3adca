/*
 * reuse.h - what a strategy can take over from another one that is stored in as
 * many shards, to save time: see costs.h for what it is charged.
 */
#ifndef STRATEGIES_REUSE_H
#define STRATEGIES_REUSE_H

#include <stdbool.h>

#include "strategies/strategy.h"

/* Its samples, as they are behind the last step in front of the split. */
bool reuse_gives_samples(const struct strategy *of, const struct strategy *to);
/* Its compressed frames. */
bool reuse_gives_frames(const struct pipeline *pipeline,
    const struct strategy *of, const struct strategy *to);

#endif
