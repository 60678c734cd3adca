/* manifest_parse.c - see manifest_parse.h: parsing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/units.h"
#include "lib/codecs/transform.h"
#include "lib/sample/type_words.h"
#include "lib/stores/manifest.h"
#include "lib/stores/manifest_parse.h"
#include "lib/stores/shard_path.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_lines.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/words.h"

static struct ini_section *find_section(
    const struct ini *ini, const char *name, struct error *err)
{
	struct ini_section *section = ini_section(ini, name);

	if (!section)
		error_set(err, ERROR_DATA, "%s: section [%s] is missing",
		    ini->path, name);
	return section;
}

static struct ini_entry *find_entry(const struct ini *ini,
    const struct ini_section *section, const char *key, struct error *err)
{
	struct ini_entry *entry = ini_entry(section, key);

	if (!entry)
		error_set(err, ERROR_DATA, "%s: '%s' is missing in [%s]",
		    ini->path, key, section->name);
	return entry;
}

static int take_number(const struct ini *ini, const struct ini_section *section,
    const char *key, uint64_t *number, struct error *err)
{
	const struct ini_entry *entry = find_entry(ini, section, key, err);

	if (!entry)
		return -1;
	if (units_parse_uint(entry->value, number) == 0)
		return 0;
	error_set(err, ERROR_DATA, "%s must be a number, got '%s'", key,
	    entry->value);
	return ini_error_at(ini, entry, err);
}

static int take_text(const struct ini *ini, const struct ini_section *section,
    const char *key, char **text, struct error *err)
{
	const struct ini_entry *entry = find_entry(ini, section, key, err);

	if (!entry)
		return -1;
	*text = strdup(entry->value);
	return *text ? 0 : error_memory(err, strlen(entry->value) + 1);
}

static int take_form(const struct ini *ini, const struct ini_section *section,
    struct store_form *form, struct error *err)
{
	const struct ini_entry *store = find_entry(ini, section, "store", err);
	const struct ini_entry *codec =
	    store ? find_entry(ini, section, "codec", err) : NULL;

	if (!codec)
		return -1;
	form->ops = store_find(store->value);
	if (!form->ops) {
		error_set(err, ERROR_DATA, "no store '%s'", store->value);
		return ini_error_at(ini, store, err);
	}
	if (codec_parse(codec->value, &form->codec, err)) {
		err->code = ERROR_DATA;
		return ini_error_at(ini, codec, err);
	}
	return 0;
}

static int take_fields(
    const struct ini *ini, struct schema *schema, struct error *err)
{
	const struct ini_section *section = find_section(ini, "fields", err);

	if (!section)
		return -1;
	for (size_t i = 0; i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];
		struct type type;

		if (type_words_parse(span_text(entry->value), &type)) {
			error_set(err, ERROR_DATA, "'%s' is not a type",
			    entry->value);
			return ini_error_at(ini, entry, err);
		}
		if (schema_add(schema, entry->key, &type, err))
			return ini_error_at(ini, entry, err);
	}
	if (schema->count == 0)
		return error_set(
		    err, ERROR_DATA, "%s: there are no fields", ini->path);
	return 0;
}

/* Version 1 did not record filters in types: removes them. */
static void forget_filter(struct schema *schema)
{
	for (unsigned i = 0; i < schema->count; i++)
		if (type_is_filtered(&schema->fields[i].type))
			schema->fields[i].type.suffix[0] = '\0';
}

/* Derives the stored schema from the codec. */
static int derive_stored(const struct ini *ini, uint64_t version,
    struct store_form *form, struct error *err)
{
	if (codec_stored_schema(
	        &form->codec, &form->decoded, &form->schema, err) == 0) {
		if (version == 1)
			forget_filter(&form->schema);
		return 0;
	}
	err->code = ERROR_DATA;
	return error_prefix(err, "%s: codec", ini->path);
}

