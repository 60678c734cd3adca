/* job.c - see job.h. */
#include "strategies/parts/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/folder/made.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/reader.h"
#include "lib/syntax/ini.h"
#include "strategies/parts/place.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/prepare.h"

/* ---- files of a part ---- */

struct own_files {
	bool *marks;
	uint64_t count; /* files of samples */
	unsigned each, first, end;
};

static void mark(void *arg, unsigned shard, uint64_t sample)
{
	const struct own_files *own = arg;

	if (shard < own->first || shard >= own->end)
		return;
	for (unsigned f = 0; f < own->each; f++)
		if (sample * own->each + f < own->count)
			own->marks[sample * own->each + f] = true;
}

bool *job_files_of(const struct job *job, const struct prepare_plan *plan,
    unsigned part, struct error *err)
{
	const uint64_t all = job->inventory.count;
	struct own_files own = {
		.marks = calloc(all + 1, sizeof(bool)),
		.each = plan->source->files_each,
		.count = plan->source->samples * plan->source->files_each,
	};

	if (!own.marks) {
		error_memory(err, all);
		return NULL;
	}
	if (own.count > all)
		own.count = 0; /* another dataset: all files are looked at */
	for (uint64_t i = own.count; i < all; i++)
		own.marks[i] = true;
	job_range(job, part, &own.first, &own.end);
	if (own.count && prepare_each_sample(plan, mark, &own, err)) {
		free(own.marks);
		return NULL;
	}
	return own.marks;
}

int job_read(
    struct job *job, struct medium *medium, const char *dir, struct error *err)
{
	struct buf bytes = BUF_INIT;
	char *path = path_join(dir, MADE_JOB, err);
	int rc = path ? place_read(medium, dir, MADE_JOB, &bytes, err) : -1;

	*job = (struct job)JOB_INIT;
	if (rc > 0 && job_parse(job, path, buf_span(&bytes), err))
		rc = error_advise(err,
		    "remove this file and run all parts again, or choose "
		    "another folder");
	buf_release(&bytes);
	free(path);
	return rc;
}

/* ---- agreement ---- */

/* Names the thing in which this process differs from the job. */
static int refuse(const struct prepare_plan *plan, const char *what,
    const char *there, const char *here, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "%s: the parts of this folder were begun with %s %s, and this one "
	    "has %s; give all parts the same, or choose another folder",
	    plan->folder.dir, what, there, here);
}

static int check_number(const struct prepare_plan *plan, const char *what,
    uint64_t there, uint64_t here, struct error *err)
{
	char a[UNITS_TEXT], b[UNITS_TEXT];

	if (there == here)
		return 0;
	snprintf(a, sizeof(a), "%" PRIu64, there);
	snprintf(b, sizeof(b), "%" PRIu64, here);
	return refuse(plan, what, a, b, err);
}

/*
 * Hashes the text that dataset.json will have, wherever the dataset lies: parts
 * with other settings would describe the folder in another way.
 */
static void hash_settings(
    const struct prepare_plan *plan, char text[FINGERPRINT])
{
	static const char *const no_matter[] = { "fingerprint", "path", NULL };
	const struct ini *ini = plan->pipeline->ini;
	uint64_t hash = 0;

	for (size_t i = 0; i < ini->count; i++) {
		const struct ini_section *section = &ini->sections[i];

		hash = hash_bytes(section->name, strlen(section->name), hash);
		hash = ini_hash(section,
		    strcmp(section->name, "dataset") == 0 ? no_matter : NULL,
		    hash);
	}
	snprintf(text, FINGERPRINT, "%016" PRIx64, hash);
}

