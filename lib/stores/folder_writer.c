/*
 * folder_writer.c - see writer.h: writes shards that are folders, a file for
 * each field.
 *
 * Labels are in the index only: a file for each would double the number of
 * files, which is what makes such a store slow.
 *
 * A folder gets its name when it is complete.  An object store has no folders
 * and renames nothing: there each file is published with its final name, and
 * the index, which comes later, makes the shard complete.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/names.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"
#include "lib/files/url.h"
#include "lib/formats/field_file.h"
#include "lib/formats/name.h"
#include "lib/media/medium.h"
#include "lib/stores/files.h"
#include "lib/stores/writer.h"

enum { RENAME_TRIES = 16 };

/* The files that a shard in an object store has so far. */
struct far_files {
	struct arena arena; /* owns the names */
	struct names names; /* paths */
	struct names ours;  /* those that replaced nothing */
};

int folder_begin(struct shard_writer *writer, struct error *err)
{
	if (url_is(writer->path)) {
		writer->temporary = strdup(writer->path);
		writer->far = calloc(1, sizeof(*writer->far));
		if (!writer->temporary || !writer->far)
			return error_memory(err, strlen(writer->path));
		*writer->far =
		    (struct far_files){ ARENA_INIT, NAMES_INIT, NAMES_INIT };
		return 0;
	}
	writer->temporary =
	    medium_temporary_folder(writer->sink.medium, writer->dir, err);
	return writer->temporary ? 0 : -1;
}

/* Does the shard have the file writer->file_path already? */
static bool has_file(const struct shard_writer *writer)
{
	const char *path = (const char *)writer->file_path.data;

	return writer->far
	           ? names_find(&writer->far->names, span_text(path)) >= 0
	           : medium_exists(writer->sink.medium, path);
}

/* Notes the far file writer->file_path, whose name may be new. */
static int note_file(
    struct shard_writer *writer, bool is_ours, struct error *err)
{
	struct far_files *far = writer->far;
	const struct span path =
	    span_text((const char *)writer->file_path.data);
	unsigned char *copy = arena_take(&far->arena, path.len + 1, 1, err);
	const struct span name = { copy, path.len };

	if (!copy)
		return -1;
	memcpy(copy, path.data, path.len + 1);
	return (is_ours && names_number(&far->ours, name, err) < 0) ||
	               names_number(&far->names, name, err) < 0
	           ? -1
	           : 0;
}

/* Sets the path of a file in the shard's temporary folder, terminated. */
static int set_path(
    struct shard_writer *writer, struct span name, struct error *err)
{
	struct buf *path = &writer->file_path;
	const char *suffix = writer->form->codec.ops->suffix;

	path->len = 0;
	if (buf_printf(path, err, "%s/%.*s%s", writer->temporary, (int)name.len,
	        (const char *)name.data, suffix))
		return -1;
	if (path->len >= PATH_MAX)
		return error_set(err, ERROR_DATA,
		    "its path would have %zu bytes, more than %d", path->len,
		    PATH_MAX - 1);
	name.data = path->data + strlen(writer->temporary) + 1;
	name.len = path->len - strlen(writer->temporary) - 1;
	return name_check_path(name, err);
}

/* Makes the folder of the current file, and syncs the one before. */
static int enter_dir(struct shard_writer *writer, struct error *err)
{
	char *dir = path_dir((const char *)writer->file_path.data, err);

	if (!dir)
		return -1;
	if (writer->last_dir && strcmp(writer->last_dir, dir) == 0) {
		free(dir);
		return 0;
	}
	if (medium_make_dirs(writer->sink.medium, dir, err) ||
	    (writer->last_dir &&
	        sink_sync_dir(&writer->sink, writer->last_dir, err))) {
		free(dir);
		return -1;
	}
	free(writer->last_dir);
	writer->last_dir = dir;
	return 0;
}