/* ---- the sections behind [fields], line by line ---- */

/*
 * The rest of the text. There are some lines for each shard, so they are parsed
 * where they are, and only the beginning of the manifest is an INI in memory.
 */
struct lines {
	const char *path;
	struct manifest *manifest;
	struct ini_lines text;
	size_t shards;  /* lines so far */
	bool has_files; /* there is a section [files] */
};

static int error_line(const struct lines *lines, struct error *err)
{
	return error_prefix(err, "%s:%u", lines->path, lines->text.line);
}

/* Takes the number of a shard, "000003". */
static int take_key(struct span key, uint64_t *number)
{
	return words_number(&key, number) || key.len ? -1 : 0;
}

/* Parses "000003 = SAMPLES STORED CHECKSUM"; numbers ascend. */
static int take_shard(
    struct lines *lines, struct span key, struct span words, struct error *err)
{
	struct manifest *manifest = lines->manifest;
	struct manifest_shard *shard;
	uint64_t number;

	if (lines->shards == manifest->count)
		return error_set(
		    err, ERROR_DATA, "more than %zu shards", manifest->count);
	shard = &manifest->shards[lines->shards];
	if (take_key(key, &number) || number != lines->shards)
		return error_set(err, ERROR_DATA,
		    "expected shard %06zu, got '%.*s'", lines->shards,
		    (int)key.len, (const char *)key.data);
	if (words_number(&words, &shard->samples) ||
	    words_number(&words, &shard->stored) ||
	    words_hash(&words, &shard->checksum) || words.len)
		return error_set(
		    err, ERROR_DATA, "is not samples, bytes and checksum");
	lines->shards++;
	return 0;
}

/* "000003 = 9-11 17" */
static int take_left_out(
    struct lines *lines, struct span key, struct span words, struct error *err)
{
	struct manifest *manifest = lines->manifest;
	uint64_t number;

	if (take_key(key, &number) || number >= lines->shards)
		return error_set(err, ERROR_DATA, "there is no shard '%.*s'",
		    (int)key.len, (const char *)key.data);
	return left_samples_parse(&manifest->left_out, number,
	    manifest->shards[number].samples, words, err);
}

/* "2 = TIME shards 9 ..." */
static int take_version(
    struct lines *lines, struct span key, struct span words, struct error *err)
{
	struct history *history = &lines->manifest->history;
	struct history_row row;
	uint64_t number;

	if (take_key(key, &number) || number != history->count + 1)
		return error_set(err, ERROR_DATA,
		    "expected version %zu, got '%.*s'", history->count + 1,
		    (int)key.len, (const char *)key.data);
	return history_row_parse(&row, words, err) ||
	               history_add(history, &row, err)
	           ? -1
	           : 0;
}

/* "NAME = BYTES CHECKSUM" */
static int take_file(
    struct lines *lines, struct span key, struct span words, struct error *err)
{
	struct file_sum sum;

	if (words_number(&words, &sum.bytes) ||
	    words_hash(&words, &sum.checksum) || words.len)
		return error_set(err, ERROR_DATA, "is not bytes and checksum");
	lines->has_files = true;
	return file_list_add(&lines->manifest->files, key, &sum, err);
}

static const struct line_section {
	const char *name;
	uint64_t since; /* version of the format */
	int (*take)(struct lines *lines, struct span key, struct span words,
	    struct error *err);
} line_sections[] = {
	{ "[shards]", 1, take_shard },
	{ "[left_out]", MANIFEST_UPDATED, take_left_out },
	{ "[versions]", MANIFEST_UPDATED, take_version },
	{ "[files]", MANIFEST_FILES, take_file },
	{ "[end]", MANIFEST_FILES, NULL },
};

/* NULL: a section that this version does not have. */
static const struct line_section *find_lines(
    const struct lines *lines, struct span line)
{
	for (size_t i = 0; i < ARRAY_LEN(line_sections); i++)
		if (span_equal(line, span_text(line_sections[i].name)) &&
		    lines->manifest->version >= line_sections[i].since)
			return &line_sections[i];
	return NULL;
}