static int check_settings(
    const struct job *job, const struct prepare_plan *plan, struct error *err)
{
	char settings[FINGERPRINT];

	hash_settings(plan, settings);
	if (strcmp(settings, job->settings) == 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: the parts of this folder were begun with other settings (the "
	    "pipeline file, --set, --seed, --shuffle); give all parts the "
	    "same, or choose another folder",
	    plan->folder.dir);
}

int job_check(const struct job *job, const struct prepare_plan *plan,
    unsigned parts, struct error *err)
{
	char there[UNITS_TEXT], here[UNITS_TEXT];

	if (strcmp(job->strategy, plan->strategy->label) != 0)
		return refuse(plan, "the strategy", job->strategy,
		    plan->strategy->label, err);
	if (strcmp(job_order_option(&job->order, there),
	        job_order_option(&plan->order, here)) != 0)
		return refuse(plan, "--shuffle", there, here, err);
	if (check_number(plan, "the number of parts", job->parts, parts, err) ||
	    check_number(plan, "--seed", job->seed, plan->seed, err) ||
	    check_number(
	        plan, "the number of shards", job->shards, plan->shards, err) ||
	    check_number(plan, "a dataset whose number of samples is",
	        job->samples, plan->source->samples, err))
		return -1;
	if (strcmp(job->fingerprint, plan->folder.fingerprint) == 0)
		return check_settings(job, plan, err);
	return error_set(err, ERROR_USAGE,
	    "%s: the parts of this folder were begun with another pipeline, "
	    "dataset, selection or labels; give all parts the same, or choose "
	    "another folder",
	    plan->folder.dir);
}

/* ---- beginning ---- */

static int fill(struct job *job, const struct prepare_plan *plan,
    unsigned parts, struct error *err)
{
	hash_settings(plan, job->settings);
	job->order = plan->order;
	if (!job->order.shuffled)
		job->order.seed = 0;
	job->seed = plan->seed;
	job->samples = plan->source->samples;
	job->shards = plan->shards;
	job->parts = parts;
	snprintf(
	    job->strategy, sizeof(job->strategy), "%s", plan->strategy->label);
	snprintf(job->fingerprint, sizeof(job->fingerprint), "%s",
	    plan->folder.fingerprint);
	return plan->folder.inventory ? origin_print(plan, &job->listing, err)
	                              : 0;
}

/*
 * 1: the job is there now; 0: the folder is empty, except for what others are
 * about to publish.
 */
static int look_again(
    struct job *job, const struct prepare_plan *plan, struct error *err)
{
	const char *dir = plan->folder.dir;
	char name[MEDIUM_NAME];
	int rc;

	if (medium_find_any(plan->medium, dir, NULL, name, err))
		return -1;
	if (!name[0])
		return 0;
	/* Another part may have begun the job since it was looked for. */
	rc = job_read(job, plan->medium, dir, err);
	if (rc)
		return rc;
	if (strcmp(name, MADE_PARTIAL) == 0)
		return error_set(err, ERROR_USAGE,
		    "%s was begun by one presto materialize, without --part: "
		    "run that again, or choose another folder",
		    dir);
	return error_set(err, ERROR_USAGE,
	    "%s holds something else ('%s'): choose another folder", dir, name);
}

/* 1: it is there; 0: another part was first. */
static int publish(
    struct job *job, const struct prepare_plan *plan, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = job_print(job, &text, err);

	if (rc == 0)
		rc = place_write_new(plan->medium, plan->folder.dir, MADE_JOB,
		    buf_span(&text), err);
	buf_release(&text);
	return rc;
}

int job_begin(struct job *job, const struct prepare_plan *plan, unsigned parts,
    struct error *err)
{
	const char *dir = plan->folder.dir;
	struct job own = *job;
	int rc;

	if (medium_make_dirs(plan->medium, dir, err))
		return -1;
	rc = job_read(job, plan->medium, dir, err);
	if (rc == 0)
		rc = look_again(job, plan, err);
	if (rc == 0) {
		*job = own;
		if (fill(job, plan, parts, err) || publish(job, plan, err) < 0)
			return -1;
		/* The one that is there counts, whoever wrote it. */
		job_release(job);
		rc = job_read(job, plan->medium, dir, err);
	}
	if (rc == 0)
		return error_set(err, ERROR_SYSTEM,
		    "%s/" MADE_JOB " has gone: another process removes files "
		    "of this folder",
		    dir);
	return rc < 0 ? -1 : job_check(job, plan, parts, err);
}
