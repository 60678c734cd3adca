/*
 * arrays_writer.c - see arrays.h and writer.h: writes shards of arrays.
 *
 * Rows gather until the block of all files together has about 1 MiB; then it is
 * written as one part of each file. The headers need the number of rows, which
 * is known only at the end. So the first part is kept in memory, and written
 * again if the expected number was wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/medium.h"
#include "lib/stores/arrays.h"
#include "lib/stores/arrays_files.h"
#include "lib/stores/writer.h"

static int open_file(
    struct shard_writer *writer, unsigned part, struct error *err)
{
	const struct shard_place place = { writer->sink.medium, writer->dir,
		writer->form, writer->number };
	struct array_file *file = &writer->arrays->files[part];

	file->path = arrays_path(&place, part, err);
	if (!file->path)
		return -1;
	file->hash = hash_new();
	if (!file->hash)
		return error_set(err, ERROR_MEMORY, "out of memory");
	file->file = sink_begin(&writer->sink, file->path, err);
	return file->file ? 0 : -1;
}

int arrays_begin(struct shard_writer *writer, struct error *err)
{
	writer->arrays = calloc(1, sizeof(*writer->arrays));
	if (!writer->arrays)
		return error_memory(err, sizeof(*writer->arrays));
	writer->arrays->count = index_parts(&writer->index.form);
	for (unsigned i = 0; i < writer->arrays->count; i++)
		if (open_file(writer, i, err))
			return -1;
	return 0;
}

/* ---- samples ---- */

static int check_shape(const struct field *field, const struct shape *row,
    const struct shape *shape, struct error *err)
{
	char is[SHAPE_TEXT], wanted[SHAPE_TEXT];

	if (shape_equal(row, shape))
		return 0;
	return error_set(err, ERROR_DATA,
	    "field %s: its shape is %s, that of the shard is %s: npy needs "
	    "samples of one shape",
	    field->name, shape_text(shape, is), shape_text(row, wanted));
}

static bool is_first(const struct shard_writer *writer)
{
	return writer->index.count == 0 && writer->block.samples == 0;
}

/* Takes shapes from the first sample; without one, unknown dims are 0. */
static void set_shapes(struct shard_writer *writer, const struct sample *sample)
{
	const struct schema *schema = &writer->form->schema;

	for (unsigned i = 0; i < schema->count; i++) {
		struct shape *row = &writer->index.rows[i];

		*row = sample ? sample->fields[i].shape
		              : schema->fields[i].type.shape;
		for (unsigned d = 0; d < row->count; d++)
			if (row->dims[d] < 0)
				row->dims[d] = 0;
	}
}

/* Puts headers for `samples` samples in front of the rows. */
static int begin_rows(
    struct shard_writer *writer, uint64_t samples, struct error *err)
{
	struct array_files *arrays = writer->arrays;
	unsigned char header[NPY_HEADER_MAX];

	arrays->said = samples;
	for (unsigned i = 0; i < arrays->count; i++) {
		const size_t len = arrays_header(
		    writer->form, i, &writer->index.rows[i], samples, header);
		struct buf *raw = &arrays->files[i].raw;

		raw->len = 0;
		if (buf_append(raw, header, len, err))
			return -1;
	}
	return 0;
}

static int check_sample(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	const struct schema *schema = &writer->form->schema;

	if (sample->key.len > KEY_MAX)
		return error_set(err, ERROR_DATA,
		    "the key has %zu bytes, more than %d", sample->key.len,
		    KEY_MAX);
	if (is_first(writer)) {
		set_shapes(writer, sample);
		return begin_rows(writer, writer->expected, err);
	}
	for (unsigned i = 0; i < schema->count; i++)
		if (check_shape(&schema->fields[i], &writer->index.rows[i],
		        &sample->fields[i].shape, err))
			return -1;
	return 0;
}

static int append_rows(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	const int64_t label = sample->label < 0 ? -1 : sample->label;
	const unsigned fields = writer->form->schema.count;
	struct array_file *files = writer->arrays->files;

	for (unsigned i = 0; i < fields; i++)
		if (buf_append(&files[i].raw, sample->fields[i].data,
		        sample->fields[i].bytes, err))
			return -1;
	if (buf_append(&files[arrays_labels(writer->form)].raw, &label,
	        sizeof(label), err))
		return -1;
	return arrays_put_key(
	    sample->key, &files[arrays_keys(writer->form)].raw, err);
}

/* Adds all rows of a sample, or none. */
static int add_rows(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	struct array_files *arrays = writer->arrays;
	size_t before[PARTS_MAX];

	for (unsigned i = 0; i < arrays->count; i++)
		before[i] = arrays->files[i].raw.len;
	if (append_rows(writer, sample, err) == 0) {
		arrays->has_labels |= sample->label >= 0;
		writer->block.samples++;
		return 0;
	}
	for (unsigned i = 0; i < arrays->count; i++)
		arrays->files[i].raw.len = before[i];
	return -1;
}

