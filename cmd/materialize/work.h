/*
 * work.h - the work of presto materialize: the arguments, the project that
 * they name, the strategy, and its sizes.
 */
#ifndef CMD_MATERIALIZE_WORK_H
#define CMD_MATERIALIZE_WORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/folder/inventory.h"
#include "lib/syntax/option.h"
#include "strategies/forecast/footprint.h"
#include "strategies/plan/strategy.h"

struct error;
struct model;
struct orders;
struct project;

struct materialize_args {
	const char *at, *db, *out, *part, *plan, *seed, *shuffle, *skipped;
	const char *strategy;
	uint64_t session, shards, threads;
	struct option_texts sets;
	bool check, dry_run, finish, update;
};

struct materialize_work {
	struct project *project; /* owned */
	struct orders *orders;   /* owned: all orders of the steps */
	struct strategy strategy;
	struct inventory_known known; /* a listing of the dataset; set first */
	unsigned threads;             /* threads of the session; 0: not known */
	struct model *model; /* owned: sizes; with --dry-run also times */
	const atomic_bool *stop;
};

/* Reads a pipeline file, or a plan, or both; opens the dataset. */
int work_read_file(struct materialize_work *work,
    const struct materialize_args *args, const char *path, struct error *err);
/* The same for a session of the database. */
int work_read_session(struct materialize_work *work,
    const struct materialize_args *args, struct error *err);
/* Estimates sizes from pilot samples; with `timed` also times. */
int work_estimate(struct materialize_work *work, bool timed, struct error *err);
/*
 * Lists the files of the dataset, and those that offline steps read. Files of a
 * known list that others look at are taken from there.
 */
int work_take_inventory(struct materialize_work *work, struct error *err);

unsigned work_threads(
    const struct materialize_args *args, const struct materialize_work *work);
/* The estimated size; it depends only on the data, not on the threads. */
double work_bytes(const struct materialize_work *work);
unsigned work_shards(
    const struct materialize_args *args, const struct materialize_work *work);
struct footprint work_footprint(
    const struct materialize_work *work, unsigned threads, const char *dir);
void work_release(struct materialize_work *work);

#endif
