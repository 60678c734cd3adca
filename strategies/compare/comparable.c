/* comparable.c - see comparable.h. */
#include "strategies/compare/comparable.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/measure/system.h"
#include "lib/pipeline/code_print.h"
#include "lib/syntax/ini.h"

enum { TEXT = 1024 };

/* Kernels reserve different amounts of memory: so much is no difference. */
static const double memory_fraction = 0.02;

static int add(struct grid *list, struct error *err, const char *text)
{
	return grid_add_row(list, err) || grid_set_text(list, 0, text, err) ? -1
	                                                                    : 0;
}

/* Adds "WHAT: A in BASE, B in NEW"; an empty text is "none". */
static int differ(struct grid *list, const char *what, const char *a,
    const char *b, struct error *err)
{
	char text[TEXT];

	if (strcmp(a, b) == 0)
		return 0;
	snprintf(text, sizeof(text), "%s: %.400s in BASE, %.400s in NEW", what,
	    *a ? a : "none", *b ? b : "none");
	return add(list, err, text);
}

static int differ_number(struct grid *list, const char *what, uint64_t a,
    uint64_t b, struct error *err)
{
	char text_a[24], text_b[24];

	snprintf(text_a, sizeof(text_a), "%" PRIu64, a);
	snprintf(text_b, sizeof(text_b), "%" PRIu64, b);
	return differ(list, what, text_a, text_b, err);
}

/* Two sizes differ only if both are known. */
static int differ_bytes(struct grid *list, const char *what, uint64_t a,
    uint64_t b, struct error *err)
{
	return a && b ? differ_number(list, what, a, b, err) : 0;
}

/* ---- the machine ---- */

static int check_memory(struct grid *list, const struct machine *a,
    const struct machine *b, struct error *err)
{
	const double had = (double)machine_memory(a);
	const double has = (double)machine_memory(b);
	char text_a[UNITS_TEXT], text_b[UNITS_TEXT];

	if (had <= 0 || has <= 0 ||
	    fabs(has - had) <= memory_fraction * fmax(had, has))
		return 0;
	return differ(list, "memory", units_bytes(had, text_a),
	    units_bytes(has, text_b), err);
}

/* "ext4" of "ext4 on /dev/vda": devices are numbered as they come. */
static void kind_of(const char *filesystem, char kind[128])
{
	const char *end = strstr(filesystem, " on ");

	snprintf(kind, 128, "%.*s",
	    end ? (int)(end - filesystem) : (int)strlen(filesystem),
	    filesystem);
}

static int check_filesystem(struct grid *list, const char *what, const char *a,
    const char *b, struct error *err)
{
	char kind_a[128], kind_b[128];

	kind_of(a, kind_a);
	kind_of(b, kind_b);
	return differ(list, what, kind_a, kind_b, err);
}

static int check_machine(struct grid *list, const struct session_info *a,
    const struct session_info *b, struct error *err)
{
	const struct machine *m = &a->machine, *n = &b->machine;

	if (differ(list, "CPU", m->cpu, n->cpu, err) ||
	    differ_number(list, "cores", m->cores, n->cores, err) ||
	    check_memory(list, m, n, err) ||
	    differ(list, "virtual machine", m->virtual, n->virtual, err) ||
	    check_filesystem(list, "file system of the dataset", a->source_fs,
	        b->source_fs, err))
		return -1;
	return check_filesystem(list, "file system of the stored data",
	    a->work_fs, b->work_fs, err);
}

/* ---- data and settings ---- */

static int differ_limit(
    struct grid *list, const char *what, double a, double b, struct error *err)
{
	char text_a[UNITS_TEXT] = "", text_b[UNITS_TEXT] = "";

	if (a > 0)
		snprintf(text_a, sizeof(text_a), "%.9g", a);
	if (b > 0)
		snprintf(text_b, sizeof(text_b), "%.9g", b);
	return differ(list, what, text_a, text_b, err);
}

static int check_storage(struct grid *list, const struct storage_limits *a,
    const struct storage_limits *b, struct error *err)
{
	const struct {
		const char *what;
		double a, b;
	} limits[] = {
		{ "bytes per second", a->bandwidth, b->bandwidth },
		{ "seconds a request", a->latency, b->latency },
		{ "requests per second", a->iops, b->iops },
		{ "seconds a file", a->open, b->open },
		{ "bytes per second of a file", a->stream, b->stream },
		{ "files per second", a->opens, b->opens },
	};

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		char what[64];

		snprintf(
		    what, sizeof(what), "emulated storage, %s", limits[i].what);
		if (differ_limit(list, what, limits[i].a, limits[i].b, err))
			return -1;
	}
	return 0;
}

static int check_settings(struct grid *list, const struct session_info *a,
    const struct session_info *b, struct error *err)
{
	if (differ_number(list, "samples taken", a->samples, b->samples, err) ||
	    differ_bytes(list, "bytes of the samples taken", a->source_bytes,
	        b->source_bytes, err) ||
	    differ_number(list, "seed", a->seed, b->seed, err) ||
	    differ_number(list, "batch", a->batch, b->batch, err))
		return -1;
	return check_storage(list, &a->limits, &b->limits, err);
}

/* ---- the pipeline file ---- */

