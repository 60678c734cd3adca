/*
 * rehearsal_pool.h - rehearsals of one representation pooled, against noise.
 *
 * Where the online steps take nearly all of the time, all stores and codecs of
 * a representation take the same, but for decompressing.  On a machine whose
 * speed changes by half from one tenth of a second to the next, a rehearsal of
 * one of them says less than all of them together.
 */
#ifndef STRATEGIES_FORECAST_REHEARSAL_POOL_H
#define STRATEGIES_FORECAST_REHEARSAL_POOL_H

struct model;

/*
 * Moves the time of each rehearsed strategy half of the way to what the median
 * of its representation says, with as many threads.  Those whose codec takes
 * more than a small part of the time, or whose steps take less than half of it,
 * stay as they are, and so do representations with less than three others.
 */
void rehearsal_pool(struct model *model);

#endif
