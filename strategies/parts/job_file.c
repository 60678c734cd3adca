/* job_file.c - see job.h: the file, and which shards it gives to a part. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/process/part.h"
#include "lib/syntax/ini.h"
#include "strategies/parts/job.h"
#include "strategies/parts/sealed.h"

static const char section[] = "job";

void job_release(struct job *job)
{
	buf_release(&job->listing);
	inventory_release(&job->inventory);
	*job = (struct job)JOB_INIT;
}

void job_range(
    const struct job *job, unsigned part, unsigned *first, unsigned *end)
{
	const uint64_t shards = job->shards;

	*first = (unsigned)(shards * part / job->parts);
	*end = (unsigned)(shards * (part + 1) / job->parts);
}

const char *job_order_option(
    const struct stored_order *order, char text[UNITS_TEXT])
{
	if (order->shuffled)
		snprintf(text, UNITS_TEXT, "%" PRIu64, order->seed);
	else
		snprintf(text, UNITS_TEXT, "no");
	return text;
}

static const char *given(const char *option)
{
	return option[0] ? option : "-";
}

int job_print(const struct job *job, struct buf *text, struct error *err)
{
	char order[UNITS_TEXT];

	if (buf_printf(text, err,
	        "; Written by presto materialize --part: what all parts agree "
	        "on.\n[%s]\nversion = 1\nstrategy = %s\nfingerprint = %s\n"
	        "settings = %s\nshuffle = %s\nseed = %" PRIu64 "\n",
	        section, job->strategy, job->fingerprint, job->settings,
	        job_order_option(&job->order, order), job->seed) ||
	    buf_printf(text, err,
	        "option_shuffle = %s\noption_seed = %s\nshards = %u\n"
	        "parts = %u\nsamples = %" PRIu64 "\nmemory = %" PRIu64
	        "\nthread_memory = %" PRIu64 "\nlisting = %zu\n",
	        given(job->option_shuffle), given(job->option_seed),
	        job->shards, job->parts, job->samples, job->memory,
	        job->thread_memory, job->listing.len) ||
	    sealed_end(text, err))
		return -1;
	return buf_append(text, job->listing.data, job->listing.len, err);
}

/* Takes an option; "-" is none. */
static int take_option(const struct ini *ini, const char *key,
    char option[UNITS_TEXT], struct error *err)
{
	if (sealed_text(ini, section, key, option, UNITS_TEXT, err))
		return -1;
	if (strcmp(option, "-") == 0)
		option[0] = '\0';
	return 0;
}

static int take_order(
    const struct ini *ini, struct stored_order *order, struct error *err)
{
	char text[UNITS_TEXT];

	if (sealed_text(ini, section, "shuffle", text, sizeof(text), err))
		return -1;
	if (stored_order_parse(order, text, 0, err) == 0)
		return 0;
	err->code = ERROR_DATA;
	return error_prefix(err, "%s", ini->path);
}

static int take_numbers(const struct ini *ini, struct job *job,
    uint64_t *listing, struct error *err)
{
	uint64_t shards = 0, parts = 0;

	if (sealed_number(ini, section, "seed", UINT64_MAX, &job->seed, err) ||
	    sealed_number(
	        ini, section, "samples", UINT64_MAX, &job->samples, err) ||
	    sealed_number(
	        ini, section, "memory", UINT64_MAX, &job->memory, err) ||
	    sealed_number(ini, section, "thread_memory", UINT64_MAX,
	        &job->thread_memory, err) ||
	    sealed_number(
	        ini, section, "shards", JOB_SHARDS_MAX, &shards, err) ||
	    sealed_number(ini, section, "parts", PART_COUNT_MAX, &parts, err) ||
	    sealed_number(ini, section, "listing", UINT64_MAX, listing, err))
		return -1;
	if (shards == 0 || parts == 0)
		return error_set(err, ERROR_DATA,
		    "%s: has no shards, or no parts", ini->path);
	job->shards = (unsigned)shards;
	job->parts = (unsigned)parts;
	return 0;
}

static int take_listing(const char *path, struct job *job, uint64_t wanted,
    struct span bytes, struct error *err)
{
	if (bytes.len != wanted)
		return error_set(err, ERROR_DATA,
		    "%s: its list of files has %zu bytes of %" PRIu64, path,
		    bytes.len, wanted);
	if (wanted == 0)
		return 0;
	if (buf_append(&job->listing, bytes.data, bytes.len, err))
		return -1;
	if (inventory_parse(&job->inventory, bytes, err) == 0)
		return 0;
	return error_prefix(err, "%s", path);
}

int job_parse(
    struct job *job, const char *path, struct span bytes, struct error *err)
{
	struct ini ini = INI_INIT;
	struct span rest = { NULL, 0 };
	uint64_t listing = 0;
	int rc = sealed_parse(&ini, path, section, bytes, &rest, err);

	*job = (struct job)JOB_INIT;
	if (rc == 0 &&
	    (sealed_text(&ini, section, "strategy", job->strategy,
	         sizeof(job->strategy), err) ||
	        sealed_text(&ini, section, "fingerprint", job->fingerprint,
	            sizeof(job->fingerprint), err) ||
	        sealed_text(&ini, section, "settings", job->settings,
	            sizeof(job->settings), err) ||
	        take_option(&ini, "option_shuffle", job->option_shuffle, err) ||
	        take_option(&ini, "option_seed", job->option_seed, err) ||
	        take_order(&ini, &job->order, err) ||
	        take_numbers(&ini, job, &listing, err) ||
	        take_listing(path, job, listing, rest, err)))
		rc = -1;
	ini_release(&ini);
	return rc;
}
