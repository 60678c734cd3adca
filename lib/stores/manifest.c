/* manifest.c - see manifest.h and store.h: writing and comparing. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/codecs/transform.h"
#include "lib/files/path.h"
#include "lib/formats/index.h"
#include "lib/formats/index_parse.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "lib/sample/type_words.h"
#include "lib/stores/layout.h"
#include "lib/stores/manifest.h"
#include "lib/stores/manifest_parse.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/sink.h"

void manifest_release(struct manifest *manifest)
{
	free(manifest->strategy);
	free(manifest->fingerprint);
	free(manifest->shuffle);
	free(manifest->shards);
	left_samples_release(&manifest->left_out);
	history_release(&manifest->history);
	file_list_release(&manifest->files);
	*manifest = (struct manifest)MANIFEST_INIT;
}

enum { VALUE_MAX = 160, FILE_LIMIT = 1 << 30 };

/* Checks that an INI file gives this value back unchanged. */
static int check_value(const char *name, const char *value, struct error *err)
{
	const size_t len = strlen(value);
	bool good = len > 0 && len <= VALUE_MAX && value[0] != ' ' &&
	            value[len - 1] != ' ';

	for (size_t i = 0; good && i < len; i++)
		good = isprint((unsigned char)value[i]) && value[i] != ';' &&
		       value[i] != '#';
	if (good)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "the manifest cannot keep the %s '%.80s': 1 to %d characters "
	    "without ';' and '#'",
	    name, value, VALUE_MAX);
}

/* Refuses an index of an earlier presto, which lacks the checksums of files. */
static int check_files(const struct shard_place *place,
    const struct shard_index *index, struct error *err)
{
	if (place->form->ops->layout == &layout_folder || index->files.count)
		return 0;
	return error_set(err, ERROR_DATA,
	    "is the index of an earlier presto, without checksums of files");
}

