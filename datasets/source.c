/* source.c - see source.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/nearest.h"
#include "lib/syntax/option.h"

static const struct source_ops *const sources[] = {
#define SOURCE(name) &source_##name,
#include "datasets/sources.def"
#undef SOURCE
};

/* The keys of every source. */
struct common {
	uint64_t full_samples;
	unsigned fingerprint; /* enum inventory_mode */
	unsigned on_error;    /* 1: skip */
	const char *path;
	const char *source;
};

static const struct option common_options[] = {
	OPTION_WORDS("fingerprint", struct common, fingerprint,
	    "times|sizes|contents",
	    "what tells versions of a file apart when work goes on"),
	OPTION(UINT, "full_samples", 0, struct common, full_samples, "N",
	    "samples of the full dataset, for extrapolation"),
	OPTION_WORDS("on_error", struct common, on_error, "fail|skip",
	    "what to do with samples that a step refuses"),
	OPTION(TEXT, "path", 0, struct common, path, "PATH",
	    "where it is, relative to the pipeline file"),
	OPTION(
	    TEXT, "source", 0, struct common, source, "NAME", "what reads it"),
	OPTION_TABLE_END,
};

const struct source_ops *source_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}

const struct source_ops *source_at(size_t i)
{
	return i < ARRAY_LEN(sources) ? sources[i] : NULL;
}

static int error_no_source(
    const struct ini *ini, const struct ini_entry *entry, struct error *err)
{
	struct nearest nearest = nearest_to(entry->value);
	char hint[NEAREST_HINT];

	if (store_find(entry->value)) {
		error_set(err, ERROR_USAGE,
		    "'%s' is a store and no source: 'source = presto' reads "
		    "what presto stored, 'source = folder' other files",
		    entry->value);
		return ini_error_at(ini, entry, err);
	}
	nearest.see = "presto list sources";
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		nearest_try(&nearest, sources[i]->name);
	error_set(err, ERROR_USAGE, "unknown source '%s'%s", entry->value,
	    nearest_hint(&nearest, hint));
	return ini_error_at(ini, entry, err);
}

static int error_no_key(
    const struct source_ops *source, const char *key, struct error *err)
{
	struct nearest nearest = nearest_to(key);
	char hint[NEAREST_HINT];
	const struct option *o;

	nearest.see = "presto list sources";
	for (o = common_options; o->name; o++)
		nearest_try(&nearest, o->name);
	for (o = source->options; o && o->name; o++)
		nearest_try(&nearest, o->name);
	return error_set(err, ERROR_USAGE, "source %s has no key '%s'%s",
	    source->name, key, nearest_hint(&nearest, hint));
}

/* Prefixes an error about the whole section. */
static int error_section(
    const struct ini *ini, const struct ini_section *section, struct error *err)
{
	if (section->line)
		return error_prefix(err, "%s:%u", ini->path, section->line);
	return error_prefix(err, "%s", ini->path);
}

static int find_source(struct dataset *dataset, const struct ini *ini,
    const struct ini_section *section, struct error *err)
{
	const struct ini_entry *entry;

	if (!section)
		return error_set(err, ERROR_USAGE,
		    "%s: the section [dataset] is missing", ini->path);
	entry = ini_entry(section, "source");
	if (!entry) {
		error_set(err, ERROR_USAGE,
		    "[dataset] needs 'source = folder', or another source");
		return error_section(ini, section, err);
	}
	dataset->source = source_find(entry->value);
	if (!dataset->source)
		return error_no_source(ini, entry, err);
	if (!dataset->source->needs)
		return 0;
	error_set(err, ERROR_USAGE, "source %s: this build lacks %s",
	    entry->value, dataset->source->needs);
	return ini_error_at(ini, entry, err);
}

static int make_options(struct dataset *dataset, struct error *err)
{
	const struct source_ops *source = dataset->source;
	const size_t size = source->options_size;

	dataset->options = calloc(1, size ? size : 1);
	if (!dataset->options)
		return error_memory(err, size);
	if (source->defaults)
		memcpy(dataset->options, source->defaults, size);
	return 0;
}

