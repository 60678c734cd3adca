/*
 * shard_maker.h - makes one shard of a preparation: from its streams, from
 * shuffled samples, or from the frames of another strategy.
 */
#ifndef STRATEGIES_PREPARE_SHARD_MAKER_H
#define STRATEGIES_PREPARE_SHARD_MAKER_H

struct preparer;

/* Makes a shard, unless it stands; -1 with worker->err. */
int shard_make(struct preparer *worker, unsigned shard);

#endif