/* Compresses a file into a stream of one frame. */
static int compress(
    struct shard_writer *writer, struct span in, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;
	const int level = writer->form->codec.level;
	struct buf *packed = &writer->packed;

	packed->len = 0;
	if ((codec->head && codec->head(level, packed, err)) ||
	    writer_encode(writer, in, err))
		return -1;
	if (!codec->tail)
		return 0;
	return codec->tail(
	    codec->sum(codec->sum_start, in), in.len, packed, err);
}

/* Returns the bytes of the file, compressed or not. */
static int pack_file(struct shard_writer *writer, const struct field_file *file,
    struct span *bytes, struct error *err)
{
	struct buf *raw = &writer->raw;

	raw->len = 0;
	if (buf_append(raw, file->head.data, file->head.len, err) ||
	    buf_append(raw, file->data.data, file->data.len, err))
		return -1;
	*bytes = buf_span(raw);
	if (!writer->form->codec.ops->encode)
		return 0;
	if (compress(writer, *bytes, err))
		return -1;
	*bytes = buf_span(&writer->packed);
	return 0;
}

static int write_far_file(
    struct shard_writer *writer, struct span bytes, struct error *err)
{
	const char *path = (const char *)writer->file_path.data;
	struct medium_file *file = sink_begin(&writer->sink, path, err);
	bool is_ours;
	int rc = -1;

	if (file && sink_write(&writer->sink, file, bytes, err) == 0 &&
	    writer_publish(writer, file, path, &is_ours, err) == 0)
		rc = note_file(writer, is_ours, err);
	medium_close(file);
	return rc;
}

static int write_file(
    struct shard_writer *writer, struct span bytes, struct error *err)
{
	struct medium_file *file;
	int rc;

	if (writer->far)
		return write_far_file(writer, bytes, err);
	if (enter_dir(writer, err))
		return -1;
	file = sink_create(
	    &writer->sink, (const char *)writer->file_path.data, err);
	if (!file)
		return -1;
	rc = sink_write(&writer->sink, file, bytes, err);
	if (rc == 0)
		rc = sink_sync(&writer->sink, file, err);
	medium_close(file);
	return rc;
}

/* Checks all names of a sample before anything is written. */
static int check_names(struct shard_writer *writer, const struct sample *sample,
    struct name *name, struct error *err)
{
	const struct schema *schema = &writer->form->schema;
	char ext[NAME_EXT];

	if (name_set_key(name, sample->key, err) ||
	    name_check_path(sample->key, err))
		return -1;
	for (unsigned i = 0; i < schema->count; i++) {
		name_ext(&schema->fields[i], sample->fields[i].suffix, ext);
		if (set_path(writer, name_with(name, ext), err))
			return -1;
		if (has_file(writer))
			return error_set(
			    err, ERROR_DATA, "another sample has the same key");
	}
	return 0;
}

static int add_field(struct shard_writer *writer, const struct field *field,
    const struct tensor *tensor, struct name *name, struct index_file *entry,
    char ext[NAME_EXT], struct error *err)
{
	unsigned char header[NPY_HEADER_MAX];
	struct index_block *block = &writer->block;
	struct field_file file;
	struct span bytes;

	field_file_set(&file, field, tensor, header);
	name_ext(field, tensor->suffix, ext);
	if (set_path(writer, name_with(name, ext), err) ||
	    pack_file(writer, &file, &bytes, err) ||
	    write_file(writer, bytes, err))
		return -1;
	entry->ext = span_text(ext);
	entry->stored = bytes.len;
	entry->unpacked = writer->raw.len;
	hash_update(writer->hash, bytes.data, bytes.len);
	block->checksum = hash_bytes(bytes.data, bytes.len, block->checksum);
	block->stored += entry->stored;
	block->unpacked += entry->unpacked;
	return 0;
}

static int end_block(struct shard_writer *writer, struct error *err)
{
	struct index_block *block = &writer->block;

	if (block->samples == 0)
		return 0;
	block->offset = writer->index.stored;
	block->lines_len = writer->index.lines.len - block->lines;
	writer->index.stored += block->stored;
	if (shard_index_add(&writer->index, block, err))
		return -1;
	*block = (struct index_block){ .lines = writer->index.lines.len };
	return 0;
}

