/*
 * origin.h - the dataset that stored data was made of: the inventory in the
 * folder of a materialize, presto.inventory.
 *
 * It is written before the first shard.  Who goes on compares the files of the
 * dataset with it, and refuses when a sample that is stored already came from
 * another version of its file.
 */
#ifndef STRATEGIES_PREPARE_ORIGIN_H
#define STRATEGIES_PREPARE_ORIGIN_H

#include <stdbool.h>

#include "lib/folder/inventory.h"

struct error;
struct manifest;
struct medium;
struct prepare_plan;
struct results;

#define ORIGIN_NAME "presto.inventory"

enum origin {
	ORIGIN_UNKNOWN, /* there is no inventory, or a damaged one */
	ORIGIN_SAME,    /* of all that stands */
};

/*
 * Compares the dataset of the plan with the inventory of its folder; `stands`,
 * [shards], says which shards are there, NULL: all.  ERROR_DATA names the
 * first file that differs, and a shard that it is in.
 */
int origin_check(const struct prepare_plan *plan, const bool *stands,
    enum origin *origin, struct error *err);
/* Writes the inventory. */
int origin_write(const struct prepare_plan *plan, struct error *err);
/*
 * The same of a complete folder whose inventory is missing or damaged: only if
 * it is just what the manifest says.
 */
int origin_mend(const struct prepare_plan *plan,
    const struct manifest *manifest, struct error *err);
/*
 * Compares files that are there `now` (NULL: not known) with those that the
 * session profiled.  ERROR_DATA names the first that differs.  With `is_all`
 * the files are those of the whole dataset, of which the session profiled a
 * part.
 */
int origin_check_session(struct results *results, int64_t session,
    const struct inventory *now, bool is_all, struct medium *medium,
    struct error *err);
/* Lists the inventory in the manifest, if there is one. */
int origin_list(const struct prepare_plan *plan, struct manifest *manifest,
    struct error *err);

#endif
