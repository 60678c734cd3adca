/* tar_scan.c - see tar_scan.h. */
#include "datasets/archives/tar_scan.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/archives/members.h"
#include "datasets/archives/tar_fields.h"
#include "datasets/archives/tar_find.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum { HEAD_BLOCK = 8 << 10 };

/* A scan of all archives, one after the other. */
struct scan {
	struct tar_set *set;
	struct schema *schema;
	size_t archive;   /* the current one */
	bool is_plain;    /* its members have positions */
	bool in_sample;   /* a sample has begun and not ended */
	unsigned has;     /* bit f: the sample has field f */
	bool rules_known; /* otherwise extensions are collected */
	unsigned extension_count;
	char extensions[RULES_MAX][ENDING_MAX];
	size_t key_len;
	unsigned char key[KEY_MAX]; /* key of the current sample */
	struct members members;
};

static int blame(const struct scan *scan, struct error *err)
{
	const struct span key = { .data = scan->key, .len = scan->key_len };

	return members_blame(scan->set->archives[scan->archive].path, key, err);
}

static struct tar_run *add_run(
    struct tar_set *set, size_t archive, uint64_t start, struct error *err)
{
	struct tar_run *runs = array_grow(set->runs, &set->run_capacity,
	    set->run_count + 1, sizeof(*runs), err);

	if (!runs)
		return NULL;
	set->runs = runs;
	runs += set->run_count++;
	*runs = (struct tar_run){
		.archive = archive,
		.start = start,
		.first = set->samples,
	};
	return runs;
}

static int note_start(struct tar_set *set, uint64_t at, struct error *err)
{
	uint64_t *starts = array_grow(set->starts, &set->start_capacity,
	    set->start_count + 1, sizeof(*starts), err);

	if (!starts)
		return -1;
	set->starts = starts;
	starts[set->start_count++] = at;
	return 0;
}

/* Counts a new sample in the last run, or in a new one. */
static int count_sample(struct scan *scan, struct error *err)
{
	struct tar_set *set = scan->set;
	const uint64_t at = scan->members.member.position;
	struct tar_run *run =
	    set->run_count ? &set->runs[set->run_count - 1] : NULL;

	if (!run || run->archive != scan->archive) {
		run = add_run(set, scan->archive, scan->is_plain ? at : 0, err);
	} else if (scan->is_plain && at - run->start >= TAR_RUN_BYTES) {
		run->end = at;
		run = add_run(set, scan->archive, at, err);
	}
	if (!run)
		return -1;
	run->samples++;
	run->held++;
	set->archives[scan->archive].samples++;
	set->samples++;
	set->is_plain &= scan->is_plain;
	return set->is_plain ? note_start(set, at, err) : 0;
}

static int note_extension(struct scan *scan, struct error *err)
{
	const char *extension = scan->members.extension;

	if (!*extension ||
	    (scan->set->wants_cls && strcmp(extension, "cls") == 0))
		return 0;
	for (unsigned i = 0; i < scan->extension_count; i++)
		if (strcmp(scan->extensions[i], extension) == 0) {
			error_set(
			    err, ERROR_DATA, "has two members .%s", extension);
			return blame(scan, err);
		}
	if (scan->extension_count == RULES_MAX) {
		error_set(
		    err, ERROR_DATA, "has more than %d members", RULES_MAX);
		return blame(scan, err);
	}
	memcpy(
	    scan->extensions[scan->extension_count++], extension, ENDING_MAX);
	return 0;
}

static int note_field(struct scan *scan, struct error *err)
{
	const struct field_rule *rule =
	    field_rules_find(&scan->set->rules, scan->members.extension);

	if (!rule)
		return 0;
	if (scan->has & 1u << rule->field) {
		error_set(err, ERROR_DATA, "has two members for the field '%s'",
		    scan->schema->fields[rule->field].name);
		return blame(scan, err);
	}
	scan->has |= 1u << rule->field;
	return 0;
}