static int take_lines(struct lines *lines, struct error *err)
{
	const struct line_section *section = NULL;
	struct span line, key, words;

	while (ini_lines_next(&lines->text, &line)) {
		int rc = 0;

		if (line.data[0] == '[')
			section = find_lines(lines, line);
		else if (section && section->take &&
		         ini_lines_split(line, &key, &words))
			rc =
			    error_set(err, ERROR_DATA, "is not 'NAME = VALUE'");
		else if (section && section->take)
			rc = section->take(lines, key, words, err);
		if (rc)
			return error_line(lines, err);
	}
	return 0;
}

/* The last version is the one that the manifest describes. */
static int check_versions(const struct lines *lines, struct error *err)
{
	const struct manifest *manifest = lines->manifest;
	const struct history *history = &manifest->history;
	const struct history_row *last;

	if (history->count == 0)
		return 0;
	for (size_t i = 1; i < history->count; i++)
		if (history->rows[i].shards < history->rows[i - 1].shards)
			return error_set(err, ERROR_DATA,
			    "%s: version %zu has fewer shards than the one "
			    "before",
			    lines->path, i + 1);
	last = &history->rows[history->count - 1];
	if (last->shards == manifest->count &&
	    last->samples == manifest->samples)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: version %zu has other shards or samples than the manifest",
	    lines->path, history->count);
}

/* Compares what was listed with the numbers at the beginning. */
static int check_lines(const struct lines *lines, struct error *err)
{
	const struct manifest *manifest = lines->manifest;
	uint64_t samples = 0;

	if (lines->shards != manifest->count)
		return error_set(err, ERROR_DATA, "%s: lists %zu shards of %zu",
		    lines->path, lines->shards, manifest->count);
	for (size_t i = 0; i < manifest->count; i++)
		if (__builtin_add_overflow(
		        samples, manifest->shards[i].samples, &samples))
			return error_set(err, ERROR_DATA,
			    "%s: the shards hold too many samples",
			    lines->path);
	samples -= manifest->left_out.samples;
	if (samples != manifest->samples)
		return error_set(err, ERROR_DATA,
		    "%s: the shards hold %llu samples of %llu", lines->path,
		    (unsigned long long)samples,
		    (unsigned long long)manifest->samples);
	if (manifest->version >= MANIFEST_FILES && !lines->has_files)
		return error_set(err, ERROR_DATA,
		    "%s: section [files] is missing", lines->path);
	return check_versions(lines, err);
}

/* Finds the index of each shard among the files. */
static int find_indexes(
    const char *path, struct manifest *manifest, struct error *err)
{
	for (size_t i = 0; i < manifest->count; i++) {
		char name[SHARD_NAME], index[SHARD_NAME + sizeof(".index")];
		const struct listed_file *file;

		snprintf(index, sizeof(index), "%s.index",
		    shard_name((unsigned)i, name));
		file = file_list_find(&manifest->files, index);
		if (!file)
			return error_set(err, ERROR_DATA,
			    "%s: the index of shard %06zu is not in [files]",
			    path, i);
		manifest->shards[i].index = file->sum;
	}
	return 0;
}

/* Checks the last line: the checksum of all lines before it. */
static int check_end(
    const char *path, uint64_t version, struct span text, struct error *err)
{
	static const char begin[] = "[end]\nchecksum = ";
	const size_t len = strlen(begin), hash_len = 16 + 1;
	struct span end;
	uint64_t hash;

	if (version < MANIFEST_FILES && !ini_lines_find(text, "[end]"))
		return 0;
	if (text.len < len + hash_len)
		return error_set(
		    err, ERROR_DATA, "%s: its end is missing", path);
	end.data = text.data + text.len - len - hash_len;
	end.len = len;
	text.len -= len + hash_len;
	if (!span_equal(end, span_text(begin)))
		return error_set(
		    err, ERROR_DATA, "%s: its end is missing", path);
	end = (struct span){ end.data + len, hash_len - 1 };
	if (words_hash(&end, &hash) ||
	    hash != hash_bytes(text.data, text.len, 0))
		return error_set(err, ERROR_DATA,
		    "%s: its own checksum differs: it was edited or damaged",
		    path);
	return 0;
}

