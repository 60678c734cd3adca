/*
 * rehearsal_cold.h - how fast the loader reads data that is not in memory,
 * measured on the storage of the work folder: pilot samples are stored there
 * in a file without a name, which is dropped from the page cache before each
 * epoch.  A probe reads into one buffer and does nothing else; the loader's
 * threads share the cores and the memory with its reading.  Shards of few bytes
 * are read as well: they tell what it takes to begin one.
 */
#ifndef STRATEGIES_FORECAST_REHEARSAL_COLD_H
#define STRATEGIES_FORECAST_REHEARSAL_COLD_H

struct error;
struct rehearsal;

/*
 * Fills in the model's cold rates, one for each number of threads of the plan,
 * if a cache mode of the plan is `none`, no storage is emulated, and the plan
 * allows to measure the storage.  Data without a codec must have been rehearsed
 * in memory: that with the least work for each byte is taken.  What cannot be
 * measured is left out.  -1: interrupted.
 */
int rehearsal_cold(struct rehearsal *rehearsal, struct error *err);

#endif
