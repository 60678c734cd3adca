/*
 * damage.h - which shards of a stored dataset are not what was written.
 */
#ifndef STRATEGIES_PREPARE_DAMAGE_H
#define STRATEGIES_PREPARE_DAMAGE_H

#include <stdbool.h>

struct error;
struct medium;

/*
 * Reads every shard back, and parses it.  `stands` of those that are damaged
 * becomes false; `found` of them.  -1 when a shard cannot be looked at.
 */
int damage_find(struct medium *medium, const char *dir, bool *stands,
    unsigned *found, struct error *err);

#endif
