/* manifest.c - see manifest.h and store.h: the writing, and the comparison. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/media/medium.h"
#include "lib/stores/index.h"
#include "lib/stores/layout.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/sink.h"
#include "lib/stores/type_words.h"

enum { VALUE_MAX = 160, FILE_LIMIT = 1 << 30 };

/* What an INI file gives back as it was put in. */
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

/* Reads the index of a shard that was just written. */
static int read_index(struct medium *medium, const struct shard_place *place,
    struct shard_index *index, struct error *err)
{
	const struct index_form wanted = store_index_form(place->form);
	char *path = shard_index_path(place->dir, place->number, err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (!path || medium_slurp(medium, path, &text, err))
		goto done;
	rc = shard_index_parse(index, buf_span(&text), &wanted, err);
	if (rc)
		error_prefix(err, "%s", path);
done:
	buf_release(&text);
	free(path);
	return rc;
}

/*
 * The lines of [shards], and the list for others; adds up the samples.  The
 * number of `all` is that of the shards.
 */
static int print_shards(struct medium *medium, const struct shard_place *all,
    uint64_t *samples, struct buf *lines, struct buf *list, struct error *err)
{
	if (sidecar_list_begin(list, err))
		return -1;
	for (unsigned i = 0; i < all->number; i++) {
		const struct shard_place place = { all->dir, all->form, i };
		struct shard_index index = SHARD_INDEX_INIT;
		int rc = read_index(medium, &place, &index, err);

		if (rc == 0)
			rc = buf_printf(lines, err,
			    "%06u = %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n",
			    i, index.samples, index.stored, index.checksum);
		if (rc == 0)
			rc = sidecar_list_add(&place, &index, list, err);
		*samples += index.samples;
		shard_index_release(&index);
		if (rc)
			return -1;
	}
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

static int print(const struct store_form *form, unsigned shards,
    uint64_t samples, const struct manifest_note *note, struct buf *text,
    struct error *err)
{
	char label[CODEC_LABEL];

	if (buf_printf(text, err,
	        "; Written by presto when all shards were complete.\n"
	        "[manifest]\nversion = 1\nstore = %s\ncodec = %s\n"
	        "samples = %" PRIu64 "\nshards = %u\nstrategy = %s\n"
	        "fingerprint = %s\n\n[fields]\n",
	        form->ops->name, codec_label(&form->codec, label), samples,
	        shards, note->strategy, note->fingerprint) ||
	    print_fields(&form->decoded, text, err))
		return -1;
	return buf_printf(text, err, "\n[shards]\n");
}

int manifest_write(struct sink *sink, const char *dir,
    const struct store_form *form, unsigned shards,
    const struct manifest_note *note, struct error *err)
{
	char *path = path_join(dir, MANIFEST_NAME, err);
	const struct shard_place all = { dir, form, shards };
	struct buf text = BUF_INIT, lines = BUF_INIT, list = BUF_INIT;
	uint64_t samples = 0;
	int rc = -1;

	if (path && check_value("strategy", note->strategy, err) == 0 &&
	    check_value("fingerprint", note->fingerprint, err) == 0 &&
	    print_shards(sink->medium, &all, &samples, &lines, &list, err) ==
	        0 &&
	    print(form, shards, samples, note, &text, err) == 0 &&
	    buf_append(&text, lines.data, lines.len, err) == 0 &&
	    (!sidecar_has_list(form) ||
	        sidecar_list_write(sink, dir, &list, err) == 0))
		rc = sink_file(sink, path, buf_span(&text), err);
	buf_release(&list);
	buf_release(&lines);
	buf_release(&text);
	free(path);
	return rc;
}

/* How it is not what is wanted. */
static int refuse(const struct manifest *manifest, const char *path,
    const struct manifest_note *wanted, unsigned shards, struct error *err)
{
	static const char way_out[] =
	    "choose another folder, or remove this one";

	if (strcmp(manifest->strategy, wanted->strategy) != 0)
		return error_set(err, ERROR_USAGE,
		    "%s: holds the strategy %s, and not %s; %s", path,
		    manifest->strategy, wanted->strategy, way_out);
	if (manifest->count != shards)
		return error_set(err, ERROR_USAGE,
		    "%s: holds %s in %zu shards, and not in %u; %s", path,
		    manifest->strategy, manifest->count, shards, way_out);
	return error_set(err, ERROR_USAGE,
	    "%s: holds %s of another pipeline, dataset, selection or seed; %s",
	    path, manifest->strategy, way_out);
}

static int compare(const char *path, const struct manifest_note *wanted,
    unsigned shards, struct error *err)
{
	struct manifest manifest = MANIFEST_INIT;
	struct buf text = BUF_INIT;
	int rc = -1;

	if (path_read(path, FILE_LIMIT, &text, err) ||
	    manifest_parse(&manifest, path, buf_span(&text), err))
		goto done;
	if (strcmp(manifest.fingerprint, wanted->fingerprint) == 0)
		rc = 1;
	else
		refuse(&manifest, path, wanted, shards, err);
done:
	manifest_release(&manifest);
	buf_release(&text);
	return rc;
}

int manifest_matches(const char *dir, const struct manifest_note *wanted,
    unsigned shards, struct error *err)
{
	char *path = path_join(dir, MANIFEST_NAME, err);
	int rc = -1;

	if (path)
		rc = path_exists(path) ? compare(path, wanted, shards, err) : 0;
	free(path);
	return rc;
}
