/* store_open.c - see store.h: opens and checks a stored dataset. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/formats/index_parse.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "lib/stores/folder_check.h"
#include "lib/stores/layout.h"
#include "lib/stores/manifest_parse.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/stored.h"

enum { FILE_LIMIT = 1 << 30, FAR_THREADS = 16 };

const struct store_form *store_form(const struct reader *reader)
{
	const struct stored *stored = reader->priv;

	return &stored->manifest.form;
}

uint64_t store_version(const struct reader *reader)
{
	const struct stored *stored = reader->priv;

	return stored->version ? stored->version
	                       : history_version(&stored->manifest.history);
}

void stored_free(struct reader *reader)
{
	struct stored *stored = reader->priv;

	for (size_t i = 0; stored->verified && i < stored->manifest.count; i++)
		free(atomic_load(&stored->verified[i]));
	free(stored->verified);
	free(stored->runs);
	free(stored->is_read);
	classes_release(&stored->classes);
	manifest_release(&stored->manifest);
	free(stored->index_bytes);
	free(stored->dir);
	free(stored);
}

int store_is_written(struct medium *medium, const char *dir, struct error *err)
{
	struct medium_status status = { .kind = MEDIUM_NOTHING };
	char *path = path_join(dir, MANIFEST_NAME, err);
	const int rc =
	    path ? medium_get_status(medium, path, &status, err) : -1;

	free(path);
	return rc ? -1 : status.kind != MEDIUM_NOTHING;
}

/* Returns the path of the manifest of this version, or the newest; owned. */
static char *manifest_path(
    const struct stored *stored, uint64_t version, struct error *err)
{
	char name[HISTORY_NAME];

	if (version)
		history_kept_name(MANIFEST_NAME, version, name);
	return path_join(stored->dir, version ? name : MANIFEST_NAME, err);
}

static int read_path(struct stored *stored, const char *path, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc =
	    path ? medium_read_any(stored->medium, path, FILE_LIMIT, &text, err)
	         : -1;

	if (rc == 0)
		rc = manifest_missing(path, err);
	else if (rc > 0)
		rc = manifest_parse(
		    &stored->manifest, path, buf_span(&text), err);
	stored->manifest_bytes = text.len;
	buf_release(&text);
	return rc;
}

/* Reads the newest manifest, and from there that of the version. */
static int read_manifest(
    struct stored *stored, uint64_t version, struct error *err)
{
	struct manifest *manifest = &stored->manifest;
	char *path = manifest_path(stored, 0, err);
	int rc = path ? read_path(stored, path, err) : -1;

	if (rc == 0)
		rc =
		    manifest_check_version(manifest, stored->dir, version, err);
	if (rc == 0 && version &&
	    version != history_version(&manifest->history)) {
		free(path);
		manifest_release(manifest);
		stored->version = version;
		path = manifest_path(stored, version, err);
		rc = path ? read_path(stored, path, err) : -1;
	}
	free(path);
	return rc;
}

/*
 * In memory the files are as they were written.  Far ones are not looked at
 * before they are read: that would take a request for each.
 */
static bool is_trusted(const struct stored *stored)
{
	return medium_is_memory(stored->medium) || url_is(stored->dir);
}

/*
 * With very many shards their indexes are read when they are opened: reading a
 * million files takes minutes. The manifest has the sizes.
 */
static bool has_many(const struct stored *stored)
{
	return stored->manifest.count > STORE_MANY &&
	       stored->manifest.version >= MANIFEST_FILES;
}

static int read_shards(struct stored *stored, struct error *err)
{
	const struct store_form *form = &stored->manifest.form;
	const size_t count = stored->manifest.count;
	const bool is_later = has_many(stored);

	stored->index_bytes = calloc(count + 1, sizeof(uint64_t));
	stored->verified = calloc(count + 1, sizeof(*stored->verified));
	if (!stored->index_bytes || !stored->verified)
		return error_memory(err, count * sizeof(uint64_t));
	for (size_t i = 0; is_later && i < count; i++)
		stored->index_bytes[i] = stored->manifest.shards[i].index.bytes;
	for (size_t i = 0; !is_later && i < count; i++) {
		const struct shard_place place = { stored->medium, stored->dir,
			form, (unsigned)i };
		struct shard_index index = SHARD_INDEX_INIT;
		int rc = stored_read_index(
		    stored, i, &index, &stored->index_bytes[i], err);

		if (rc == 0 && !is_trusted(stored))
			rc = form->ops->layout->check(
			    &place, &index, false, err);
		shard_index_release(&index);
		if (rc)
			return -1;
	}
	return 0;
}

static int add_bytes(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct stored *stored = arg;

	UNUSED(path);
	UNUSED(err);
	stored->reader.bytes += bytes;
	return 0;
}

