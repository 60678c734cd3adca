/*
 * parquet.c - Parquet files (lib/formats/parquet), which pyarrow and the
 * library `datasets` of Hugging Face read.
 *
 * A block of samples is a row group. Its columns are `key`, a text (see
 * name_put_text); `label`, -1 for none; and for each field:
 *
 *   encoded bytes    FIELD.bytes, and FIELD.path: the key with an extension
 *   a tensor         FIELD, bytes of a fixed length: little-endian elements
 *                    row by row; the file's note presto.tensors has dtype and
 *                    shape; scalars of 4 and 8 bytes are numbers
 *   of open shape    FIELD, bytes: a .npy file
 *   behind a filter  FIELD.FILTER, bytes: a filtered .npy file
 *
 * Records gather as a length in front of each value, and become columns when
 * the block is full: each column is one page. A reader's chunk has a part for
 * each column, which is what is left of its values.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/packed.h"
#include "lib/formats/name.h"
#include "lib/formats/parquet/columns.h"
#include "lib/formats/parquet/page_head.h"
#include "lib/formats/parquet/write.h"
#include "lib/sample/npy.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"

static int parquet_check(const struct schema *schema, struct error *err)
{
	if (schema_find(schema, "key") < 0 && schema_find(schema, "label") < 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "parquet cannot keep a field that is called 'key' or 'label'");
}

/* ---- writing: records ---- */

static int put_value(
    struct span head, struct span data, struct buf *block, struct error *err)
{
	const uint64_t len = (uint64_t)head.len + data.len;
	const uint32_t word = (uint32_t)len;

	if (len > INT32_MAX)
		return error_set(err, ERROR_LIMIT,
		    "a value of %" PRIu64
		    " bytes is too large for parquet, which takes 2 GiB",
		    len);
	if (buf_append(block, &word, sizeof(word), err) ||
	    buf_append(block, head.data, head.len, err))
		return -1;
	return buf_append(block, data.data, data.len, err);
}

static int put_path(
    struct span key, const char *suffix, struct buf *block, struct error *err)
{
	char end[SUFFIX_MAX + 1];

	snprintf(end, sizeof(end), "%s%s", *suffix ? "." : "", suffix);
	return put_value(key, span_text(end), block, err);
}

static int put_leaf(const struct schema *schema, const struct column_leaf *leaf,
    const struct sample *sample, struct span key, struct buf *block,
    struct error *err)
{
	const struct tensor *tensor = &sample->fields[leaf->field];
	const struct span data = { tensor->data, tensor->bytes };
	struct span head = { .len = 0 };
	unsigned char header[NPY_HEADER_MAX];

	switch (leaf->role) {
	case COLUMN_KEY:
		return put_value(head, key, block, err);
	case COLUMN_LABEL:
		head.data = (const unsigned char *)&sample->label;
		head.len = sizeof(sample->label);
		return put_value(head, (struct span){ .len = 0 }, block, err);
	case COLUMN_PATH:
		return put_path(key, tensor->suffix, block, err);
	case COLUMN_NPY:
		head.data = header;
		head.len = npy_header(tensor->dtype, &tensor->shape, header);
		if (type_is_filtered(&schema->fields[leaf->field].type))
			npy_set_filtered(header);
		return put_value(head, data, block, err);
	case COLUMN_BYTES:
	case COLUMN_TENSOR:
		break;
	}
	return put_value(head, data, block, err);
}

static int parquet_append(const struct schema *schema,
    const struct sample *sample, struct buf *block, struct error *err)
{
	struct column_leaf leaves[COLUMN_LEAVES];
	const unsigned count = column_leaves(schema, leaves);
	struct buf key = BUF_INIT;
	int rc = 0;

	if (sample->key.len > KEY_MAX)
		return error_set(err, ERROR_DATA,
		    "the key has %zu bytes, more than %d", sample->key.len,
		    KEY_MAX);
	rc = name_put_text(sample->key, &key, err);
	for (unsigned i = 0; rc == 0 && i < count; i++)
		rc = put_leaf(
		    schema, &leaves[i], sample, buf_span(&key), block, err);
	buf_release(&key);
	return rc;
}

/* ---- writing: row groups ---- */

/* Appends the values of a column of the records, as PLAIN. */
static int gather(const struct store_packing *packing, unsigned column,
    unsigned columns, bool is_fixed, struct buf *out, struct error *err)
{
	const size_t head = sizeof(uint32_t);
	struct span left = packing->records;
	unsigned at = 0;

	while (left.len > 0) {
		uint32_t len;

		memcpy(&len, left.data, head);
		if (at == column &&
		    buf_append(out, left.data + (is_fixed ? head : 0),
		        len + (is_fixed ? 0 : head), err))
			return -1;
		left.data += head + len;
		left.len -= head + len;
		at = at + 1 < columns ? at + 1 : 0;
	}
	return 0;
}

