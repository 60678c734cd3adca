/*
 * join.h - joins the parts of a dataset: checks their shards, and writes the
 * description and the manifest, which makes the folder complete.
 *
 * One process joins: the lock of the folder, presto.partial, is its claim. The
 * lock goes with a process that dies, and another one joins. At S3, which has
 * no locks, the file itself is the claim, and stays when its process dies. A
 * part that is run again takes it over, and so does --finish. Should the other
 * process still live, both write the same bytes.
 */
#ifndef STRATEGIES_PARTS_JOIN_H
#define STRATEGIES_PARTS_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/files/temporary_sweep.h"

struct error;
struct job;
struct prepare_plan;

enum join_state {
	JOIN_WAITS,    /* parts are missing */
	JOIN_ANOTHER,  /* another process joins them */
	JOIN_DONE,     /* joined by this call */
	JOIN_COMPLETE, /* the folder was complete before */
};

/* A job of more parts is not counted whenever one of them ends. */
enum { JOIN_COUNTED = 64 };

struct joined {
	enum join_state state;
	/*
	 * 0 parts: the job has gone. Where JOIN_WAITS, `complete` are those in
	 * front of the first that is missing if there are above JOIN_COUNTED.
	 */
	unsigned parts, complete;
	/* The first part that is missing, or whose shard is; `parts`: none. */
	unsigned missing;
	uint64_t samples, skipped, filtered; /* sums over the parts */
	uint64_t storage_bytes;              /* files of the complete folder */
	struct swept swept;
};

struct join_plan {
	const struct prepare_plan *plan; /* with its fingerprint */
	const struct job *job;
	bool is_asked; /* the user asked: parts that are missing are an error */
	bool is_whole; /* read all samples back */
	bool takes_over; /* the claim that is there may be that of a dead one */
};

int join_run(
    const struct join_plan *plan, struct joined *joined, struct error *err);

/* Marks the shards of a part: `which` has room for all shards; owned. */
bool *join_shards_of(const struct job *job, unsigned part, struct error *err);

#endif
