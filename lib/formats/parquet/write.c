/* write.c - see write.h. */
#include "lib/formats/parquet/write.h"

#include "lib/base/error.h"
#include "lib/formats/parquet/page_head.h"
#include "lib/formats/parquet/thrift.h"

int parquet_put_page(uint64_t values, size_t packed, size_t unpacked,
    struct buf *out, struct error *err)
{
	struct thrift_writer writer = { .out = out, .err = err };
	int outer, inner;

	if (packed > INT32_MAX || unpacked > INT32_MAX)
		return error_set(
		    err, ERROR_LIMIT, "a page of Parquet has less than 2 GiB");
	outer = thrift_put_begin(&writer, 0);
	thrift_put_integer(&writer, 1, THRIFT_I32, PARQUET_DATA_PAGE);
	thrift_put_integer(&writer, 2, THRIFT_I32, (int64_t)unpacked);
	thrift_put_integer(&writer, 3, THRIFT_I32, (int64_t)packed);
	inner = thrift_put_begin(&writer, 5);
	thrift_put_integer(&writer, 1, THRIFT_I32, (int64_t)values);
	thrift_put_integer(&writer, 2, THRIFT_I32, PARQUET_PLAIN);
	thrift_put_integer(&writer, 3, THRIFT_I32, PARQUET_RLE);
	thrift_put_integer(&writer, 4, THRIFT_I32, PARQUET_RLE);
	thrift_put_end(&writer, inner);
	thrift_put_end(&writer, outer);
	return writer.failed ? -1 : 0;
}

static void put_node(
    struct thrift_writer *writer, const struct parquet_node *node)
{
	const int before = thrift_put_begin(writer, 0);

	if (!node->children)
		thrift_put_integer(writer, 1, THRIFT_I32, node->type);
	if (!node->children && node->type == PARQUET_FIXED)
		thrift_put_integer(writer, 2, THRIFT_I32, node->width);
	thrift_put_integer(writer, 3, THRIFT_I32, PARQUET_REQUIRED);
	thrift_put_text(writer, 4, node->name);
	if (node->children)
		thrift_put_integer(writer, 5, THRIFT_I32, node->children);
	if (node->is_text)
		thrift_put_integer(writer, 6, THRIFT_I32, PARQUET_UTF8);
	thrift_put_end(writer, before);
}

/* Counts the children of the root. */
static unsigned count_roots(const struct parquet_file *file)
{
	unsigned roots = 0;

	for (unsigned i = 0; i < file->node_count; roots++)
		i += 1 + file->nodes[i].children;
	return roots;
}

static void put_schema(
    struct thrift_writer *writer, const struct parquet_file *file)
{
	int before;

	thrift_put_list(writer, 2, THRIFT_STRUCT, 1 + file->node_count);
	before = thrift_put_begin(writer, 0);
	thrift_put_text(writer, 4, "schema");
	thrift_put_integer(writer, 5, THRIFT_I32, count_roots(file));
	thrift_put_end(writer, before);
	for (unsigned i = 0; i < file->node_count; i++)
		put_node(writer, &file->nodes[i]);
}

/* A column chunk at `offset`; `parent` NULL: it is in no struct. */
static void put_column(struct thrift_writer *writer,
    const struct parquet_file *file, const struct parquet_node *parent,
    const struct parquet_node *leaf, const struct parquet_sizes *sizes,
    const struct parquet_block *at)
{
	const int outer = thrift_put_begin(writer, 0);
	int inner;

	thrift_put_integer(writer, 2, THRIFT_I64, (int64_t)at->offset);
	inner = thrift_put_begin(writer, 3);
	thrift_put_integer(writer, 1, THRIFT_I32, leaf->type);
	thrift_put_list(writer, 2, THRIFT_I32, 2);
	thrift_put_item(writer, PARQUET_PLAIN);
	thrift_put_item(writer, PARQUET_RLE);
	thrift_put_list(writer, 3, THRIFT_BINARY, parent ? 2 : 1);
	if (parent)
		thrift_put_item_text(writer, parent->name);
	thrift_put_item_text(writer, leaf->name);
	thrift_put_integer(writer, 4, THRIFT_I32, file->codec);
	thrift_put_integer(writer, 5, THRIFT_I64, (int64_t)at->rows);
	thrift_put_integer(writer, 6, THRIFT_I64, (int64_t)sizes->unpacked);
	thrift_put_integer(writer, 7, THRIFT_I64, (int64_t)sizes->stored);
	thrift_put_integer(writer, 9, THRIFT_I64, (int64_t)at->offset);
	thrift_put_end(writer, inner);
	thrift_put_end(writer, outer);
}

static void put_group(
    struct thrift_writer *writer, const struct parquet_file *file, size_t i)
{
	const struct parquet_sizes *sizes = &file->sizes[i * file->leaves];
	struct parquet_block at = file->block(file->arg, i);
	const int before = thrift_put_begin(writer, 0);
	const struct parquet_node *parent = NULL;
	unsigned leaf = 0, left = 0; /* members of the struct to come */
	uint64_t bytes = 0;

	thrift_put_list(writer, 1, THRIFT_STRUCT, file->leaves);
	for (unsigned n = 0; n < file->node_count; n++) {
		const struct parquet_node *node = &file->nodes[n];

		if (node->children) {
			parent = node;
			left = node->children;
			continue;
		}
		put_column(writer, file, left ? parent : NULL, node,
		    &sizes[leaf], &at);
		left -= left > 0;
		at.offset += sizes[leaf].stored;
		bytes += sizes[leaf++].unpacked;
	}
	thrift_put_integer(writer, 2, THRIFT_I64, (int64_t)bytes);
	thrift_put_integer(writer, 3, THRIFT_I64, (int64_t)at.rows);
	thrift_put_end(writer, before);
}

static void put_notes(
    struct thrift_writer *writer, const struct parquet_file *file)
{
	uint32_t count = 0;

	while (count < 3 && file->keys[count])
		count++;
	thrift_put_list(writer, 5, THRIFT_STRUCT, count);
	for (uint32_t i = 0; i < count; i++) {
		const int before = thrift_put_begin(writer, 0);

		thrift_put_text(writer, 1, file->keys[i]);
		thrift_put_text(writer, 2, file->values[i]);
		thrift_put_end(writer, before);
	}
}

int parquet_put_end(
    const struct parquet_file *file, struct buf *out, struct error *err)
{
	struct thrift_writer writer = { .out = out, .err = err };
	const size_t start = out->len;
	uint32_t len;
	int before = thrift_put_begin(&writer, 0);

	thrift_put_integer(&writer, 1, THRIFT_I32, 1);
	put_schema(&writer, file);
	thrift_put_integer(&writer, 3, THRIFT_I64, (int64_t)file->rows);
	thrift_put_list(&writer, 4, THRIFT_STRUCT, (uint32_t)file->blocks);
	for (size_t i = 0; i < file->blocks; i++)
		put_group(&writer, file, i);
	put_notes(&writer, file);
	thrift_put_text(&writer, 6, "presto");
	thrift_put_end(&writer, before);
	if (writer.failed)
		return -1;
	if (out->len - start > INT32_MAX)
		return error_set(err, ERROR_LIMIT,
		    "the metadata of a Parquet file has 2 GiB: ask for more "
		    "shards");
	len = (uint32_t)(out->len - start);
	if (buf_append(out, &len, sizeof(len), err))
		return -1;
	return buf_append(out, PARQUET_MAGIC, 4, err);
}