/* Appends a page of these values to the row group, and notes its sizes. */
static int put_page(struct store_packing *packing, const struct buf *values,
    struct buf *frame, struct error *err)
{
	const struct codec_ops *codec = packing->form->codec.ops;
	struct span stored = buf_span(values);
	struct parquet_sizes sizes;
	const size_t before = packing->out->len;
	struct buf plain = BUF_INIT;
	int rc;

	frame->len = 0;
	if (codec->encode) {
		if (codec->encode(packing->codec, stored, frame, err))
			return -1;
		stored = buf_span(frame);
	}
	if (parquet_put_page(
	        packing->samples, stored.len, values->len, packing->out, err) ||
	    buf_append(packing->out, stored.data, stored.len, err))
		return -1;
	sizes.stored = packing->out->len - before;
	sizes.unpacked = sizes.stored - stored.len + values->len;
	/* A reader's chunk has the header of an uncompressed page. */
	rc = parquet_put_page(
	    packing->samples, values->len, values->len, &plain, err);
	packing->unpacked += plain.len + values->len;
	buf_release(&plain);
	return rc ? rc : buf_append(packing->notes, &sizes, sizeof(sizes), err);
}

static int parquet_pack(struct store_packing *packing, struct error *err)
{
	struct column_leaf leaves[COLUMN_LEAVES];
	const unsigned count = column_leaves(&packing->form->schema, leaves);
	struct buf values = BUF_INIT, frame = BUF_INIT;
	int rc = 0;

	packing->unpacked = 0;
	for (unsigned i = 0; rc == 0 && i < count; i++) {
		values.len = 0;
		rc = gather(
		    packing, i, count, leaves[i].width > 0, &values, err);
		if (rc == 0)
			rc = put_page(packing, &values, &frame, err);
	}
	buf_release(&values);
	buf_release(&frame);
	return rc;
}

/* ---- writing: the end of the file ---- */

static struct parquet_block block_at(const void *arg, size_t i)
{
	const struct shard_index *index = arg;

	return (struct parquet_block){ index->blocks[i].offset,
		index->blocks[i].samples };
}

static int parquet_foot(const struct store_form *form,
    const struct shard_index *index, struct span notes, struct buf *out,
    struct error *err)
{
	struct parquet_node nodes[COLUMN_NODES];
	struct column_leaf leaves[COLUMN_LEAVES];
	struct buf tensors = BUF_INIT;
	struct parquet_file file = {
		.nodes = nodes,
		.node_count = column_nodes(&form->schema, nodes),
		.leaves = column_leaves(&form->schema, leaves),
		.codec = form->codec.ops->encode ? PARQUET_ZSTD
		                                 : PARQUET_UNCOMPRESSED,
		.sizes = (const struct parquet_sizes *)(const void *)notes.data,
		.blocks = index->count,
		.block = block_at,
		.arg = index,
		.rows = index->samples,
		.keys = { PARQUET_KEY_TENSORS },
	};
	int rc = column_put_tensors(&form->schema, &tensors, err);

	file.values[0] = (const char *)tensors.data;
	if (rc == 0)
		rc = parquet_put_end(&file, out, err);
	buf_release(&tensors);
	return rc;
}

/* ---- reading ---- */

/* Unpacks each page of a row group; they become uncompressed ones. */
static int parquet_unpack_block(const struct store_form *form, void *codec,
    struct span stored, struct buf *out, struct error *err)
{
	struct parquet_page page;
	int got;

	UNUSED(form);
	while ((got = parquet_next_page(&stored, &page, err)) > 0) {
		if (parquet_put_page(
		        page.values, page.unpacked, page.unpacked, out, err) ||
		    buf_grow(out, out->len + page.unpacked, err))
			return -1;
		if (zstd_unpack(
		        codec, page.body, out->data + out->len, page.unpacked))
			return error_set(
			    err, ERROR_DATA, "a compressed page is damaged");
		out->len += page.unpacked;
	}
	return got;
}

