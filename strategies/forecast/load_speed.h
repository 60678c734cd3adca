/* load_speed.h - how fast the storage is that an epoch reads from. */
#ifndef STRATEGIES_FORECAST_LOAD_SPEED_H
#define STRATEGIES_FORECAST_LOAD_SPEED_H

#include <stdbool.h>

#include "strategies/forecast/models/epoch_time.h"

struct load;
struct model;
struct rehearsed_cold;
struct strategy;

/*
 * Does the strategy read a server that was not probed?  Rehearsals have read it
 * from there (rehearsal.h), so their times are all that is known of its speed.
 */
bool load_speed_is_far(
    const struct model *model, const struct strategy *strategy);

/*
 * Finds the speed of the storage for this work, as far as it is known: the one
 * that was asked about, an emulated one, or what was measured.  False: memory,
 * or it is in the rehearsals (load_speed_is_far).
 */
bool load_speed_find(const struct model *model, const struct strategy *strategy,
    const struct load *load, const struct epoch_work *work,
    struct storage_speed *speed);

/*
 * Returns what was rehearsed with so many threads, or the nearest number, on
 * the storage of the work folder; NULL: nothing.
 */
const struct rehearsed_cold *load_speed_rehearsed(
    const struct model *model, unsigned threads);

/*
 * Returns the seconds that workers take for an epoch, `warm_s` with its data in
 * memory, when it is read from a storage.  That takes CPU time as well, which
 * cores without a worker have for it.
 */
double load_speed_with_reading_s(const struct model *model,
    const struct load *load, const struct epoch_work *work, double warm_s);

#endif
