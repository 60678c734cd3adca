/*
 * origin.h - the dataset that stored data came from: presto.inventory, a list
 * of its files, in a materialised folder.
 *
 * It is written before the first shard.  Work that resumes compares the dataset
 * with it, and refuses to go on if a sample's file has changed.
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
	ORIGIN_UNKNOWN, /* no inventory, or a damaged one */
	ORIGIN_SAME,    /* no file of a standing shard has changed */
};

/*
 * Compares the dataset of the plan with the inventory of its folder. `stands`,
 * [shards], marks the shards that are there; NULL: all. ERROR_DATA names the
 * first file that differs, and a shard that holds it.
 */
int origin_check(const struct prepare_plan *plan, const bool *stands,
    enum origin *origin, struct error *err);
/* The same with an inventory that is given, in place of the folder's. */
int origin_compare(const struct prepare_plan *plan,
    const struct inventory *then, const bool *stands, struct error *err);
/* Appends the file as origin_write writes it. */
int origin_print(
    const struct prepare_plan *plan, struct buf *bytes, struct error *err);
/* Writes the inventory. */
int origin_write(const struct prepare_plan *plan, struct error *err);
/*
 * Writes the inventory of a complete folder again if it is missing or damaged;
 * ERROR_DATA unless it comes out as the manifest says.
 */
int origin_mend(const struct prepare_plan *plan,
    const struct manifest *manifest, struct error *err);
/*
 * Compares the files that are there `now` (NULL: not known) with those that the
 * session profiled. ERROR_DATA names the first that differs. `is_all`: `now`
 * lists the whole dataset, and the session may have profiled a part.
 */
int origin_check_session(struct results *results, int64_t session,
    const struct inventory *now, bool is_all, struct medium *medium,
    struct error *err);
/* Lists the inventory in the manifest, if there is one. */
int origin_list(const struct prepare_plan *plan, struct manifest *manifest,
    struct error *err);

#endif
