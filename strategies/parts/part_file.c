/* part_file.c - see part_file.h. */
#include "strategies/parts/part_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/process/part.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/words.h"
#include "strategies/parts/job.h"
#include "strategies/parts/place.h"
#include "strategies/parts/sealed.h"

static const char section[] = "part";

void part_file_release(struct part_file *file)
{
	free(file->indexes);
	*file = (struct part_file)PART_FILE_INIT;
}

void part_file_name(unsigned part, char name[PART_FILE_NAME])
{
	snprintf(name, PART_FILE_NAME, "presto.part-%06u", part);
}

void part_file_notes_name(unsigned part, char name[PART_FILE_NAME])
{
	snprintf(name, PART_FILE_NAME, "presto.part-%06u.finished", part);
}

static int take_room(struct part_file *file, struct error *err)
{
	const size_t count = file->end - file->first;

	file->indexes = calloc(count + 1, sizeof(*file->indexes));
	return file->indexes
	           ? 0
	           : error_memory(err, count * sizeof(*file->indexes));
}

int part_file_begin(struct part_file *file, const struct job *job,
    unsigned part, struct error *err)
{
	*file = (struct part_file){ .part = part, .parts = job->parts };
	snprintf(file->job, sizeof(file->job), "%s", job->fingerprint);
	job_range(job, part, &file->first, &file->end);
	return take_room(file, err);
}

int part_file_print(
    const struct part_file *file, struct buf *text, struct error *err)
{
	if (buf_printf(text, err,
	        "; Written by presto when all shards of this part were "
	        "complete.\n[%s]\nversion = 1\njob = %s\npart = %u\nparts = "
	        "%u\nsamples = %" PRIu64 "\nskipped = %" PRIu64 "\nfiltered = "
	        "%" PRIu64 "\n\n[shards]\n",
	        section, file->job, file->part, file->parts, file->samples,
	        file->skipped, file->filtered))
		return -1;
	for (unsigned i = file->first; i < file->end; i++) {
		const struct file_sum *sum = &file->indexes[i - file->first];

		if (buf_printf(text, err, "%06u = %" PRIu64 " %016" PRIx64 "\n",
		        i, sum->bytes, sum->checksum))
			return -1;
	}
	return sealed_end(text, err);
}

/* "000002 = BYTES CHECKSUM" */
static int take_shard(const struct ini *ini, const struct ini_entry *entry,
    unsigned number, struct file_sum *sum, struct error *err)
{
	struct span words = span_text(entry->value);
	char key[24];

	snprintf(key, sizeof(key), "%06u", number);
	if (strcmp(entry->key, key) == 0 &&
	    words_number(&words, &sum->bytes) == 0 &&
	    words_hash(&words, &sum->checksum) == 0 && words.len == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: expected shard %s with bytes and checksum of its index, got "
	    "'%.40s = %.80s'",
	    ini->path, key, entry->key, entry->value);
}

static int take_shards(
    const struct ini *ini, struct part_file *file, struct error *err)
{
	const struct ini_section *shards = ini_section(ini, "shards");
	uint64_t first = 0;

	if (!shards)
		return error_set(err, ERROR_DATA,
		    "%s: the section [shards] is missing", ini->path);
	if (shards->count > 0 &&
	    (units_parse_uint(shards->entries[0].key, &first) ||
	        first > JOB_SHARDS_MAX))
		return error_set(err, ERROR_DATA,
		    "%s: '%.40s' is not the number of a shard", ini->path,
		    shards->entries[0].key);
	file->first = (unsigned)first;
	file->end = file->first + (unsigned)shards->count;
	if (take_room(file, err))
		return -1;
	for (size_t i = 0; i < shards->count; i++)
		if (take_shard(ini, &shards->entries[i],
		        file->first + (unsigned)i, &file->indexes[i], err))
			return -1;
	return 0;
}

static int take_numbers(
    const struct ini *ini, struct part_file *file, struct error *err)
{
	uint64_t part = 0, parts = 0;

	if (sealed_number(ini, section, "part", PART_COUNT_MAX, &part, err) ||
	    sealed_number(ini, section, "parts", PART_COUNT_MAX, &parts, err) ||
	    sealed_number(
	        ini, section, "samples", UINT64_MAX, &file->samples, err) ||
	    sealed_number(
	        ini, section, "skipped", UINT64_MAX, &file->skipped, err) ||
	    sealed_number(
	        ini, section, "filtered", UINT64_MAX, &file->filtered, err))
		return -1;
	file->part = (unsigned)part;
	file->parts = (unsigned)parts;
	return 0;
}

int part_file_parse(struct part_file *file, const char *path, struct span bytes,
    struct error *err)
{
	struct ini ini = INI_INIT;
	struct span rest = { NULL, 0 };
	int rc = sealed_parse(&ini, path, section, bytes, &rest, err);

	*file = (struct part_file)PART_FILE_INIT;
	if (rc == 0 && rest.len)
		rc = error_set(
		    err, ERROR_DATA, "%s: has bytes behind its end", path);
	if (rc == 0 &&
	    (sealed_text(
	         &ini, section, "job", file->job, sizeof(file->job), err) ||
	        take_numbers(&ini, file, err) || take_shards(&ini, file, err)))
		rc = -1;
	ini_release(&ini);
	return rc;
}

int part_file_write(const struct part_file *file, struct medium *medium,
    const char *dir, struct error *err)
{
	struct buf text = BUF_INIT;
	char name[PART_FILE_NAME];
	int rc = part_file_print(file, &text, err);

	part_file_name(file->part, name);
	if (rc == 0)
		rc = place_write(medium, dir, name, buf_span(&text), err);
	buf_release(&text);
	return rc;
}

/* Are the shards those that the job gives to this part? */
static int check_owned(const struct part_file *file, const struct job *job,
    unsigned part, const char *path, struct error *err)
{
	unsigned first, end;

	job_range(job, part, &first, &end);
	if (file->part == part && file->parts == job->parts &&
	    strcmp(file->job, job->fingerprint) == 0 &&
	    file->end - file->first == end - first &&
	    (first == end || file->first == first))
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s is of another job: it is part %u of %u; remove it, and run "
	    "part %u/%u again",
	    path, file->part, file->parts, part, job->parts);
}

int part_file_read(struct part_file *file, const struct job *job, unsigned part,
    struct medium *medium, const char *dir, struct error *err)
{
	struct buf bytes = BUF_INIT;
	char name[PART_FILE_NAME];
	char *path;
	int rc = -1;

	*file = (struct part_file)PART_FILE_INIT;
	part_file_name(part, name);
	path = path_join(dir, name, err);
	if (path)
		rc = place_read(medium, dir, name, &bytes, err);
	if (rc > 0 && (part_file_parse(file, path, buf_span(&bytes), err) ||
	                  check_owned(file, job, part, path, err)))
		rc = -1;
	buf_release(&bytes);
	free(path);
	return rc;
}