/* Reads the index of a shard that was just written, and lists its files. */
static int read_index(const struct shard_place *place,
    struct shard_index *index, struct manifest *manifest, struct error *err)
{
	const struct index_form wanted = store_index_form(place->form);
	char *path = shard_index_path(place->dir, place->number, err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (!path || medium_slurp(place->medium, path, &text, err))
		goto done;
	rc = shard_index_parse(index, buf_span(&text), &wanted, err);
	if (rc == 0 && manifest->version >= MANIFEST_FILES)
		rc = check_files(place, index, err);
	if (rc == 0)
		rc = manifest_list_file(
		    manifest, path_base(path), buf_span(&text), err);
	if (rc == 0)
		rc = file_list_join(&manifest->files, &index->files, err);
	if (rc)
		error_prefix(err, "%s", path);
	manifest->shards[place->number] = (struct manifest_shard){
		.samples = index->samples,
		.stored = index->stored,
		.checksum = index->checksum,
		.index = file_sum_of(buf_span(&text)),
	};
done:
	buf_release(&text);
	free(path);
	return rc;
}

int manifest_add_shards(struct manifest *manifest, struct medium *medium,
    const char *dir, size_t end, struct error *err)
{
	struct manifest_shard *shards;
	size_t bytes;

	if (size_mul(end + 1, sizeof(*shards), &bytes))
		return error_memory(err, end);
	shards = realloc(manifest->shards, bytes);
	if (!shards)
		return error_memory(err, bytes);
	manifest->shards = shards;
	for (; manifest->count < end; manifest->count++) {
		const struct shard_place place = { medium, dir, &manifest->form,
			(unsigned)manifest->count };

		struct shard_index index = SHARD_INDEX_INIT;
		const int rc = read_index(&place, &index, manifest, err);

		manifest->samples += index.samples;
		shard_index_release(&index);
		if (rc)
			return -1;
	}
	return 0;
}

int manifest_put_list(struct manifest *manifest, struct sink *sink,
    const char *dir, struct error *err)
{
	const uint64_t version = history_version(&manifest->history);
	char name[HISTORY_NAME];
	struct buf list = BUF_INIT;
	int rc = 0;

	if (!sidecar_has_list(&manifest->form))
		return 0;
	rc = sidecar_print_list(manifest, sink->medium, dir, &list, err);
	if (rc == 0)
		rc = manifest_put_file(manifest, sink, dir,
		    history_name(manifest->form.ops->list->name, version, name),
		    buf_span(&list), err);
	buf_release(&list);
	return rc;
}

/* Copies the names. */
static int begin(struct manifest *manifest, const struct manifest_note *note,
    struct error *err)
{
	manifest->version = note->version ? note->version : MANIFEST_VERSION;
	manifest->strategy = strdup(note->strategy);
	manifest->fingerprint = strdup(note->fingerprint);
	manifest->shuffle = note->shuffle ? strdup(note->shuffle) : NULL;
	if (!manifest->strategy || !manifest->fingerprint ||
	    (note->shuffle && !manifest->shuffle))
		return error_memory(err, VALUE_MAX);
	return 0;
}

static int print_fields(
    const struct schema *schema, struct buf *text, struct error *err)
{
	for (unsigned i = 0; i < schema->count; i++) {
		char words[TYPE_WORDS];

		type_words(&schema->fields[i].type, words);
		if (buf_printf(
		        text, err, "%s = %s\n", schema->fields[i].name, words))
			return -1;
	}
	return 0;
}

/* Prints what only an updated dataset has. */
static int print_versions(
    const struct manifest *manifest, struct buf *text, struct error *err)
{
	const struct left_samples *left = &manifest->left_out;
	const struct history *history = &manifest->history;

	if (buf_printf(text, err, "\n[left_out]\n"))
		return -1;
	for (size_t i = 0; i < left->count; i++)
		if (buf_printf(
		        text, err, "%06" PRIu64 " = ", left->shards[i].shard) ||
		    left_samples_print(left, &left->shards[i], text, err) ||
		    buf_printf(text, err, "\n"))
			return -1;
	if (buf_printf(text, err, "\n[versions]\n"))
		return -1;
	for (size_t i = 0; i < history->count; i++)
		if (buf_printf(text, err, "%zu = ", i + 1) ||
		    history_row_print(&history->rows[i], text, err) ||
		    buf_printf(text, err, "\n"))
			return -1;
	return 0;
}

static int print_files(
    const struct file_list *list, struct buf *text, struct error *err)
{
	if (buf_printf(text, err, "\n[files]\n"))
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		const struct listed_file *file = &list->files[i];

		if (buf_printf(text, err, "%s = %" PRIu64 " %016" PRIx64 "\n",
		        file->name, file->sum.bytes, file->sum.checksum))
			return -1;
	}
	if (buf_printf(text, err, "\n"))
		return -1;
	return buf_printf(text, err, "[end]\nchecksum = %016" PRIx64 "\n",
	    hash_bytes(text->data, text->len, 0));
}

static int print(
    const struct manifest *manifest, struct buf *text, struct error *err)
{
	const struct store_form *form = &manifest->form;
	char label[CODEC_LABEL];

	if (buf_printf(text, err,
	        "; Written by presto when all shards were complete.\n"
	        "[manifest]\nversion = %" PRIu64 "\nstore = %s\ncodec = %s\n"
	        "samples = %" PRIu64 "\nshards = %zu\nstrategy = %s\n"
	        "fingerprint = %s\n%s%s%s\n[fields]\n",
	        manifest->version, form->ops->name,
	        codec_label(&form->codec, label), manifest->samples,
	        manifest->count, manifest->strategy, manifest->fingerprint,
	        manifest->shuffle ? "shuffle = " : "",
	        manifest->shuffle ? manifest->shuffle : "",
	        manifest->shuffle ? "\n" : "") ||
	    print_fields(&form->decoded, text, err) ||
	    buf_printf(text, err, "\n[shards]\n"))
		return -1;
	for (size_t i = 0; i < manifest->count; i++) {
		const struct manifest_shard *shard = &manifest->shards[i];

		if (buf_printf(text, err,
		        "%06zu = %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", i,
		        shard->samples, shard->stored, shard->checksum))
			return -1;
	}
	if (manifest->version < MANIFEST_FILES)
		return 0;
	if (manifest->version >= MANIFEST_UPDATED &&
	    print_versions(manifest, text, err))
		return -1;
	return print_files(&manifest->files, text, err);
}

