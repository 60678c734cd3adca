/* adopt.c - see adopt.h. */
#include "cmd/materialize/adopt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/materialize/work.h"
#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/media/medium.h"
#include "lib/process/part.h"
#include "lib/stores/store.h"

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

static void take_job(struct adopted *adopted, struct materialize_args *args)
{
	const struct job *job = &adopted->job;

	adopted->has_job = true;
	snprintf(
	    adopted->strategy, sizeof(adopted->strategy), "%s", job->strategy);
	if (job->order.shuffled)
		snprintf(adopted->shuffle, sizeof(adopted->shuffle), "%" PRIu64,
		    job->order.seed);
	else
		snprintf(adopted->shuffle, sizeof(adopted->shuffle), "no");
	snprintf(adopted->seed, sizeof(adopted->seed), "%" PRIu64, job->seed);
	complete(adopted, args);
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

/* --finish, where no part has begun. */
static int take_complete(struct adopted *adopted, struct medium *medium,
    struct materialize_args *args, struct error *err)
{
	const int written = store_is_written(medium, args->out, err);

	if (written < 0)
		return -1;
	if (written)
		return take_folder(adopted, medium, args, err);
	return error_set(err, ERROR_DATA,
	    "%s: no part has begun here; presto materialize with --part I/N "
	    "begins one",
	    args->out);
}

int adopt_folder(
    struct adopted *adopted, struct materialize_args *args, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	int rc = medium ? job_read(&adopted->job, medium, args->out, err) : -1;

	if (rc > 0)
		take_job(adopted, args);
	else if (rc == 0 && args->finish)
		rc = take_complete(adopted, medium, args, err);
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
