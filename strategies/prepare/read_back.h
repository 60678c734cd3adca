/* read_back.h - reads stored samples back, as a training would. */
#ifndef STRATEGIES_PREPARE_READ_BACK_H
#define STRATEGIES_PREPARE_READ_BACK_H

#include <stdint.h>

struct error;
struct prepare_plan;
struct reader;

/*
 * Reads all samples of an open store, with their checksums, and counts them.
 * Frees the reader in any case.
 */
int read_back_samples(const struct prepare_plan *plan, struct reader *reader,
    uint64_t *samples, struct error *err);

#endif
