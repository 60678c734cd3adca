/*
 * arrays_reader.c - see arrays.h: a chunk is some rows, mapped or read with one
 * request for each field. Short files of labels and keys are read when the
 * stream is opened, long ones together with the rows.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/medium.h"
#include "lib/stores/arrays.h"
#include "lib/stores/stored.h"

struct arrays_stream {
	struct shard_stream *shard;
	struct rows_head head; /* head of every chunk, without `parts` */
	struct medium_file *files[PARTS_MAX]; /* NULL: file is in memory */
	struct buf labels, keys;
};

enum { WHOLE_MOST = 1 << 20 }; /* bytes of labels or keys */

static size_t align(size_t at)
{
	return (at + ARRAYS_ALIGN - 1) & ~(size_t)(ARRAYS_ALIGN - 1);
}

/* ---- streams ---- */

static void stream_close(void *arg)
{
	struct arrays_stream *stream = arg;

	if (!stream)
		return;
	for (unsigned i = 0; i < PARTS_MAX; i++)
		medium_close(stream->files[i]);
	buf_release(&stream->labels);
	buf_release(&stream->keys);
	stored_stream_close(stream->shard);
	free(stream);
}

static int check_size(
    const char *path, uint64_t is, uint64_t wanted, struct error *err)
{
	if (is == wanted)
		return 0;
	return error_set(err, ERROR_DATA, "%s: has %llu bytes, expected %llu",
	    path, (unsigned long long)is, (unsigned long long)wanted);
}

/* Opens the file of a part; reads short files of labels and keys. */
static int open_part(struct arrays_stream *stream, unsigned part,
    uint64_t bytes, struct error *err)
{
	const struct stored *stored = stream->shard->stored;
	const struct store_form *form = &stored->manifest.form;
	const struct shard_place place = { stored->medium, stored->dir, form,
		(unsigned)stream->shard->shard };
	struct buf *whole =
	    part == arrays_keys(form) ? &stream->keys : &stream->labels;
	char *path = arrays_path(&place, part, err);
	int rc = -1;

	if (!path)
		return -1;
	if (part >= form->schema.count && bytes <= WHOLE_MOST) {
		rc = medium_slurp(stored->medium, path, whole, err);
		if (rc == 0)
			rc = check_size(path, whole->len, bytes, err);
	} else {
		stream->files[part] = medium_open(stored->medium, path, err);
		if (stream->files[part])
			rc = check_size(
			    path, medium_size(stream->files[part]), bytes, err);
	}
	free(path);
	return rc;
}

static int open_files(struct arrays_stream *stream, struct error *err)
{
	const struct store_form *form = &stream->shard->stored->manifest.form;
	const struct shard_index *index = &stream->shard->index;
	struct rows_head *head = &stream->head;
	uint64_t bytes[PARTS_MAX];

	if (arrays_check_index(form, index, bytes, err))
		return error_prefix(err, "%s", stream->shard->path);
	head->shard_samples = index->samples;
	for (unsigned i = 0; i < form->schema.count; i++) {
		const struct type type = {
			.dtype = form->schema.fields[i].type.dtype,
			.shape = index->rows[i],
		};

		head->shapes[i] = type.shape;
		head->row_bytes[i] = (size_t)type_bytes(&type);
	}
	for (unsigned i = 0; i < index_parts(&index->form); i++)
		if ((i != arrays_labels(form) || bytes[i] > 0) &&
		    open_part(stream, i, bytes[i], err))
			return -1;
	return 0;
}

static void *stream_open(
    const struct reader *reader, size_t shard, struct error *err)
{
	struct arrays_stream *stream = memory_zeroed(sizeof(*stream), err);

	if (!stream)
		return NULL;
	stream->shard = stored_stream_open(reader, shard, err);
	if (!stream->shard || open_files(stream, err)) {
		stream_close(stream);
		return NULL;
	}
	return stream;
}

/* ---- fetching ---- */

static struct rows_head *writable_head(struct chunk *chunk)
{
	return (struct rows_head *)(void *)chunk->stored.data;
}

