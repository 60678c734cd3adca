/* reader.c - chunks, and code common to all readers; see reader.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"

static void release_files(struct chunk *chunk)
{
	for (unsigned i = 0; i < FIELDS_MAX; i++) {
		mapping_release(&chunk->mappings[i]);
		late_read_release(&chunk->late[i]);
	}
}

void chunk_release(struct chunk *chunk)
{
	release_files(chunk);
	buf_release(&chunk->stored);
	buf_release(&chunk->unpacked);
	free(chunk->parts);
	*chunk = (struct chunk)CHUNK_INIT;
}

void chunk_reset(struct chunk *chunk)
{
	struct chunk empty = {
		.stored = chunk->stored,
		.unpacked = chunk->unpacked,
		.parts = chunk->parts,
		.part_capacity = chunk->part_capacity,
	};

	release_files(chunk);
	empty.stored.len = 0;
	empty.unpacked.len = 0;
	*chunk = empty;
}

int chunk_check(const struct chunk *chunk, int rc, struct error *err)
{
	for (unsigned i = 0; i < FIELDS_MAX; i++)
		if (mapping_check(&chunk->mappings[i], 0, err))
			return -1;
	return rc;
}

int chunk_add_part(struct chunk *chunk, size_t offset, size_t len,
    uint64_t item, struct error *err)
{
	struct chunk_part *parts = array_grow(chunk->parts,
	    &chunk->part_capacity, chunk->part_count + 1, sizeof(*parts), err);

	if (!parts)
		return -1;
	chunk->parts = parts;
	parts[chunk->part_count++] = (struct chunk_part){
		.offset = offset,
		.len = len,
		.item = item,
	};
	return 0;
}

int chunk_set_parts(struct chunk *chunk, size_t count, struct error *err)
{
	struct chunk_part *parts = array_grow(
	    chunk->parts, &chunk->part_capacity, count, sizeof(*parts), err);

	if (!parts)
		return -1;
	chunk->parts = parts;
	chunk->part_count = count;
	if (count)
		memset(parts, 0, count * sizeof(*parts));
	return 0;
}

unsigned char *chunk_writable(struct chunk *chunk, const unsigned char *at)
{
	const uintptr_t start = (uintptr_t)chunk->unpacked.data;
	const uintptr_t place = (uintptr_t)at;
	unsigned char *base = chunk->mappings[0].base;

	if (place >= start && place - start < chunk->unpacked.len)
		return chunk->unpacked.data + (at - chunk->unpacked.data);
	if (!base)
		base = chunk->stored.data;
	return base + (at - base);
}

struct chunk_mark chunk_get_mark(const struct chunk *chunk)
{
	return (struct chunk_mark){
		.at = chunk->at,
		.left = chunk->left,
		.item = chunk->at < chunk->part_count
		            ? chunk->parts[chunk->at].item
		            : 0,
	};
}

void chunk_set_mark(struct chunk *chunk, struct chunk_mark mark)
{
	chunk->at = mark.at;
	chunk->left = mark.left;
	if (mark.at < chunk->part_count)
		chunk->parts[mark.at].item = mark.item;
}

int reader_no_files(const struct reader *reader, reader_visit *visit, void *arg,
    struct error *err)
{
	UNUSED(reader);
	UNUSED(visit);
	UNUSED(arg);
	UNUSED(err);
	return 0;
}

void reader_free(struct reader *reader)
{
	if (reader)
		reader->ops->free(reader);
}

struct reader *reader_new(
    const struct reader_ops *ops, size_t priv_size, struct error *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	void *priv = calloc(1, priv_size);

	if (!reader || !priv) {
		free(priv);
		free(reader);
		error_memory(err, priv_size);
		return NULL;
	}
	reader->ops = ops;
	reader->priv = priv;
	return reader;
}

void reader_dispose(struct reader *reader)
{
	buf_release(&reader->notes);
	free(reader->priv);
	free(reader);
}

int reader_add_note(struct reader *reader, const char *text, struct error *err)
{
	return buf_printf(
	    &reader->notes, err, "%s%s", reader->notes.len ? "\n" : "", text);
}

int reader_unpacker_new(
    const struct reader *reader, void **unpacker, struct error *err)
{
	*unpacker = NULL;
	if (!reader->ops->unpacker_new)
		return 0;
	*unpacker = reader->ops->unpacker_new(reader, err);
	return *unpacker ? 0 : -1;
}

void reader_unpacker_free(const struct reader *reader, void *unpacker)
{
	if (unpacker)
		reader->ops->unpacker_free(unpacker);
}

int reader_unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	chunk->bytes = buf_span(&chunk->stored);
	if (!reader->ops->unpack)
		return 0;
	return reader->ops->unpack(reader, unpacker, chunk, err);
}

int reader_judge(
    const struct reader *reader, uint64_t losses, int rc, struct error *err)
{
	struct error changed = ERROR_INIT;

	if (!reader->ops->judge || reader->ops->judge(reader, &changed) == 0)
		return mapping_judge(losses, rc, err);
	*err = changed;
	return -1;
}

void reader_where(const struct reader *reader, const struct chunk *chunk,
    const struct sample *sample, char where[KEY_TEXT])
{
	where[0] = '\0';
	if (reader->ops->locate)
		reader->ops->locate(reader, chunk, where, KEY_TEXT);
	else
		key_text(sample->key, where);
}

int reader_blame(const struct reader *reader, const struct chunk *chunk,
    const struct sample *sample, struct error *err)
{
	char where[KEY_TEXT];

	reader_where(reader, chunk, sample, where);
	return error_prefix(err, "sample %s", where);
}
