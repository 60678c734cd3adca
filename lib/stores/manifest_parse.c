/* manifest_parse.c - see manifest_parse.h: parsing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/units.h"
#include "lib/codecs/transform.h"
#include "lib/files/path.h"
#include "lib/sample/type_words.h"
#include "lib/stores/manifest.h"
#include "lib/stores/manifest_parse.h"
#include "lib/stores/shard_path.h"
#include "lib/syntax/ini.h"
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

/* Parses "000003 = SAMPLES STORED CHECKSUM"; numbers ascend. */
static int take_shard(const struct ini_entry *entry, size_t number,
    struct manifest_shard *shard, struct error *err)
{
	struct span words = span_text(entry->value);
	char key[32];

	snprintf(key, sizeof(key), "%06zu", number);
	if (strcmp(entry->key, key) != 0)
		return error_set(err, ERROR_DATA, "expected shard %s, got '%s'",
		    key, entry->key);
	if (words_number(&words, &shard->samples) ||
	    words_number(&words, &shard->stored) ||
	    words_hash(&words, &shard->checksum) || words.len)
		return error_set(err, ERROR_DATA,
		    "'%s' is not samples, bytes and checksum", entry->value);
	return 0;
}

static int take_shards(const struct ini *ini, uint64_t wanted,
    struct manifest *manifest, struct error *err)
{
	const struct ini_section *section = find_section(ini, "shards", err);
	uint64_t samples = 0;

	if (!section)
		return -1;
	if (section->count != wanted)
		return error_set(err, ERROR_DATA,
		    "%s: lists %zu shards of %llu", ini->path, section->count,
		    (unsigned long long)wanted);
	manifest->shards = calloc(wanted + 1, sizeof(*manifest->shards));
	if (!manifest->shards)
		return error_memory(err, wanted * sizeof(*manifest->shards));
	manifest->count = section->count;
	for (size_t i = 0; i < section->count; i++) {
		struct manifest_shard *shard = &manifest->shards[i];

		if (take_shard(&section->entries[i], i, shard, err))
			return ini_error_at(ini, &section->entries[i], err);
		if (__builtin_add_overflow(samples, shard->samples, &samples))
			samples = UINT64_MAX;
	}
	if (samples != manifest->samples)
		return error_set(err, ERROR_DATA,
		    "%s: the shards hold %llu samples of %llu", ini->path,
		    (unsigned long long)samples,
		    (unsigned long long)manifest->samples);
	return 0;
}

/* "NAME = BYTES CHECKSUM" */
static int take_file(
    const struct ini_entry *entry, struct file_list *files, struct error *err)
{
	struct span words = span_text(entry->value);
	struct file_sum sum;

	if (words_number(&words, &sum.bytes) ||
	    words_hash(&words, &sum.checksum) || words.len)
		return error_set(err, ERROR_DATA,
		    "'%s' is not bytes and checksum", entry->value);
	return file_list_add(files, span_text(entry->key), &sum, err);
}

/* Finds the index of each shard among the files. */
static int find_indexes(
    const struct ini *ini, struct manifest *manifest, struct error *err)
{
	for (size_t i = 0; i < manifest->count; i++) {
		char *path = shard_index_path("", (unsigned)i, err);
		const struct listed_file *file;

		if (!path)
			return -1;
		file = file_list_find(&manifest->files, path_base(path));
		free(path);
		if (!file)
			return error_set(err, ERROR_DATA,
			    "%s: the index of shard %06zu is not in [files]",
			    ini->path, i);
		manifest->shards[i].index = file->sum;
	}
	return 0;
}

static int take_files(
    const struct ini *ini, struct manifest *manifest, struct error *err)
{
	const struct ini_section *section = find_section(ini, "files", err);

	if (!section)
		return -1;
	for (size_t i = 0; i < section->count; i++)
		if (take_file(&section->entries[i], &manifest->files, err))
			return ini_error_at(ini, &section->entries[i], err);
	if (file_list_sort(&manifest->files, err))
		return error_prefix(err, "%s", ini->path);
	return find_indexes(ini, manifest, err);
}

/* Checks the last line: the checksum of all lines before it. */
static int check_end(const struct ini *ini, uint64_t version, struct span text,
    struct error *err)
{
	static const char begin[] = "[end]\nchecksum = ";
	const size_t len = strlen(begin), hash_len = 16 + 1;
	struct span end;
	uint64_t hash;

	if (version < MANIFEST_FILES && !ini_section(ini, "end"))
		return 0;
	if (text.len < len + hash_len)
		return error_set(
		    err, ERROR_DATA, "%s: its end is missing", ini->path);
	end.data = text.data + text.len - len - hash_len;
	end.len = len;
	text.len -= len + hash_len;
	if (!span_equal(end, span_text(begin)))
		return error_set(
		    err, ERROR_DATA, "%s: its end is missing", ini->path);
	end = (struct span){ end.data + len, hash_len - 1 };
	if (words_hash(&end, &hash) ||
	    hash != hash_bytes(text.data, text.len, 0))
		return error_set(err, ERROR_DATA,
		    "%s: its own checksum differs: it was edited or damaged",
		    ini->path);
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

static int take_all(const struct ini *ini, struct span text,
    struct manifest *manifest, struct error *err)
{
	const struct ini_section *section = find_section(ini, "manifest", err);
	uint64_t shards = 0;

	if (!section ||
	    take_number(ini, section, "version", &manifest->version, err))
		return -1;
	if (manifest->version < 1 || manifest->version > MANIFEST_VERSION)
		return error_set(err, ERROR_DATA,
		    "%s: has version %llu, this reads 1 to %d", ini->path,
		    (unsigned long long)manifest->version, MANIFEST_VERSION);
	if (check_end(ini, manifest->version, text, err) ||
	    take_form(ini, section, &manifest->form, err) ||
	    take_number(ini, section, "samples", &manifest->samples, err) ||
	    take_number(ini, section, "shards", &shards, err) ||
	    take_note(ini, section, manifest, err) ||
	    take_fields(ini, &manifest->form.decoded, err) ||
	    derive_stored(ini, manifest->version, &manifest->form, err))
		return -1;
	if (take_shards(ini, shards, manifest, err))
		return -1;
	return manifest->version < MANIFEST_FILES
	           ? 0
	           : take_files(ini, manifest, err);
}

int manifest_parse(struct manifest *manifest, const char *path,
    struct span text, struct error *err)
{
	struct ini ini = INI_INIT;
	int rc;

	*manifest = (struct manifest)MANIFEST_INIT;
	if (ini_parse_text(
	        &ini, path, (const char *)text.data, text.len, err)) {
		if (err->code == ERROR_USAGE)
			err->code = ERROR_DATA; /* the user did not type it */
		return -1;
	}
	rc = take_all(&ini, text, manifest, err);
	ini_release(&ini);
	return rc;
}
