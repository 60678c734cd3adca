/* adopt.c - see adopt.h. */
#include "cmd/materialize/adopt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd/materialize/work.h"
#include "cmd/program/cmd.h"
#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/media/medium.h"
#include "lib/process/part.h"
#include "lib/stores/store.h"

enum {
	CROWD = 64, /* parts that must not all list the dataset at once */
	PAUSE_MS = 1000,
	PATIENCE_MS = 30000,
};

/* Lets the arguments point to the texts, where the user gave nothing. */
static void complete(struct adopted *adopted, struct materialize_args *args)
{
	if (!args->strategy && !args->plan)
		args->strategy = adopted->strategy;
	if (!args->shuffle && adopted->shuffle[0])
		args->shuffle = adopted->shuffle;
	if (!args->seed && adopted->seed[0])
		args->seed = adopted->seed;
}

/* The same options as the first part, so that the same text is kept. */
static void take_job(struct adopted *adopted, struct materialize_args *args)
{
	const struct job *job = &adopted->job;

	adopted->has_job = true;
	snprintf(
	    adopted->strategy, sizeof(adopted->strategy), "%s", job->strategy);
	snprintf(adopted->shuffle, sizeof(adopted->shuffle), "%s",
	    job->option_shuffle);
	snprintf(adopted->seed, sizeof(adopted->seed), "%s", job->option_seed);
	complete(adopted, args);
}

/* Keeps what the user gave, for the job that is begun. */
static void keep_options(
    struct adopted *adopted, const struct materialize_args *args)
{
	struct job *job = &adopted->job;

	if (args->shuffle)
		snprintf(job->option_shuffle, sizeof(job->option_shuffle), "%s",
		    args->shuffle);
	if (args->seed)
		snprintf(job->option_seed, sizeof(job->option_seed), "%s",
		    args->seed);
}

/* "seed 7, in windows of 64 MiB" is the option 7. */
static void take_order(struct adopted *adopted, const char *shuffle)
{
	uint64_t seed;

	if (sscanf(shuffle, "seed %" SCNu64, &seed) == 1)
		snprintf(adopted->shuffle, sizeof(adopted->shuffle), "%" PRIu64,
		    seed);
	else
		snprintf(adopted->shuffle, sizeof(adopted->shuffle), "no");
}

/* Takes what the manifest and the description of a complete folder say. */
static int take_folder(struct adopted *adopted, struct medium *medium,
    struct materialize_args *args, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	const struct manifest *manifest = &description.manifest;
	int rc = description_read(&description, medium, args->out, err);

	if (rc == 0) {
		snprintf(adopted->strategy, sizeof(adopted->strategy), "%s",
		    manifest->strategy);
		if (manifest->shuffle)
			take_order(adopted, manifest->shuffle);
		if (description.is_whole)
			snprintf(adopted->seed, sizeof(adopted->seed),
			    "%" PRIu64, description.seed);
		if (!args->shards)
			args->shards = manifest->count;
		complete(adopted, args);
	}
	description_release(&description);
	return rc;
}

/* Sleeps for half a second to one and a half, differently for each part. */
static uint64_t pause_ms(const struct part *part, unsigned turn)
{
	const uint32_t spread =
	    (part->index * UINT32_C(2654435761) + turn * UINT32_C(40503)) >> 16;
	const uint64_t ms = PAUSE_MS / 2 + spread % PAUSE_MS;

	const struct timespec time = { (time_t)(ms / 1000),
		(long)(ms % 1000) * 1000000 };

	nanosleep(&time, NULL);
	return ms;
}

/* 1: the job is there; 0: it did not come. */
static int await_job(struct adopted *adopted, struct medium *medium,
    const struct materialize_args *args, const struct part *part,
    struct error *err)
{
	uint64_t waited_ms = 0;
	int rc = 0;

	if (!part->engine || part->count < CROWD || part->index == 0)
		return 0;
	cmd_note("waiting up to %d s for part 0 to list the dataset",
	    PATIENCE_MS / 1000);
	for (unsigned turn = 0; rc == 0 && waited_ms < PATIENCE_MS; turn++) {
		waited_ms += pause_ms(part, turn);
		rc = job_read(&adopted->job, medium, args->out, err);
	}
	return rc;
}

/* Where no part has begun: the folder may be complete. */
static int adopt_other(struct adopted *adopted, struct medium *medium,
    struct materialize_args *args, const struct part *part, struct error *err)
{
	const int written = store_is_written(medium, args->out, err);

	if (written < 0)
		return -1;
	if (written)
		return take_folder(adopted, medium, args, err);
	if (!args->finish)
		return await_job(adopted, medium, args, part, err);
	return error_set(err, ERROR_DATA,
	    "%s: no part has begun here; presto materialize with --part I/N "
	    "begins one",
	    args->out);
}

int adopt_folder(struct adopted *adopted, struct materialize_args *args,
    const struct part *part, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	int rc = medium ? job_read(&adopted->job, medium, args->out, err) : -1;

	if (rc == 0)
		rc = adopt_other(adopted, medium, args, part, err);
	if (rc > 0)
		take_job(adopted, args);
	else if (rc == 0)
		keep_options(adopted, args);
	medium_free(medium);
	return rc < 0 ? -1 : 0;
}

int adopt_skipped(struct adopted *adopted, struct materialize_args *args,
    const struct part *part, struct error *err)
{
	if (!args->skipped)
		return 0;
	if (buf_printf(&adopted->skipped, err, "%s.part-%06u", args->skipped,
	        part->index))
		return -1;
	args->skipped = (const char *)adopted->skipped.data;
	return 0;
}

void adopted_release(struct adopted *adopted)
{
	buf_release(&adopted->skipped);
	job_release(&adopted->job);
}
