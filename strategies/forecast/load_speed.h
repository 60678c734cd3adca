/* load_speed.h - how fast the storage is that an epoch reads from. */
#ifndef STRATEGIES_FORECAST_LOAD_SPEED_H
#define STRATEGIES_FORECAST_LOAD_SPEED_H

#include <stdbool.h>

#include "strategies/forecast/models/epoch_time.h"

struct load;
struct model;
struct strategy;

/*
 * Finds the speed of the storage for this work, as far as it is known: the one
 * that was asked about, an emulated one, or what was measured.  False: memory.
 */
bool load_speed_find(const struct model *model, const struct strategy *strategy,
    const struct load *load, const struct epoch_work *work,
    struct storage_speed *speed);

#endif
