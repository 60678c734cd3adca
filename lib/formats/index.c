/* index.c - see index.h: the index in memory, and writing it. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/formats/index.h"

void shard_index_release(struct shard_index *index)
{
	free(index->blocks);
	free(index->parts);
	buf_release(&index->lines);
	file_list_release(&index->files);
	*index = (struct shard_index)SHARD_INDEX_INIT;
}

int shard_index_add(struct shard_index *index, const struct index_block *block,
    struct error *err)
{
	struct index_block *blocks = array_grow(index->blocks, &index->capacity,
	    index->count + 1, sizeof(*blocks), err);

	if (!blocks)
		return -1;
	index->blocks = blocks;
	if (__builtin_add_overflow(
	        index->samples, block->samples, &index->samples) ||
	    __builtin_add_overflow(
	        index->unpacked, block->unpacked, &index->unpacked))
		return error_set(
		    err, ERROR_DATA, "its blocks hold more than can be");
	blocks[index->count++] = *block;
	return 0;
}

int shard_index_add_part(
    struct shard_index *index, const struct index_part *part, struct error *err)
{
	struct index_part *parts = array_grow(index->parts,
	    &index->part_capacity, index->part_count + 1, sizeof(*parts), err);

	if (!parts)
		return -1;
	index->parts = parts;
	parts[index->part_count++] = *part;
	return 0;
}

uint64_t shard_index_sum_parts(const struct shard_index *index, size_t block)
{
	const unsigned count = index_parts(&index->form);
	uint64_t sums[PARTS_MAX];

	for (unsigned i = 0; i < count; i++)
		sums[i] = index->parts[block * count + i].checksum;
	return hash_bytes(sums, count * sizeof(sums[0]), 0);
}

uint64_t shard_index_sum_blocks(const struct shard_index *index)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < index->count; i++)
		sum = hash_bytes(&index->blocks[i].checksum, sizeof(sum), sum);
	return sum;
}

static int print_parts(const struct shard_index *index, size_t block,
    struct buf *text, struct error *err)
{
	const unsigned count = index_parts(&index->form);

	for (unsigned i = 0; i < count; i++) {
		const struct index_part *part =
		    &index->parts[block * count + i];

		if (buf_printf(text, err,
		        "part %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64
		        "\n",
		        part->offset, part->stored, part->unpacked,
		        part->checksum))
			return -1;
	}
	return 0;
}

static int print_block(const struct shard_index *index,
    const struct index_block *block, struct buf *text, struct error *err)
{
	if (buf_printf(text, err,
	        "block %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	        " %016" PRIx64 "\n",
	        block->offset, block->stored, block->unpacked, block->samples,
	        block->checksum))
		return -1;
	if (block->lines_len == 0)
		return 0;
	return buf_append(
	    text, index->lines.data + block->lines, block->lines_len, err);
}

static int print_files(
    const struct file_list *list, struct buf *text, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct listed_file *file = &list->files[i];

		if (buf_printf(text, err,
		        "file %" PRIu64 " %016" PRIx64 " %s\n", file->sum.bytes,
		        file->sum.checksum, file->name))
			return -1;
	}
	return 0;
}

int shard_index_print(
    const struct shard_index *index, struct buf *text, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (buf_printf(text, err,
	        "presto index 2\nsamples %" PRIu64 "\nstored %" PRIu64
	        "\nunpacked %" PRIu64 "\nchecksum %016" PRIx64 "\n",
	        index->samples, index->stored, index->unpacked,
	        index->checksum))
		return -1;
	for (unsigned i = 0; i < index->form.arrays; i++)
		if (buf_printf(text, err, "rows %s\n",
		        shape_text(&index->rows[i], shape)))
			return -1;
	if (print_files(&index->files, text, err) ||
	    buf_printf(text, err, "blocks %zu\n", index->count))
		return -1;
	for (size_t i = 0; i < index->count; i++)
		if (print_block(index, &index->blocks[i], text, err) ||
		    print_parts(index, i, text, err))
			return -1;
	return buf_printf(text, err, "end %016" PRIx64 "\n",
	    hash_bytes(text->data, text->len, 0));
}

int index_sample_print(const struct index_sample *sample, unsigned fields,
    struct buf *lines, struct error *err)
{
	if (buf_printf(lines, err, "sample %" PRId64, sample->label))
		return -1;
	for (unsigned i = 0; i < fields; i++) {
		const struct index_file *file = &sample->files[i];

		if (buf_printf(lines, err, " %" PRIu64 " %" PRIu64 " %.*s",
		        file->stored, file->unpacked, (int)file->ext.len,
		        (const char *)file->ext.data))
			return -1;
	}
	return buf_printf(lines, err, " %.*s\n", (int)sample->stem.len,
	    (const char *)sample->stem.data);
}