/* Makes a part of the chunk for each column: what is left of its values. */
static int begin_rows(
    const struct schema *schema, struct chunk *chunk, struct error *err)
{
	struct column_leaf leaves[COLUMN_LEAVES];
	const unsigned count = column_leaves(schema, leaves);
	struct span left = chunk->bytes;
	struct parquet_page page;

	if (chunk->part_count == 0 && chunk_add_part(chunk, 0, 0, 0, err))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		const int got = parquet_next_page(&left, &page, err);

		if (got < 0)
			return -1;
		if (got == 0 || page.kind != PARQUET_DATA_PAGE)
			return error_set(
			    err, ERROR_DATA, "a column is missing");
		if (chunk_add_part(chunk,
		        (size_t)(page.body.data - chunk->bytes.data),
		        page.body.len,
		        (uint64_t)leaves[i].role << 8 | leaves[i].field, err))
			return -1;
		chunk->parts[chunk->part_count - 1].file = leaves[i].width;
	}
	return 0;
}

/* Takes the next value of a column. */
static int take_value(const struct chunk *chunk, struct chunk_part *part,
    struct span *value, struct error *err)
{
	const unsigned char *at = chunk->bytes.data + part->offset;
	uint32_t len = (uint32_t)part->file;
	size_t head = 0;

	if (len == 0 && part->len >= sizeof(len)) {
		memcpy(&len, at, sizeof(len));
		head = sizeof(len);
	}
	if (part->len < head || len > part->len - head ||
	    (head == 0 && part->file == 0))
		return error_set(
		    err, ERROR_DATA, "a column has too few values");
	*value = (struct span){ at + head, len };
	part->offset += head + len;
	part->len -= head + len;
	return 0;
}

/* Takes the suffix from a path, which begins with the key. */
static int take_suffix(
    struct span path, struct span key, struct tensor *tensor, struct error *err)
{
	struct span suffix;

	if (path.len < key.len || memcmp(path.data, key.data, key.len) != 0)
		return error_set(
		    err, ERROR_DATA, "its path is not that of its key");
	suffix = (struct span){ path.data + key.len, path.len - key.len };
	if (suffix.len > SUFFIX_MAX ||
	    (suffix.len > 0 && (suffix.data[0] != '.' || suffix.len == 1)))
		return error_set(err, ERROR_DATA, "its path is damaged");
	if (suffix.len == 0)
		return 0;
	memcpy(tensor->suffix, suffix.data + 1, suffix.len - 1);
	tensor->suffix[suffix.len - 1] = '\0';
	return 0;
}

static int view_field(const struct field *field, enum column_role role,
    struct span value, struct span key, struct tensor *tensor,
    struct error *err)
{
	const struct type *type = &field->type;

	if (role == COLUMN_PATH)
		return take_suffix(value, key, tensor, err);
	if (role == COLUMN_BYTES)
		tensor_view_encoded(tensor, value.data, value.len, "");
	else if (role == COLUMN_TENSOR)
		tensor_view(tensor, type->dtype, &type->shape, value.data);
	else if (type_is_filtered(type) ? npy_view_filtered(value, tensor, err)
	                                : npy_view(value, tensor, err))
		return -1;
	return tensor_check(tensor, type, err);
}

static int parquet_next(const struct schema *schema, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	struct span value;

	if (chunk->bytes.len == 0)
		return 0;
	if (chunk->part_count <= 1 && begin_rows(schema, chunk, err))
		return -1;
	if (chunk->parts[1].len == 0)
		return 0;
	sample->count = schema->count;
	for (size_t i = 1; i < chunk->part_count; i++) {
		struct chunk_part *part = &chunk->parts[i];
		const enum column_role role =
		    (enum column_role)(part->item >> 8);
		const struct field *field = &schema->fields[part->item & 255];

		if (take_value(chunk, part, &value, err))
			return -1;
		if (role == COLUMN_KEY)
			sample->key = value;
		else if (role == COLUMN_LABEL)
			memcpy(
			    &sample->label, value.data, sizeof(sample->label));
		else if (view_field(field, role, value, sample->key,
		             &sample->fields[part->item & 255], err))
			return error_prefix(err, "field %s", field->name);
	}
	if (sample->label < 0)
		sample->label = -1;
	sample->key = name_key(chunk, sample->key);
	chunk->at++;
	return 1;
}

/* Parquet knows other compressions, of which presto writes zstd. */
static bool parquet_takes(const struct codec_ops *codec)
{
	return !codec->encode || strcmp(codec->name, "zstd") == 0;
}

const struct store_ops store_parquet = {
	.name = "parquet",
	.summary = "Parquet files, a column or a struct for each field",
	.suffix = ".parquet",
	.layout = &layout_file,
	.check = parquet_check,
	.takes = parquet_takes,
	.compressions = "none or zstd",
	.append = parquet_append,
	.magic = PARQUET_MAGIC,
	.pack = parquet_pack,
	.foot = parquet_foot,
	.unpack = parquet_unpack_block,
	.next = parquet_next,
};