static int add_files(struct shard_writer *writer, const struct sample *sample,
    struct name *name, struct error *err)
{
	const struct schema *schema = &writer->form->schema;
	struct index_sample line = {
		.label = sample->label < 0 ? -1 : sample->label,
	};
	char ext[FIELDS_MAX][NAME_EXT];

	for (unsigned i = 0; i < schema->count; i++)
		if (add_field(writer, &schema->fields[i], &sample->fields[i],
		        name, &line.files[i], ext[i], err))
			return -1;
	line.stem.data = (const unsigned char *)name->text;
	line.stem.len = name->stem;
	if (index_sample_print(&line, schema->count, &writer->index.lines, err))
		return -1;
	writer->block.samples++;
	if (writer->block.samples == FILES_GROUP ||
	    writer->block.unpacked >= STORE_FRAME)
		return end_block(writer, err);
	return 0;
}

int folder_add(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	struct name name;

	if (check_names(writer, sample, &name, err))
		return -1;
	if (add_files(writer, sample, &name, err)) {
		writer->failed = true;
		return -1;
	}
	return 0;
}

int folder_finish(struct shard_writer *writer, struct error *err)
{
	if (end_block(writer, err))
		return -1;
	if (writer->last_dir &&
	    sink_sync_dir(&writer->sink, writer->last_dir, err))
		return -1;
	if (sink_sync_dir(&writer->sink, writer->temporary, err))
		return -1;
	writer->index.checksum = hash_digest(writer->hash);
	return 0;
}

/* Fails for a file of the existing folder that the new one does not replace. */
static int check_replaced(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const struct shard_writer *writer = arg;
	char *path = path_join(writer->temporary, name, err);
	const bool is_replaced = path && path_exists(path);

	UNUSED(bytes);
	free(path);
	return is_replaced ? 0 : -1;
}

/* Returns the first unused name of PATH.replaced, PATH.replaced2, ... */
static char *free_name(const char *path, struct error *err)
{
	struct buf name = BUF_INIT;
	int rc = buf_printf(&name, err, "%s.replaced", path);

	for (unsigned i = 2; rc == 0 && path_exists((const char *)name.data);
	     i++) {
		name.len = 0;
		rc = buf_printf(&name, err, "%s.replaced%u", path, i);
	}
	if (rc)
		buf_release(&name);
	return rc ? NULL : (char *)name.data;
}

/*
 * A folder cannot be renamed over one that is not empty. An existing folder is
 * removed if the new one replaces all of its files; else it is renamed.
 */
static int displace_old(struct shard_writer *writer, struct error *err)
{
	struct error ignored = ERROR_INIT;
	char *aside;
	int rc;

	if (!path_exists(writer->path) ||
	    path_each(writer->path, check_replaced, writer, &ignored) == 0)
		return path_remove_tree(writer->path, err);
	aside = free_name(writer->path, err);
	rc = aside ? path_rename(writer->path, aside, err) : -1;
	free(aside);
	return rc;
}

/* Another process may put the same folder there in between: it is tried again.
 */
int folder_rename(struct shard_writer *writer, struct error *err)
{
	struct medium *medium = writer->sink.medium;
	int rc = -1;

	if (writer->far)
		return 0;
	for (unsigned i = 0; rc && i < RENAME_TRIES; i++) {
		if (!medium_is_memory(medium) && displace_old(writer, err))
			return -1;
		rc =
		    medium_rename(medium, writer->temporary, writer->path, err);
		if (rc && !path_exists(writer->path))
			return -1;
	}
	return rc;
}

void folder_discard(struct shard_writer *writer)
{
	struct error ignored;

	if (writer->far)
		for (size_t i = 0; i < writer->far->ours.count; i++)
			writer_remove(writer,
			    (const char *)writer->far->ours.list[i].data);
	else if (writer->temporary)
		path_remove_tree(writer->temporary, &ignored);
}

void folder_release(struct shard_writer *writer)
{
	if (!writer->far)
		return;
	names_release(&writer->far->names);
	names_release(&writer->far->ours);
	arena_release(&writer->far->arena);
	free(writer->far);
}
