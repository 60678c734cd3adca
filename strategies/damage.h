/*
 * damage.h - which shards of a stored dataset are not what was written.
 */
#ifndef STRATEGIES_DAMAGE_H
#define STRATEGIES_DAMAGE_H

struct error;
struct medium;

/*
 * Reads every shard back.  Those that are damaged are not complete from now on
 * (shard_forget); `found` of them.  -1 when a shard cannot be looked at.
 */
int damage_find(
    struct medium *medium, const char *dir, unsigned *found, struct error *err);

#endif