/* The same as the manifest says, and no file is looked at. */
static void count_listed(struct stored *stored)
{
	const struct file_list *files = &stored->manifest.files;
	const struct store_list *has = stored->manifest.form.ops->list;
	char list[HISTORY_NAME] = "";

	if (has)
		history_name(has->name,
		    history_version(&stored->manifest.history), list);
	for (size_t i = 0; i < files->count; i++) {
		const struct span name = span_text(files->files[i].name);

		if (span_ends_with(name, ".idx") ||
		    span_equal(name, span_text(list)))
			stored->reader.bytes += files->files[i].sum.bytes;
	}
}

/* Adds the bytes of the files for other readers: they belong to the dataset. */
static int count_sidecars(struct stored *stored, struct error *err)
{
	if (has_many(stored)) {
		count_listed(stored);
		return 0;
	}
	for (size_t i = 0; i < stored->manifest.count; i++)
		if (sidecar_visit_idx(stored, i, add_bytes, stored, err))
			return -1;
	return sidecar_visit_list(stored, add_bytes, stored, err);
}

static void describe(struct stored *stored)
{
	const struct manifest *manifest = &stored->manifest;
	const struct codec *codec = &manifest->form.codec;
	struct reader *reader = &stored->reader;

	reader->ops = manifest->form.ops->layout->reader;
	reader->schema = manifest->form.schema;
	reader->is_far = url_is(stored->dir);
	reader->streams = manifest->count;
	reader->samples = manifest->samples;
	reader->total_samples = manifest->samples;
	reader->costly_chunks = has_many(stored);
	reader->bytes += stored->manifest_bytes;
	for (size_t i = 0; i < manifest->count; i++)
		reader->bytes +=
		    stored->index_bytes[i] + manifest->shards[i].stored;
	if (codec->transform) {
		reader->decode = codec;
		reader->decoded = &manifest->form.decoded;
	}
	if (codec->transform || codec->ops->decode)
		codec_name(codec, reader->codec);
}

/* Opens the shards that the manifest lists; frees `stored` on failure. */
static struct reader *open_listed(struct stored *stored, struct error *err)
{
	if (read_shards(stored, err) || count_sidecars(stored, err)) {
		stored_free(&stored->reader);
		return NULL;
	}
	describe(stored);
	return &stored->reader;
}

static struct stored *begin(
    struct medium *medium, const char *dir, struct error *err)
{
	struct stored *stored = memory_zeroed(sizeof(*stored), err);

	if (!stored)
		return NULL;
	stored->medium = medium;
	stored->reader.priv = stored;
	stored->dir = path_join(dir, "", err);
	if (stored->dir)
		return stored;
	stored_free(&stored->reader);
	return NULL;
}

struct reader *store_open_version(
    struct medium *medium, const char *dir, uint64_t version, struct error *err)
{
	struct stored *stored = begin(medium, dir, err);

	if (!stored)
		return NULL;
	if (read_manifest(stored, version, err) == 0)
		return open_listed(stored, err);
	stored_free(&stored->reader);
	return NULL;
}

struct reader *store_open(
    struct medium *medium, const char *dir, struct error *err)
{
	return store_open_version(medium, dir, 0, err);
}

struct reader *store_open_listed(struct medium *medium, const char *dir,
    struct manifest *manifest, struct error *err)
{
	struct stored *stored = begin(medium, dir, err);

	if (!stored)
		return NULL;
	stored->manifest = *manifest;
	*manifest = (struct manifest)MANIFEST_INIT;
	return open_listed(stored, err);
}

/* ---- some shards, without a manifest ---- */

/* Takes the figures of a shard from its index, and its blocks as a run. */
static int take_shard(struct stored *stored, size_t shard,
    struct store_run *run, struct error *err)
{
	const struct index_form wanted =
	    store_index_form(&stored->manifest.form);
	struct shard_index index = SHARD_INDEX_INIT;
	struct buf text = BUF_INIT;
	char *path = shard_index_path(stored->dir, (unsigned)shard, err);
	int rc = path ? medium_slurp(stored->medium, path, &text, err) : -1;

	if (rc == 0 && shard_index_parse(&index, buf_span(&text), &wanted, err))
		rc = error_prefix(err, "%s", path);
	if (rc == 0) {
		stored->index_bytes[shard] = text.len;
		stored->manifest.samples += index.samples;
		stored->manifest.shards[shard] = (struct manifest_shard){
			.samples = index.samples,
			.stored = index.stored,
			.checksum = index.checksum,
			.index = file_sum_of(buf_span(&text)),
		};
		*run = (struct store_run){
			.shard = shard,
			.count = index.count,
			.samples = index.samples,
			.last = index.count
			            ? index.blocks[index.count - 1].samples
			            : 0,
			.bytes = index.stored,
		};
	}
	shard_index_release(&index);
	buf_release(&text);
	free(path);
	return rc;
}

/* Sets the runs that are the streams; empty shards have none. */
static int take_shards(struct stored *stored, const bool *which,
    struct store_run *runs, size_t *count, struct error *err)
{
	*count = 0;
	for (size_t i = 0; i < stored->manifest.count; i++) {
		if (!which[i])
			continue;
		if (take_shard(stored, i, &runs[*count], err))
			return -1;
		*count += runs[*count].count > 0;
	}
	return 0;
}