/* A section, and a list of keys that ends with NULL. */
struct part {
	const char *section;
	bool only; /* compare these keys; else all but these */
	const char *keys[6];
};

/* Other keys choose strategies, or were compared above. */
static const struct part parts[] = {
	{ "dataset", false, { "path", "full_samples", NULL } },
	{ "pipeline", false, { NULL } },
	{ "load", true,
	    { "cache_budget", "fetchers", "fuse", "read_ahead", "shuffle",
	        NULL } },
	{ "strategies", true, { "shards", NULL } },
};

static bool counts(const struct part *part, const char *key)
{
	for (size_t i = 0; part->keys[i]; i++)
		if (strcmp(part->keys[i], key) == 0)
			return part->only;
	return !part->only;
}

static const char *value_of(const struct ini_section *section, const char *key)
{
	const struct ini_entry *entry =
	    section ? ini_entry(section, key) : NULL;

	return entry ? entry->value : "";
}

/* The keys of `a`; with `missing`, only those that `b` does not have. */
static int check_keys(struct grid *list, const struct part *part,
    const struct ini_section *const sections[2], bool missing,
    struct error *err)
{
	const struct ini_section *of = sections[missing];
	char what[TEXT / 4];

	for (size_t i = 0; of && i < of->count; i++) {
		const char *key = of->entries[i].key;

		if (!counts(part, key))
			continue;
		if (missing && sections[0] && ini_entry(sections[0], key))
			continue;
		snprintf(what, sizeof(what), "[%s] %s", part->section, key);
		if (differ(list, what, value_of(sections[0], key),
		        value_of(sections[1], key), err))
			return -1;
	}
	return 0;
}

/* Steps run in the order of the file. */
static int check_order(struct grid *list,
    const struct ini_section *const sections[2], struct error *err)
{
	if (!sections[0] || !sections[1] ||
	    sections[0]->count != sections[1]->count)
		return 0; /* then a key is missing */
	for (size_t i = 0; i < sections[0]->count; i++) {
		const char *key = sections[0]->entries[i].key;

		if (!ini_entry(sections[1], key))
			return 0;
		if (strcmp(key, sections[1]->entries[i].key) != 0)
			return add(list, err,
			    "[pipeline]: the steps are in another order");
	}
	return 0;
}

static int check_text(struct grid *list, const struct session_info *a,
    const struct session_info *b, struct error *err)
{
	struct ini base = INI_INIT, other = INI_INIT;
	int rc = -1;

	if (ini_parse_text(&base, a->path, a->text, strlen(a->text), err) ||
	    ini_parse_text(&other, b->path, b->text, strlen(b->text), err))
		goto done;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const struct ini_section *const sections[2] = {
			ini_section(&base, parts[i].section),
			ini_section(&other, parts[i].section)
		};

		if (check_keys(list, &parts[i], sections, false, err) ||
		    check_keys(list, &parts[i], sections, true, err))
			goto done;
		if (strcmp(parts[i].section, "pipeline") == 0 &&
		    check_order(list, sections, err))
			goto done;
	}
	rc = 0;
done:
	ini_release(&base);
	ini_release(&other);
	return rc;
}

/* ---- code of the user's ---- */

static int check_code(struct grid *list, const struct session_info *a,
    const struct session_info *b, struct error *err)
{
	char text[CODE_PRINT_TEXT];

	return code_print_differs(a->code, b->code, text) ? add(list, err, text)
	                                                  : 0;
}

/* ---- notes ---- */

static int note_end(struct grid *notes, const char *which,
    const struct session_record *record, struct error *err)
{
	char text[TEXT];

	if (strcmp(record->state, "done") == 0)
		return 0;
	snprintf(text, sizeof(text), "session %lld, %s, did not end well: %s",
	    (long long)record->id, which, record->state);
	return add(notes, err, text);
}

static int check_versions(struct grid *notes, const struct session_record *base,
    const struct session_record *new_one, struct error *err)
{
	const struct session_info *a = &base->info, *b = &new_one->info;
	const struct machine *m = &a->machine, *n = &b->machine;

	if (differ(notes, "pipeline", a->pipeline, b->pipeline, err) ||
	    differ(notes, "presto", base->version, new_one->version, err) ||
	    differ(notes, "kernel", m->kernel, n->kernel, err) ||
	    differ(notes, "compiler", m->compiler, n->compiler, err) ||
	    differ(notes, "libraries", m->libraries, n->libraries, err) ||
	    differ_number(notes, "samples of the dataset", a->total_samples,
	        b->total_samples, err) ||
	    note_end(notes, "BASE", base, err))
		return -1;
	return note_end(notes, "NEW", new_one, err);
}

int comparable_check(const struct session_record *base,
    const struct session_record *new_one, struct grid *differences,
    struct grid *notes, struct error *err)
{
	const struct session_info *a = &base->info, *b = &new_one->info;

	if (grid_add_column(differences, "text", err) ||
	    grid_add_column(notes, "text", err) ||
	    check_machine(differences, a, b, err) ||
	    check_settings(differences, a, b, err) ||
	    check_text(differences, a, b, err) ||
	    check_code(differences, a, b, err))
		return -1;
	return check_versions(notes, base, new_one, err);
}