static int learn_rules(struct scan *scan, struct error *err)
{
	scan->rules_known = true;
	if (scan->extension_count == 0) {
		error_set(err, ERROR_DATA, "has no member with data");
		return blame(scan, err);
	}
	if (tar_guess_fields(&scan->set->rules, scan->schema,
	        (const char(*)[ENDING_MAX])scan->extensions,
	        scan->extension_count, err))
		return blame(scan, err);
	scan->has = (1u << scan->schema->count) - 1;
	return 0;
}

/* Checks that the sample is complete. */
static int end_sample(struct scan *scan, struct error *err)
{
	if (!scan->in_sample)
		return 0;
	scan->in_sample = false;
	if (!scan->rules_known && learn_rules(scan, err))
		return -1;
	for (unsigned f = 0; f < scan->schema->count; f++)
		if (!(scan->has & 1u << f)) {
			error_set(err, ERROR_DATA,
			    "has no member for the field '%s'",
			    scan->schema->fields[f].name);
			return blame(scan, err);
		}
	return 0;
}

static int scan_member(struct scan *scan, struct error *err)
{
	const struct members *members = &scan->members;

	if (members->begins) {
		if (end_sample(scan, err))
			return -1;
		scan->in_sample = true;
		scan->has = 0;
		scan->key_len = members->key_len;
		memcpy(scan->key, members->key, members->key_len);
		if (count_sample(scan, err))
			return -1;
	}
	return scan->rules_known ? note_field(scan, err)
	                         : note_extension(scan, err);
}

static int scan_members(
    struct scan *scan, struct archive_reader *archive, struct error *err)
{
	struct members *members = &scan->members;
	int got;

	members_begin(
	    members, archive, scan->set->archives[scan->archive].path);
	while ((got = members_next(members, err)) > 0) {
		scan->is_plain = archive_reader_is_plain_tar(archive);
		if (scan_member(scan, err))
			return -1;
	}
	return got < 0 ? -1 : end_sample(scan, err);
}

static int scan_archive(
    struct scan *scan, struct medium *medium, struct error *err)
{
	struct tar_set *set = scan->set;
	struct tar_archive *archive = &set->archives[scan->archive];
	const struct archive_part part = {
		.path = archive->path,
		.block_bytes = HEAD_BLOCK,
	};
	struct archive_reader *reader = archive_reader_open(medium, &part, err);
	int rc = -1;

	if (!reader)
		return -1;
	archive->bytes = archive_reader_bytes(reader);
	rc = scan_members(scan, reader, err);
	if (rc == 0 && archive->samples && scan->is_plain)
		set->runs[set->run_count - 1].end = archive->bytes;
	archive_reader_close(reader);
	return rc;
}

int tar_scan(struct tar_set *set, const char *path,
    const struct tar_options *options, struct medium *medium,
    struct schema *schema, struct error *err)
{
	struct scan *scan;
	int rc = 0;

	set->wants_cls = options->label == TAR_LABEL_CLS;
	if (options->fields &&
	    field_rules_parse(&set->rules, schema, options->fields, err))
		return -1;
	if (field_rules_have_patterns(&set->rules))
		return error_set(err, ERROR_USAGE,
		    "fields '%s': the members of a sample stand side by side "
		    "in an archive; give endings, as in data:jpg,mask:mask.png",
		    options->fields);
	if (tar_find_archives(set, medium, path, options->match, err))
		return -1;
	scan = calloc(1, sizeof(*scan));
	if (!scan)
		return error_memory(err, sizeof(*scan));
	scan->set = set;
	set->is_plain = true;
	scan->schema = schema;
	scan->rules_known = options->fields != NULL;
	for (; rc == 0 && scan->archive < set->count; scan->archive++)
		rc = scan_archive(scan, medium, err);
	free(scan);
	if (rc == 0 && set->samples == 0)
		return error_set(err, ERROR_DATA,
		    "holds no samples: no member is called KEY.EXTENSION");
	return rc;
}