/* Makes a manifest of no shards yet. */
static int begin_shards(struct stored *stored, const char *dir,
    const struct store_form *form, unsigned shards, struct error *err)
{
	struct manifest *manifest = &stored->manifest;

	stored->reader.priv = stored;
	stored->dir = path_join(dir, "", err);
	if (!stored->dir)
		return -1;
	manifest->form = *form;
	manifest->version = MANIFEST_VERSION;
	manifest->count = shards;
	manifest->shards = calloc(shards + 1, sizeof(*manifest->shards));
	stored->index_bytes = calloc(shards + 1, sizeof(uint64_t));
	stored->verified = calloc(shards + 1, sizeof(*stored->verified));
	if (!manifest->shards || !stored->index_bytes || !stored->verified)
		return error_memory(err, shards * sizeof(*manifest->shards));
	return 0;
}

struct reader *store_open_shards(struct medium *medium, const char *dir,
    const struct store_form *form, const bool *which, unsigned shards,
    struct error *err)
{
	struct stored *stored = memory_zeroed(sizeof(*stored), err);
	struct store_run *runs = calloc((size_t)shards + 1, sizeof(*runs));
	size_t count = 0;

	if (!stored || !runs) {
		error_memory(err, shards * sizeof(*runs));
		free(stored);
		free(runs);
		return NULL;
	}
	stored->medium = medium;
	if (begin_shards(stored, dir, form, shards, err) ||
	    take_shards(stored, which, runs, &count, err)) {
		free(runs);
		stored_free(&stored->reader);
		return NULL;
	}
	describe(stored);
	if (store_set_runs(&stored->reader, runs, count, err)) {
		stored_free(&stored->reader);
		return NULL;
	}
	return &stored->reader;
}

/*
 * Visits the shard, then its index. The files of the shard are read from the
 * index, so whoever drops them from the page cache must drop the index last.
 */
static int visit_shard(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err)
{
	const struct store_layout *layout = stored->manifest.form.ops->layout;
	char *index = shard_index_path(stored->dir, (unsigned)shard, err);
	int rc = -1;

	if (index)
		rc = layout->each_file(stored, shard, visit, arg, err);
	if (rc == 0)
		rc = visit(arg, index, stored->index_bytes[shard], err);
	free(index);
	return rc;
}

int stored_each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct stored *stored = reader->priv;
	char *path = manifest_path(stored, stored->version, err);
	int rc;

	if (!path)
		return -1;
	rc = visit(arg, path, stored->manifest_bytes, err);
	if (rc == 0)
		rc = sidecar_visit_list(stored, visit, arg, err);
	for (size_t i = 0; rc == 0 && i < stored->manifest.count; i++)
		if (!stored->is_read || stored->is_read[i])
			rc = visit_shard(stored, i, visit, arg, err);
	free(path);
	return rc;
}

bool shard_is_complete(
    const struct shard_place *place, const struct file_sum *wanted)
{
	const struct store_form *form = place->form;
	const struct index_form parts = store_index_form(form);
	struct shard_index index = SHARD_INDEX_INIT;
	struct buf text = BUF_INIT;
	struct error ignored;
	char *path = shard_index_path(place->dir, place->number, &ignored);
	bool complete = path && medium_read_any(place->medium, path, FILE_LIMIT,
	                            &text, &ignored) > 0;

	if (complete && wanted) {
		const struct file_sum sum = file_sum_of(buf_span(&text));

		complete = file_sum_equal(&sum, wanted);
	}
	complete =
	    complete &&
	    shard_index_parse(&index, buf_span(&text), &parts, &ignored) == 0 &&
	    form->ops->layout->check(place, &index, true, &ignored) == 0;
	shard_index_release(&index);
	buf_release(&text);
	free(path);
	return complete;
}

/* Sets ERROR_DATA with the number of damaged shards. */
static int blame_shards(const struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err)
{
	size_t first = 0;
	char *path;

	if (check->damaged == 0)
		return 0;
	while (!check->is_damaged[first])
		first++;
	path =
	    shard_path(plan->dir, &plan->manifest->form, (unsigned)first, err);
	if (!path)
		return -1;
	error_set(err, ERROR_DATA,
	    "%zu of %zu shards %s missing or damaged, the first is %s",
	    check->damaged, check->shards, check->damaged == 1 ? "is" : "are",
	    path);
	free(path);
	return error_advise(err, STORE_MEND);
}

int store_check_shards(struct medium *medium, const char *dir,
    const struct manifest *manifest, struct error *err)
{
	const struct folder_check_plan plan = {
		.medium = medium,
		.dir = dir,
		.manifest = manifest,
		/* They wait for a server, which answers many at a time. */
		.threads = url_is(dir) ? FAR_THREADS : 1,
	};
	struct folder_check check = FOLDER_CHECK_INIT;
	int rc = folder_check_run(&check, &plan, err);

	if (rc == 0)
		rc = blame_shards(&check, &plan, err);
	folder_check_release(&check);
	return rc;
}