int manifest_list_file(struct manifest *manifest, const char *name,
    struct span text, struct error *err)
{
	const struct file_sum sum = file_sum_of(text);

	return file_list_add(&manifest->files, span_text(name), &sum, err);
}

int manifest_put_file(struct manifest *manifest, struct sink *sink,
    const char *dir, const char *name, struct span text, struct error *err)
{
	char *path = path_join(dir, name, err);
	int rc = -1;

	if (path && manifest_list_file(manifest, name, text, err) == 0)
		rc = sink_file(sink, path, text, err);
	free(path);
	return rc;
}

int manifest_check_text(const struct manifest *manifest, const char *name,
    struct span text, struct error *err)
{
	const struct listed_file *file = file_list_find(&manifest->files, name);
	const struct file_sum sum = file_sum_of(text);

	if (manifest->version < MANIFEST_FILES)
		return 0;
	if (!file)
		return error_set(
		    err, ERROR_DATA, "the manifest does not list it");
	return file_sum_check(&sum, &file->sum, "the manifest", err);
}

int manifest_print(
    struct manifest *manifest, struct buf *text, struct error *err)
{
	return file_list_sort(&manifest->files, err) ||
	               print(manifest, text, err)
	           ? -1
	           : 0;
}

int manifest_write(struct sink *sink, const char *dir,
    const struct store_form *form, unsigned shards,
    const struct manifest_note *note, struct error *err)
{
	struct manifest manifest = { .form = *form };
	char *path = path_join(dir, MANIFEST_NAME, err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (path && check_value("strategy", note->strategy, err) == 0 &&
	    check_value("fingerprint", note->fingerprint, err) == 0 &&
	    check_value("shuffle", note->shuffle ? note->shuffle : "no", err) ==
	        0 &&
	    begin(&manifest, note, err) == 0 &&
	    manifest_add_shards(&manifest, sink->medium, dir, shards, err) ==
	        0 &&
	    manifest_put_list(&manifest, sink, dir, err) == 0 &&
	    (!note->describe ||
	        note->describe(note->arg, sink, &manifest, err) == 0) &&
	    manifest_print(&manifest, &text, err) == 0)
		rc = sink_file(sink, path, buf_span(&text), err);
	buf_release(&text);
	manifest_release(&manifest);
	free(path);
	return rc;
}

/* Reports how the manifest differs from the wanted one. */
static int refuse(const struct manifest *manifest, const char *path,
    const struct manifest_note *wanted, unsigned shards, struct error *err)
{
	static const char way_out[] =
	    "choose another folder, or remove this one";
	const struct codec *codec = &manifest->form.codec;

	if (strcmp(manifest->strategy, wanted->strategy) != 0)
		return error_set(err, ERROR_USAGE,
		    "%s: holds the strategy %s, and not %s; %s", path,
		    manifest->strategy, wanted->strategy, way_out);
	if (manifest->count != shards)
		return error_set(err, ERROR_USAGE,
		    "%s: holds %s in %zu shards, and not in %u; %s", path,
		    manifest->strategy, manifest->count, shards, way_out);
	if (codec->transform && codec->transform->is_filter &&
	    manifest->version == 1)
		return error_set(err, ERROR_USAGE,
		    "%s: holds %s as an earlier presto wrote it, with names "
		    "that other readers take for plain data; %s",
		    path, manifest->strategy, way_out);
	if (manifest->shuffle && wanted->shuffle &&
	    strcmp(manifest->shuffle, wanted->shuffle) != 0)
		return error_set(err, ERROR_USAGE,
		    "%s: holds %s in another order (shuffle %s, and not %s); "
		    "%s",
		    path, manifest->strategy, manifest->shuffle,
		    wanted->shuffle, way_out);
	return error_set(err, ERROR_USAGE,
	    "%s: holds %s of another pipeline, dataset, selection, seed or "
	    "labels; %s",
	    path, manifest->strategy, way_out);
}

/* Reads the manifest at `path`: 1; 0: there is none. */
static int read_path(struct manifest *manifest, struct medium *medium,
    const char *path, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = medium_read_any(medium, path, FILE_LIMIT, &text, err);

	if (rc > 0 && manifest_parse(manifest, path, buf_span(&text), err))
		rc = error_advise(err,
		    "remove this file and run the presto materialize that "
		    "wrote the folder again, or materialize to another folder");
	buf_release(&text);
	return rc;
}

bool manifest_has_shard(const struct manifest *manifest, size_t number,
    const struct manifest_shard *shard)
{
	const struct manifest_shard *known = &manifest->shards[number];

	return shard->samples == known->samples &&
	       shard->stored == known->stored &&
	       shard->checksum == known->checksum &&
	       (manifest->version < MANIFEST_FILES ||
	           file_sum_equal(&shard->index, &known->index));
}

int manifest_missing(const char *path, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "%s is not there: the folder holds no complete dataset; give one "
	    "that presto materialize wrote, or run that command again to "
	    "finish it",
	    path);
}