/* Parses strategy, fingerprint and shuffle. */
static int take_note(const struct ini *ini, const struct ini_section *section,
    struct manifest *manifest, struct error *err)
{
	if (take_text(ini, section, "strategy", &manifest->strategy, err) ||
	    take_text(ini, section, "fingerprint", &manifest->fingerprint, err))
		return -1;
	if (!ini_entry(section, "shuffle"))
		return 0;
	return take_text(ini, section, "shuffle", &manifest->shuffle, err);
}

/* Takes what stands in front of [shards]. */
static int take_head(const struct ini *ini, struct span text,
    struct manifest *manifest, struct error *err)
{
	const struct ini_section *section = find_section(ini, "manifest", err);
	uint64_t shards = 0;

	if (!section ||
	    take_number(ini, section, "version", &manifest->version, err))
		return -1;
	if (manifest->version < 1 || manifest->version > MANIFEST_UPDATED)
		return error_set(err, ERROR_DATA,
		    "%s: has version %llu, this reads 1 to %d", ini->path,
		    (unsigned long long)manifest->version, MANIFEST_UPDATED);
	if (check_end(ini->path, manifest->version, text, err) ||
	    take_form(ini, section, &manifest->form, err) ||
	    take_number(ini, section, "samples", &manifest->samples, err) ||
	    take_number(ini, section, "shards", &shards, err) ||
	    take_note(ini, section, manifest, err) ||
	    take_fields(ini, &manifest->form.decoded, err) ||
	    derive_stored(ini, manifest->version, &manifest->form, err))
		return -1;
	/* a line each: a larger number is damage */
	if (shards > text.len)
		return error_set(err, ERROR_DATA,
		    "%s: lists fewer than %llu "
		    "shards",
		    ini->path, (unsigned long long)shards);
	manifest->shards = calloc(shards + 1, sizeof(*manifest->shards));
	if (!manifest->shards)
		return error_memory(err, shards * sizeof(*manifest->shards));
	manifest->count = shards;
	return 0;
}

static int take_all(const struct ini *ini, struct span text,
    const unsigned char *shards, struct manifest *manifest, struct error *err)
{
	struct lines lines = { .path = ini->path, .manifest = manifest };

	if (take_head(ini, text, manifest, err))
		return -1;
	if (!shards)
		return find_section(ini, "shards", err) ? 0 : -1;
	lines.text = ini_lines_begin(text, shards);
	if (take_lines(&lines, err) || check_lines(&lines, err))
		return -1;
	if (manifest->version < MANIFEST_FILES)
		return 0;
	if (file_list_sort(&manifest->files, err))
		return error_prefix(err, "%s", ini->path);
	return find_indexes(ini->path, manifest, err);
}

int manifest_parse(struct manifest *manifest, const char *path,
    struct span text, struct error *err)
{
	const unsigned char *shards = ini_lines_find(text, "[shards]");
	const size_t head = shards ? (size_t)(shards - text.data) : text.len;
	struct ini ini;
	int rc;

	*manifest = (struct manifest)MANIFEST_INIT;
	if (ini_parse_text(&ini, path, (const char *)text.data, head, err)) {
		if (err->code == ERROR_USAGE)
			err->code = ERROR_DATA; /* the user did not type it */
		return -1;
	}
	rc = take_all(&ini, text, shards, manifest, err);
	ini_release(&ini);
	return rc;
}