/* Adds the resolved path of an OPTION_PATH key; sets *value to it. */
static int resolve_file(struct dataset *dataset, const struct ini *ini,
    const struct ini_entry *entry, const char **value, struct error *err)
{
	char *path;

	if (dataset->file_count == DATASET_FILES)
		return error_set(
		    err, ERROR_USAGE, "more than %d files", DATASET_FILES);
	path = ini_resolve(ini, entry, entry->value, err);
	if (!path)
		return -1;
	dataset->files[dataset->file_count++] = path;
	*value = path;
	return 0;
}

static int set_own_option(struct dataset *dataset, const struct ini *ini,
    const struct ini_entry *entry, struct error *err)
{
	const struct option *options = dataset->source->options;
	const struct option *option = option_find(options, entry->key);
	const char *value = entry->value;

	dataset->has_keys = true;
	if (option->type == OPTION_PATH && *value &&
	    resolve_file(dataset, ini, entry, &value, err))
		return -1;
	return option_set(options, dataset->options, entry->key, value, err);
}

static int read_entry(struct dataset *dataset, const struct ini *ini,
    struct common *common, const struct ini_entry *entry, struct error *err)
{
	const struct source_ops *source = dataset->source;

	if (option_find(common_options, entry->key))
		return option_set(
		    common_options, common, entry->key, entry->value, err);
	if (source->options && option_find(source->options, entry->key))
		return set_own_option(dataset, ini, entry, err);
	return error_no_key(source, entry->key, err);
}

/* Is full_samples in the file, and `path` on the command line? */
static bool is_other_dataset(const struct ini_section *section)
{
	const struct ini_entry *full = ini_entry(section, "full_samples");
	const struct ini_entry *path = ini_entry(section, "path");

	return full && full->line && path && !path->line;
}

static int resolve_path(struct dataset *dataset, const struct ini *ini,
    const struct ini_entry *entry, struct error *err)
{
	if (!entry)
		return 0;
	dataset->path = ini_resolve(ini, entry, entry->value, err);
	if (!dataset->path)
		return -1;
	if (!url_has_user(dataset->path))
		return 0;
	error_set(err, ERROR_USAGE,
	    "a URL must not have a user or password, which would be stored "
	    "with the results: ~/.netrc has them");
	return ini_error_at(ini, entry, err);
}

static int read_section(struct dataset *dataset, const struct ini *ini,
    const struct ini_section *section, struct error *err)
{
	struct common common = { .path = NULL };

	if (find_source(dataset, ini, section, err) ||
	    make_options(dataset, err))
		return -1;
	for (size_t i = 0; i < section->count; i++)
		if (read_entry(
		        dataset, ini, &common, &section->entries[i], err))
			return ini_error_at(ini, &section->entries[i], err);
	if (dataset->source->needs_path && !common.path) {
		error_set(err, ERROR_USAGE, "source %s needs 'path = ...'",
		    dataset->source->name);
		return error_section(ini, section, err);
	}
	if (is_other_dataset(section))
		dataset->other_full_samples = common.full_samples;
	else
		dataset->full_samples = common.full_samples;
	dataset->skip_errors = common.on_error == 1;
	dataset->fingerprint = (enum inventory_mode)common.fingerprint;
	if (limits_read(&dataset->limits, ini, err))
		return -1;
	return resolve_path(dataset, ini, ini_entry(section, "path"), err);
}

int dataset_read(
    struct dataset *dataset, const struct ini *ini, struct error *err)
{
	*dataset = (struct dataset)DATASET_INIT;
	if (read_section(dataset, ini, ini_section(ini, "dataset"), err)) {
		dataset_release(dataset);
		return -1;
	}
	return 0;
}

/* ---- opening ---- */

/* Does the folder, or that of the file, have a manifest? */
static bool is_written(struct medium *medium, const char *path)
{
	struct error ignored;
	char *dir;
	bool written;

	if (store_is_written(medium, path, &ignored) > 0)
		return true;
	dir = path_dir(path, &ignored);
	written = dir && store_is_written(medium, dir, &ignored) > 0;
	free(dir);
	return written;
}