/* Makes room for the head and the aligned parts. */
static int reserve(const struct index_block *block, unsigned parts,
    struct chunk *chunk, struct error *err)
{
	return stored_reserve(&chunk->stored,
	    sizeof(struct rows_head) + block->stored +
	        (parts + 1) * ARRAYS_ALIGN,
	    err);
}

/* Maps or notes the rows of a field, or reads them to chunk->stored's end. */
static int fetch_rows(const struct arrays_stream *stream, unsigned i,
    const struct index_part *part, struct chunk *chunk, struct error *err)
{
	struct rows_head *head = writable_head(chunk);
	unsigned char *to = chunk->stored.data + align(chunk->stored.len);

	if (chunk->reads_late && medium_note(stream->files[i], part->offset,
	                             part->stored, &chunk->late[i]))
		return 0;
	if (chunk->view_window)
		medium_widen(stream->files[i], chunk->view_window);
	if (medium_map(stream->files[i], part->offset, part->stored,
	        &chunk->mappings[i], &to)) {
		head->data[i] = to;
		return 0;
	}
	if (medium_read_full(
	        stream->files[i], part->offset, to, part->stored, err))
		return -1;
	head->data[i] = to;
	chunk->stored.len = align(chunk->stored.len) + part->stored;
	return 0;
}

/* Maps or reads a part, or takes it from memory. The chunk has room. */
static int fetch_part(const struct arrays_stream *stream, unsigned i,
    const struct index_part *part, struct chunk *chunk, struct error *err)
{
	const struct store_form *form = &stream->shard->stored->manifest.form;
	const struct buf *whole =
	    i == arrays_keys(form) ? &stream->keys : &stream->labels;
	const size_t at = align(chunk->stored.len);

	if (chunk_add_part(chunk, at, part->stored, part->unpacked, err))
		return -1;
	if (i < form->schema.count)
		return fetch_rows(stream, i, part, chunk, err);
	if (stream->files[i] && medium_read_full(stream->files[i], part->offset,
	                            chunk->stored.data + at, part->stored, err))
		return -1;
	if (!stream->files[i] && part->stored > 0)
		memcpy(chunk->stored.data + at, whole->data + part->offset,
		    part->stored);
	chunk->stored.len = at + part->stored;
	return 0;
}

static int chunk_fetch(
    void *arg, uint64_t number, struct chunk *chunk, struct error *err)
{
	struct arrays_stream *stream = arg;
	const struct shard_index *index = &stream->shard->index;
	const unsigned parts = index_parts(&index->form);
	const struct index_block *block =
	    stored_block(stream->shard, number, chunk, err);
	const struct index_part *first;
	struct rows_head *head;

	if (!block)
		return -1;
	if (reserve(block, parts, chunk, err) ||
	    chunk_add_part(
	        chunk, block->offset, block->stored, block->checksum, err))
		return -1;
	first = &index->parts[chunk->number * parts];
	head = writable_head(chunk);
	*head = stream->head;
	memcpy(head->parts, first, parts * sizeof(*first));
	chunk->stored.len = sizeof(*head);
	for (unsigned i = 0; i < parts; i++)
		if (fetch_part(stream, i, &first[i], chunk, err))
			return -1;
	return 1;
}

static int stream_fetch(void *arg, struct chunk *chunk, struct error *err)
{
	struct arrays_stream *stream = arg;
	uint64_t number;

	return stored_take_block(stream->shard, &number)
	           ? chunk_fetch(stream, number, chunk, err)
	           : 0;
}

/* ---- unpacking ---- */

static const struct rows_head *head_of(const struct chunk *chunk)
{
	return (const struct rows_head *)(const void *)chunk->stored.data;
}

/* Prefixes an error with "DIR/shard-000001.npy: block at byte 4096: ". */
static int blame(const struct reader *reader, const struct chunk *chunk,
    unsigned part, struct error *err)
{
	const struct stored *stored = reader->priv;
	const struct shard_place place = { stored->medium, stored->dir,
		store_form(reader),
		(unsigned)stored_shard(stored, chunk->stream) };
	struct error ignored;
	char *path = arrays_path(&place, part, &ignored);

	error_prefix(err, "%s: block at byte %llu", path ? path : "a shard",
	    (unsigned long long)head_of(chunk)->parts[part].offset);
	free(path);
	return -1;
}