int arrays_add(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	struct array_files *arrays = writer->arrays;
	size_t bytes = 0;

	for (unsigned i = 0; i < arrays->count; i++)
		bytes += arrays->files[i].raw.len;
	if (writer->block.samples > 0 &&
	    bytes >= store_block(&writer->form->codec) &&
	    arrays_flush(writer, err))
		return -1;
	if (check_sample(writer, sample, err))
		return -1;
	return add_rows(writer, sample, err);
}

/* ---- the end ---- */

/* Writes the last block. Only now is the number of samples known. */
static int flush_last(struct shard_writer *writer, struct error *err)
{
	struct array_files *arrays = writer->arrays;

	if (is_first(writer)) {
		set_shapes(writer, NULL);
		if (begin_rows(writer, 0, err))
			return -1;
	} else if (writer->index.count == 0) {
		arrays->said = writer->block.samples;
		for (unsigned i = 0; i < arrays->count; i++)
			arrays_set_header(
			    writer, i, arrays->said, &arrays->files[i].raw);
	}
	if (writer->index.count > 0 && writer->block.samples == 0)
		return 0;
	return arrays_flush(writer, err);
}

/* Drops the labels if no sample has one. */
static void drop_labels(struct shard_writer *writer)
{
	const unsigned labels = arrays_labels(writer->form);
	struct shard_index *index = &writer->index;
	struct array_file *file = &writer->arrays->files[labels];

	medium_close(file->file);
	file->file = NULL;
	file->stored = 0;
	for (size_t b = 0; b < index->count; b++)
		index->parts[b * writer->arrays->count + labels] =
		    (struct index_part){ .stored = 0 };
}

/* Computes the sums of the index from its final parts. */
static void add_up(struct shard_writer *writer)
{
	struct shard_index *index = &writer->index;
	const unsigned count = writer->arrays->count;
	uint64_t offset = 0;

	index->unpacked = 0;
	index->stored = 0;
	for (size_t b = 0; b < index->count; b++) {
		struct index_block *block = &index->blocks[b];

		block->offset = offset;
		block->stored = 0;
		block->unpacked = 0;
		for (unsigned i = 0; i < count; i++) {
			block->stored += index->parts[b * count + i].stored;
			block->unpacked += index->parts[b * count + i].unpacked;
		}
		block->checksum = shard_index_sum_parts(index, b);
		index->unpacked += block->unpacked;
		offset += block->stored;
	}
	for (unsigned i = 0; i < count; i++)
		index->stored += writer->arrays->files[i].stored;
	index->checksum = shard_index_sum_blocks(index);
}

int arrays_finish(struct shard_writer *writer, struct error *err)
{
	struct array_files *arrays = writer->arrays;

	if (flush_last(writer, err))
		return -1;
	if (arrays->said != writer->index.samples &&
	    arrays_say(writer, writer->index.samples, err))
		return -1;
	if (!arrays->has_labels)
		drop_labels(writer);
	for (unsigned i = 0; i < arrays->count; i++)
		if (arrays->files[i].file && arrays_end_file(writer, i, err))
			return -1;
	add_up(writer);
	return 0;
}

/* Renames the first file last: it makes the shard complete. */
int arrays_rename(struct shard_writer *writer, struct error *err)
{
	struct array_files *arrays = writer->arrays;
	const unsigned labels = arrays_labels(writer->form);

	if (!arrays->has_labels)
		/* left by an earlier shard */
		writer_remove(writer, arrays->files[labels].path);
	for (unsigned i = arrays->count; i-- > 0;) {
		struct array_file *file = &arrays->files[i];

		if (i == labels && !arrays->has_labels)
			continue;
		if (writer_publish(
		        writer, file->file, file->path, &file->is_ours, err))
			return -1;
	}
	return 0;
}

void arrays_discard(struct shard_writer *writer)
{
	struct array_files *arrays = writer->arrays;

	for (unsigned i = 0; arrays && i < arrays->count; i++) {
		const struct array_file *file = &arrays->files[i];

		if (file->is_ours)
			writer_remove(writer, file->path);
	}
}

void arrays_release(struct shard_writer *writer)
{
	struct array_files *arrays = writer->arrays;

	for (unsigned i = 0; arrays && i < arrays->count; i++) {
		struct array_file *file = &arrays->files[i];

		medium_close(file->file);
		hash_free(file->hash);
		buf_release(&file->raw);
		buf_release(&file->first);
		free(file->path);
	}
	free(arrays);
}