struct reader *source_open(const struct source_ops *source,
    const struct source_plan *plan, struct error *err)
{
	struct source_plan own = *plan;
	struct reader *reader;

	if (source->open)
		return source->open(plan, err);
	own.format = source->format;
	reader = reader_new(source->reader, source->state_size, err);
	if (reader && source->fill(reader, &own, err)) {
		reader_free(reader);
		return NULL;
	}
	return reader;
}

/* Reads the folder by its manifest; its store must have the source's name. */
static struct reader *open_store(const struct source_ops *source,
    const struct source_plan *plan, struct error *err)
{
	struct source_plan own = *plan;
	struct reader *reader;

	own.options = NULL; /* these are not of source presto */
	reader = source_open(&source_presto, &own, err);
	if (!reader || strcmp(store_form(reader)->ops->name, source->name) == 0)
		return reader;
	error_set(err, ERROR_USAGE, "holds the store %s, not %s",
	    store_form(reader)->ops->name, source->name);
	reader_free(reader);
	return NULL;
}

/* The path as messages have it: URLs without what may be secret. */
static const char *shown_path(const char *path, char text[URL_TEXT])
{
	return url_is(path) ? url_text(path, text) : path;
}

/* A file without a folder is listed as "./FILE". */
static bool names_path(const char *text, const char *path)
{
	if (strncmp(text, "./", 2) == 0 && strncmp(path, "./", 2) != 0)
		text += 2;
	return strncmp(text, path, strlen(path)) == 0;
}

/*
 * Tells how to read a folder that presto wrote.  A server that does not answer
 * is not asked again.
 */
static void hint_at_presto(
    const struct dataset *dataset, struct medium *medium, struct error *err)
{
	const size_t used = strlen(err->text);

	if (url_is(dataset->path) && err->code == ERROR_SYSTEM)
		return;
	if (dataset->source != &source_presto &&
	    is_written(medium, dataset->path) &&
	    !strstr(err->text, "source = presto"))
		snprintf(err->text + used, sizeof(err->text) - used,
		    "; presto wrote this folder: read it with "
		    "'source = presto'");
}

/*
 * Is it a folder of a store?  1, 0, or -1.  A far file has no manifest, nor has
 * a list of files, and an error of the server is about the path that the user
 * gave.
 */
static int is_stored(const struct source_plan *plan, struct error *err)
{
	struct medium_status status = { .kind = MEDIUM_FOLDER };

	if (url_is(plan->path) && braces_any(plan->path))
		return 0;
	if (url_is(plan->path) &&
	    medium_get_status(plan->medium, plan->path, &status, err))
		return -1;
	return status.kind == MEDIUM_FILE
	           ? 0
	           : store_is_written(plan->medium, plan->path, err);
}

/* Opens the dataset by its source, or by the manifest of its store. */
static struct reader *open_any(const struct dataset *dataset,
    const struct source_plan *plan, struct error *err)
{
	const bool may_be_store = plan->path && !dataset->has_keys &&
	                          store_find(dataset->source->name);
	const int is_store = may_be_store ? is_stored(plan, err) : 0;

	if (is_store < 0)
		return NULL;
	return (is_store ? open_store : source_open)(
	    dataset->source, plan, err);
}

struct reader *dataset_open(const struct dataset *dataset, uint64_t limit,
    struct medium *medium, struct error *err)
{
	const char *path = dataset->path;
	char text[URL_TEXT];
	const struct source_plan plan = { path, dataset->options, limit, medium,
		dataset->known.inventory ? &dataset->known : NULL, NULL };
	struct reader *reader = open_any(dataset, &plan, err);

	if (reader) {
		reader->sample_most = dataset->limits.sample;
		reader->is_far = path && url_is(path);
		return reader;
	}
	if (!path)
		error_prefix(err, "source %s", dataset->source->name);
	else if (!names_path(err->text, shown_path(path, text)))
		error_prefix(err, "%s", shown_path(path, text));
	if (path)
		hint_at_presto(dataset, medium, err);
	return NULL;
}

void dataset_release(struct dataset *dataset)
{
	for (unsigned i = 0; i < dataset->file_count; i++)
		free(dataset->files[i]);
	free(dataset->path);
	free(dataset->options);
	*dataset = (struct dataset)DATASET_INIT;
}