static int check(
    const struct reader *reader, const struct chunk *chunk, struct error *err)
{
	const struct rows_head *head = head_of(chunk);

	if (stored_is_verified(reader, chunk))
		return 0;
	for (unsigned i = 0; i + 1 < chunk->part_count; i++) {
		const struct chunk_part *part = &chunk->parts[i + 1];
		const unsigned char *data =
		    i < reader->schema.count
		        ? head->data[i]
		        : chunk->stored.data + part->offset;

		if (part->len > 0 &&
		    hash_bytes(data, part->len, 0) != head->parts[i].checksum) {
			error_set(
			    err, ERROR_DATA, "its checksum differs: damaged");
			return blame(reader, chunk, i, err);
		}
	}
	stored_set_verified(reader, chunk);
	return 0;
}

/* Decompresses a field's rows into chunk->unpacked; its part moves there. */
static int decode(const struct unpacker *unpacker, struct chunk *chunk,
    unsigned field, struct error *err)
{
	struct chunk_part *part = &chunk->parts[field + 1];
	const struct span frame = { head_of(chunk)->data[field], part->len };

	chunk->unpacked.len = align(chunk->unpacked.len);
	return stored_decode_part(unpacker, frame, chunk, part, err);
}

/* Decompresses all fields, then sets addresses: memory may move before. */
static int decode_fields(const struct reader *reader,
    const struct unpacker *unpacker, struct chunk *chunk, struct error *err)
{
	const unsigned fields = reader->schema.count;
	struct rows_head *head = writable_head(chunk);

	chunk->unpacked.len = 0;
	if (stored_reserve(&chunk->unpacked,
	        chunk->unpacked_len + fields * ARRAYS_ALIGN, err))
		return -1;
	for (unsigned i = 0; i < fields; i++)
		if (decode(unpacker, chunk, i, err))
			return blame(reader, chunk, i, err);
	for (unsigned i = 0; i < fields; i++)
		head->data[i] =
		    chunk->unpacked.data + chunk->parts[i + 1].offset;
	return 0;
}

/* Reads the rows that were only noted. */
static int read_late(
    const struct reader *reader, struct chunk *chunk, struct error *err)
{
	struct rows_head *head = writable_head(chunk);
	size_t at = 0, bytes = 0;

	for (unsigned i = 0; i < reader->schema.count; i++)
		bytes += align(chunk->late[i].bytes);
	if (bytes == 0)
		return 0;
	if (stored_reserve(&chunk->unpacked, bytes, err))
		return -1;
	for (unsigned i = 0; i < reader->schema.count; i++) {
		const size_t len = chunk->late[i].bytes;

		if (len == 0)
			continue;
		head->data[i] = chunk->unpacked.data + at;
		if (late_read_finish(
		        &chunk->late[i], chunk->unpacked.data + at, err))
			return blame(reader, chunk, i, err);
		at += align(len);
	}
	return 0;
}

/* Checks that the file's header says the same as the index. */
static int check_header(const struct reader *reader, const struct chunk *chunk,
    unsigned field, struct span bytes, struct error *err)
{
	const struct rows_head *head = head_of(chunk);
	const struct type *type = &reader->schema.fields[field].type;
	const struct shape *row = &head->shapes[field];
	struct shape shape;
	enum dtype dtype;
	size_t data;

	if (npy_read_header(
	        bytes, type_is_filtered(type), &dtype, &shape, &data, err))
		return -1;
	if (dtype == type->dtype && shape.count == row->count + 1 &&
	    (uint64_t)shape.dims[0] == head->shard_samples &&
	    memcmp(shape.dims + 1, row->dims,
	        row->count * sizeof(row->dims[0])) == 0 &&
	    data == bytes.len - chunk->samples * head->row_bytes[field])
		return 0;
	return error_set(
	    err, ERROR_DATA, "the .npy header is not what the index says");
}

