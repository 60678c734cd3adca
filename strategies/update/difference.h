/*
 * difference.h - how a dataset differs from the one that a folder was made of:
 * which samples are new, changed or gone.
 *
 * Samples are told apart by the names of their files, and versions of a file as
 * in inventory_compare.h.  Where a file has several samples (files_each is 0),
 * only added files can be told: nobody knows which samples of a file that has
 * changed are others.
 */
#ifndef STRATEGIES_UPDATE_DIFFERENCE_H
#define STRATEGIES_UPDATE_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct additions;
struct error;
struct inventory;
struct left_samples;
struct manifest;
struct medium;
struct stored_order;

/* A stored sample that the next version leaves out. */
struct gone_sample {
	uint64_t shard, place;
};

struct difference {
	/*
	 * Samples of the source that are to be stored, or its files where
	 * files_each is 0; ascending.
	 */
	uint64_t *chosen; /* owned */
	size_t chosen_count, chosen_capacity;
	struct gone_sample *gone; /* owned; in any order */
	size_t gone_count, gone_capacity;
	uint64_t added, changed, removed; /* samples, or files */
	uint64_t own; /* files of the source; steps read the others */
};

#define DIFFERENCE_INIT        \
	{                      \
		.chosen = NULL \
	}

struct difference_plan {
	const char *dir; /* for messages */
	const struct manifest *manifest;
	const struct additions *additions;
	const struct inventory *now;
	uint64_t samples;    /* the source has them now */
	unsigned files_each; /* as the reader of the source has it */
	uint64_t own;        /* files of the source; steps read the others */
	const struct stored_order *order;
	/* False: samples were shuffled in windows, or a step makes several. */
	bool are_places_known;
	struct medium *medium; /* to hash changed files */
};

/*
 * ERROR_USAGE if something changed that an update cannot follow; the message
 * names the file.
 */
int difference_find(struct difference *difference,
    const struct difference_plan *plan, struct error *err);
void difference_release(struct difference *difference);

#endif
