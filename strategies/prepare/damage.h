/* damage.h - finds damaged shards in a stored dataset by reading it back. */
#ifndef STRATEGIES_PREPARE_DAMAGE_H
#define STRATEGIES_PREPARE_DAMAGE_H

#include <stdbool.h>

struct error;
struct medium;

/*
 * Reads and parses every shard. Clears `stands` of damaged ones, and counts
 * them in `found`. -1 if a shard cannot be examined.
 */
int damage_find(struct medium *medium, const char *dir, bool *stands,
    unsigned *found, struct error *err);

#endif
