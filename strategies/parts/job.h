/*
 * job.h - the file presto.job in a folder that several processes write: what
 * all parts of the job agree on, and the list of the dataset's files.
 *
 * The part that comes first writes it, before any shard; it is there as a whole
 * or not at all. The others read it and do not list the dataset again. It goes
 * when the folder is complete.
 *
 *   [job]
 *   version = 1
 *   strategy = resized/tar/none
 *   fingerprint = 00112233aabbccdd    of the work (fingerprint.h)
 *   settings = 0011223344556677       hash of the pipeline's text, as it is set
 *   shuffle = 7                       the seed of the order, or no
 *   seed = 1                          of random steps
 *   option_shuffle = 7                what --shuffle said, or -
 *   option_seed = -                   what --seed said, or -
 *   shards = 8
 *   parts = 4
 *   samples = 120                     of the dataset
 *   memory = 81234567                 bytes that a part with one thread needs
 *   thread_memory = 5123456           bytes for each thread more
 *   listing = 2713                    bytes behind the end
 *   [end]
 *   checksum = ...                    XXH3 of all lines above [end]
 *
 * Behind the last line is the list, as in presto.inventory. Part I of N owns
 * the shards from SHARDS * I / N to SHARDS * (I + 1) / N, whole ones.
 */
#ifndef STRATEGIES_PARTS_JOB_H
#define STRATEGIES_PARTS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/units.h"
#include "lib/folder/inventory.h"
#include "strategies/plan/stored_order.h"
#include "strategies/prepare/fingerprint.h"

struct error;
struct medium;
struct prepare_plan;

enum { JOB_STRATEGY = 161, JOB_SHARDS_MAX = 100000000 };

struct job {
	char strategy[JOB_STRATEGY], fingerprint[FINGERPRINT];
	char settings[FINGERPRINT];
	/* The options that the user gave; "": none. */
	char option_shuffle[UNITS_TEXT], option_seed[UNITS_TEXT];
	struct stored_order order;
	uint64_t seed, samples;
	unsigned shards, parts;
	/* Estimated from pilot samples, so that other parts need none. */
	uint64_t memory, thread_memory;
	struct buf listing;         /* as in presto.inventory */
	struct inventory inventory; /* the same, parsed */
};

#define JOB_INIT                                 \
	{                                        \
		.shards = 0, .listing = BUF_INIT \
	}

void job_release(struct job *job);

/* Reads the folder's job: 1; 0: there is none. Release it in any case. */
int job_read(
    struct job *job, struct medium *medium, const char *dir, struct error *err);
/*
 * Begins the job of a plan in `parts` parts, or takes the one that is there. At
 * the beginning `job` is empty but for the options that the user gave and the
 * memory of a part.
 * ERROR_USAGE says how that one differs. The plan has its fingerprint and the
 * inventory of the dataset. A folder with anything else is refused.
 */
int job_begin(struct job *job, const struct prepare_plan *plan, unsigned parts,
    struct error *err);
/* ERROR_USAGE unless the plan and the number of parts are the job's. */
int job_check(const struct job *job, const struct prepare_plan *plan,
    unsigned parts, struct error *err);

/* Sets the first shard of a part, and the one behind its last. */
void job_range(
    const struct job *job, unsigned part, unsigned *first, unsigned *end);
/*
 * Marks the files of a part's samples, and those of no sample, in the list of
 * the job. `plan` has the open dataset. Owned; NULL: out of memory.
 */
bool *job_files_of(const struct job *job, const struct prepare_plan *plan,
    unsigned part, struct error *err);

/* Writes the order as the option --shuffle has it. */
const char *job_order_option(
    const struct stored_order *order, char text[UNITS_TEXT]);
/* Print and parse the file; ERROR_DATA. `path` is for messages. */
int job_print(const struct job *job, struct buf *text, struct error *err);
int job_parse(
    struct job *job, const char *path, struct span bytes, struct error *err);

#endif