/* Checks the header and skips it. */
static int find_rows(const struct reader *reader, struct chunk *chunk,
    unsigned field, struct error *err)
{
	struct rows_head *head = writable_head(chunk);
	struct chunk_part *part = &chunk->parts[field + 1];
	const size_t rows = chunk->samples * head->row_bytes[field];
	const struct span bytes = { head->data[field], part->len };

	if (chunk->number == 0 &&
	    check_header(reader, chunk, field, bytes, err))
		return blame(reader, chunk, field, err);
	head->data[field] += part->len - rows;
	part->len = rows;
	return 0;
}

static int unpack(const struct reader *reader, void *arg, struct chunk *chunk,
    struct error *err)
{
	const struct unpacker *unpacker = arg;
	const unsigned fields = reader->schema.count;
	struct chunk_part *labels = &chunk->parts[1 + fields];

	chunk->at = 0;
	if (read_late(reader, chunk, err) || check(reader, chunk, err))
		return -1;
	if (unpacker->ops->decode &&
	    decode_fields(reader, unpacker, chunk, err))
		return -1;
	for (unsigned i = 0; i < fields; i++)
		if (find_rows(reader, chunk, i, err))
			return -1;
	if (labels->len > 0) { /* skip the header, if there is one */
		labels->offset +=
		    labels->len - chunk->samples * sizeof(int64_t);
		labels->len = chunk->samples * sizeof(int64_t);
	}
	return 0;
}

/* ---- samples ---- */

/* Returns the next key; its escapes are undone in place. */
static int take_key(struct chunk *chunk, struct chunk_part *keys,
    struct span *key, struct error *err)
{
	unsigned char *line = chunk->stored.data + keys->offset;
	const unsigned char *end = memchr(line, '\n', keys->len);
	size_t len;

	if (!end)
		return error_set(err, ERROR_DATA, "there are too few keys");
	len = (size_t)(end - line);
	keys->offset += len + 1;
	keys->len -= len + 1;
	if (memchr(line, '%', len) && arrays_take_key(line, &len))
		return error_set(err, ERROR_DATA, "a key is damaged");
	key->data = line;
	key->len = len;
	return 0;
}

static int64_t label_at(const struct chunk *chunk, size_t offset, size_t row)
{
	int64_t label;

	memcpy(&label, chunk->stored.data + offset + row * sizeof(label),
	    sizeof(label));
	return label < 0 ? -1 : label;
}

/* Goes past a row that the dataset leaves out. */
static int pass_row(
    const struct reader *reader, struct chunk *chunk, struct error *err)
{
	const unsigned fields = reader->schema.count;
	struct span key;

	if (take_key(chunk, &chunk->parts[2 + fields], &key, err))
		return blame(reader, chunk, 1 + fields, err);
	chunk->at++;
	return 0;
}

static int next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct rows_head *head = head_of(chunk);
	const struct schema *schema = &reader->schema;
	const unsigned fields = schema->count;
	const struct chunk_part *labels = &chunk->parts[1 + fields];
	size_t row;

	if (chunk->left == 0)
		return 0;
	while (stored_leaves_out(reader, chunk))
		if (pass_row(reader, chunk, err))
			return -1;
	row = chunk->at;
	for (unsigned i = 0; i < fields; i++)
		tensor_view(&sample->fields[i], schema->fields[i].type.dtype,
		    &head->shapes[i], head->data[i] + row * head->row_bytes[i]);
	sample->count = fields;
	sample->label = -1;
	if (labels->len > 0)
		sample->label = label_at(chunk, labels->offset, row);
	if (take_key(chunk, &chunk->parts[2 + fields], &sample->key, err))
		return blame(reader, chunk, 1 + fields, err);
	chunk->at++;
	chunk->left--;
	return 1;
}

const struct reader_ops arrays_reader = {
	.shared_streams = true,
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = stream_close,
	.each_chunk = stored_each_chunk,
	.chunk_fetch = chunk_fetch,
	.unpacker_new = stored_unpacker_new,
	.unpacker_free = stored_unpacker_free,
	.unpack = unpack,
	.next = next,
	.stream_samples = stored_stream_samples,
	.each_file = stored_each_file,
	.free = stored_free,
};
