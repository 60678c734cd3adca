/*
 * additions.h - the files and shards that each version of a materialised
 * dataset has added.
 *
 * Version 1 has presto.inventory, version 2 presto-2.inventory, with only the
 * files that are new or changed.  A version that only removed samples has
 * neither files nor shards.
 */
#ifndef STRATEGIES_UPDATE_ADDITIONS_H
#define STRATEGIES_UPDATE_ADDITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/folder/inventory.h"

struct error;
struct manifest;
struct medium;

struct addition {
	/*
	 * Files of the samples, in the order of the source, and behind them
	 * those that steps read besides.
	 */
	struct inventory files;
	size_t first_shard, end_shard;
	uint64_t stored; /* samples in these shards, also those left out */
};

struct additions {
	struct addition *items; /* owned */
	size_t count;
};

#define ADDITIONS_INIT        \
	{                     \
		.items = NULL \
	}

/* ERROR_DATA if a list of files is missing or damaged. */
int additions_read(struct additions *additions, struct medium *medium,
    const char *dir, const struct manifest *manifest, struct error *err);
void additions_release(struct additions *additions);

#endif
