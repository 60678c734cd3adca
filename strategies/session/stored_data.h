/*
 * stored_data.h - the data that a strategy has stored in the work folder: room
 * for it, its preparation, and what it takes over from other strategies.
 */
#ifndef STRATEGIES_SESSION_STORED_DATA_H
#define STRATEGIES_SESSION_STORED_DATA_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct frame_sums;
struct measured_strategy;
struct reader;
struct shard_cost;

struct stored_data {              /* all 0: none */
	char *dir;                /* owned */
	struct reader *reader;    /* owned */
	struct shard_cost *costs; /* [shards] of its preparation; owned */
	struct frame_sums *sums;  /* [shards] of its frames; owned */
	unsigned shards;          /* set when the strategy begins */
	bool drop_failed;         /* it stays in the page cache */
};

/*
 * Is there room for it on the disk?  To be asked before anything is written;
 * ERROR_LIMIT when there is not.
 */
int stored_data_check_room(
    const struct measured_strategy *measured, struct error *err);
/* Would it, with what the session has stored, take more than half of that? */
bool stored_data_is_crowded(const struct measured_strategy *measured);
/* Prepares the data, from that of `others` if faster; opens its reader. */
int stored_data_make(struct measured_strategy *measured,
    const struct measured_strategy *others, size_t count, struct error *err);
/* Removes it from the disk if `remove` is set. */
int stored_data_release(
    struct stored_data *data, bool remove, struct error *err);

#endif