int manifest_read(struct manifest *manifest, struct medium *medium,
    const char *dir, struct error *err)
{
	char *path = path_join(dir, MANIFEST_NAME, err);
	int rc = path ? read_path(manifest, medium, path, err) : -1;

	if (rc == 0)
		manifest_missing(path, err);
	free(path);
	return rc > 0 ? 0 : -1;
}

int manifest_check_version(const struct manifest *newest, const char *dir,
    uint64_t version, struct error *err)
{
	const uint64_t last = history_version(&newest->history);

	if (version <= last)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: has no version %" PRIu64 " of its dataset, the newest is "
	    "%" PRIu64,
	    dir, version, last);
}

int manifest_read_version(struct manifest *manifest, struct medium *medium,
    const char *dir, uint64_t version, struct error *err)
{
	char name[HISTORY_NAME], *path;
	int rc;

	if (manifest_read(manifest, medium, dir, err) ||
	    manifest_check_version(manifest, dir, version, err))
		return -1;
	if (version == 0 || version == history_version(&manifest->history))
		return 0;
	manifest_release(manifest);
	path = path_join(
	    dir, history_kept_name(MANIFEST_NAME, version, name), err);
	rc = path ? read_path(manifest, medium, path, err) : -1;
	if (rc == 0)
		manifest_missing(path, err);
	free(path);
	return rc > 0 ? 0 : -1;
}

uint64_t manifest_shard_samples(const struct manifest *manifest, size_t shard)
{
	const struct left_shard *left =
	    left_samples_find(&manifest->left_out, shard);

	return manifest->shards[shard].samples - (left ? left->samples : 0);
}

static bool is_wanted(
    const struct manifest *manifest, const struct manifest_note *wanted)
{
	return strcmp(manifest->fingerprint, wanted->fingerprint) == 0 ||
	       (wanted->early_fingerprint &&
	           strcmp(manifest->fingerprint, wanted->early_fingerprint) ==
	               0);
}

int manifest_matches(struct medium *medium, const char *dir,
    const struct manifest_note *wanted, unsigned shards, struct error *err)
{
	struct manifest manifest = MANIFEST_INIT;
	char *path = path_join(dir, MANIFEST_NAME, err);
	int rc = path ? read_path(&manifest, medium, path, err) : -1;

	if (rc > 0 && manifest.history.count)
		rc = error_set(err, ERROR_USAGE,
		    "%s: holds version %zu of its dataset: give --update, "
		    "which brings it up to date",
		    dir, manifest.history.count);
	else if (rc > 0 && !is_wanted(&manifest, wanted))
		rc = refuse(&manifest, path, wanted, shards, err);
	manifest_release(&manifest);
	free(path);
	return rc;
}
