/* metadata.c - see metadata.h. */
#include "lib/formats/parquet/metadata.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/parquet/schema.h"
#include "lib/formats/parquet/thrift.h"

int parquet_tail(
    struct span tail, uint64_t size, uint64_t *bytes, struct error *err)
{
	uint32_t len;

	if (tail.len < PARQUET_TAIL ||
	    memcmp(tail.data + 4, PARQUET_MAGIC, 4) != 0) {
		if (tail.len >= PARQUET_TAIL &&
		    memcmp(tail.data + 4, "PARE", 4) == 0)
			return error_set(
			    err, ERROR_DATA, "is encrypted, and is not read");
		return error_set(err, ERROR_DATA,
		    "is no Parquet file: it does not end with PAR1");
	}
	memcpy(&len, tail.data, sizeof(len));
	if (len > size - PARQUET_TAIL)
		return error_set(err, ERROR_DATA,
		    "its metadata of %" PRIu32 " bytes is larger than the file",
		    len);
	*bytes = len;
	return 0;
}

/* ---- row groups ---- */

/* The members of a column chunk that are read. */
struct pages {
	int64_t codec, values, bytes, data_at, dictionary_at;
	bool has_dictionary, is_elsewhere;
};

static void read_column_metadata(
    struct thrift_reader *reader, struct pages *pages)
{
	struct thrift_field field = { .id = 0 };

	while (thrift_next(reader, &field)) {
		switch (field.id) {
		case 4:
			pages->codec = thrift_integer(reader, &field);
			break;
		case 5:
			pages->values = thrift_integer(reader, &field);
			break;
		case 7:
			pages->bytes = thrift_integer(reader, &field);
			break;
		case 9:
			pages->data_at = thrift_integer(reader, &field);
			break;
		case 11:
			pages->dictionary_at = thrift_integer(reader, &field);
			pages->has_dictionary = pages->dictionary_at > 0;
			break;
		default:
			thrift_skip(reader, field.type);
		}
	}
}

static void read_column(struct thrift_reader *reader, struct pages *pages)
{
	struct thrift_field field = { .id = 0 };

	*pages = (struct pages){ .codec = -1 };
	while (thrift_next(reader, &field)) {
		if (field.id == 1)
			pages->is_elsewhere =
			    thrift_binary(reader, &field).len > 0;
		else if (field.id == 3 && thrift_begin(reader, &field))
			read_column_metadata(reader, pages);
		else if (field.id != 3)
			thrift_skip(reader, field.type);
	}
}

/* Checks the numbers of a column chunk. */
static int set_chunk(struct parquet_chunk *chunk, const struct pages *pages,
    uint64_t size, struct error *err)
{
	const int64_t at =
	    pages->has_dictionary && pages->dictionary_at < pages->data_at
	        ? pages->dictionary_at
	        : pages->data_at;

	if (pages->is_elsewhere)
		return error_set(err, ERROR_DATA,
		    "has columns in other files, which are not read");
	if (at < 0 || pages->bytes < 0 || pages->values < 0 ||
	    pages->codec < PARQUET_UNCOMPRESSED ||
	    pages->codec > PARQUET_LZ4_RAW || (uint64_t)at > size ||
	    (uint64_t)pages->bytes > size - (uint64_t)at)
		return error_set(err, ERROR_DATA,
		    "its metadata is damaged: a column is not in the file");
	*chunk = (struct parquet_chunk){
		.offset = (uint64_t)at,
		.bytes = (uint64_t)pages->bytes,
		.values = (uint64_t)pages->values,
		.codec = (enum parquet_codec)pages->codec,
	};
	return 0;
}

static int read_columns(struct thrift_reader *reader,
    const struct thrift_field *field, const struct parquet_metadata *metadata,
    struct parquet_group *group, uint64_t size, struct error *err)
{
	const uint32_t count = thrift_list(reader, field, THRIFT_STRUCT);

	if (count != metadata->leaf_count || group->chunks || count == 0)
		return error_set(err, ERROR_DATA,
		    "its metadata is damaged: a row group has %" PRIu32
		    " columns of %zu",
		    count, metadata->leaf_count);
	group->chunks = calloc(count, sizeof(*group->chunks));
	if (!group->chunks)
		return error_memory(err, count * sizeof(*group->chunks));
	for (uint32_t i = 0; i < count; i++) {
		struct pages pages;

		read_column(reader, &pages);
		if (reader->failed)
			return 0; /* the caller tells */
		if (set_chunk(&group->chunks[i], &pages, size, err))
			return -1;
	}
	return 0;
}

static int read_group(struct thrift_reader *reader,
    struct parquet_metadata *metadata, uint64_t size, struct error *err)
{
	struct parquet_group *groups =
	    array_grow(metadata->groups, &metadata->group_capacity,
	        metadata->group_count + 1, sizeof(*groups), err);
	struct thrift_field field = { .id = 0 };
	struct parquet_group *group;
	int64_t rows = 0;

	if (!groups)
		return -1;
	metadata->groups = groups;
	group = &groups[metadata->group_count++];
	*group = (struct parquet_group){ .rows = 0 };
	while (thrift_next(reader, &field)) {
		if (field.id == 1) {
			if (read_columns(
			        reader, &field, metadata, group, size, err))
				return -1;
		} else if (field.id == 3) {
			rows = thrift_integer(reader, &field);
		} else {
			thrift_skip(reader, field.type);
		}
	}
	if (rows < 0 || !group->chunks)
		return error_set(err, ERROR_DATA,
		    "its metadata is damaged: a row group without columns");
	group->rows = (uint64_t)rows;
	return 0;
}

static int read_groups(struct thrift_reader *reader,
    const struct thrift_field *field, struct parquet_metadata *metadata,
    uint64_t size, struct error *err)
{
	const uint32_t count = thrift_list(reader, field, THRIFT_STRUCT);

	for (uint32_t i = 0; i < count && !reader->failed; i++)
		if (read_group(reader, metadata, size, err))
			return -1;
	return 0;
}

/* ---- all of it ---- */

static void read_pair(
    struct thrift_reader *reader, struct parquet_metadata *metadata)
{
	struct thrift_field field = { .id = 0 };
	struct span key = { .len = 0 }, value = { .len = 0 };

	while (thrift_next(reader, &field)) {
		if (field.id == 1)
			key = thrift_binary(reader, &field);
		else if (field.id == 2)
			value = thrift_binary(reader, &field);
		else
			thrift_skip(reader, field.type);
	}
	if (span_equal(key, span_text(PARQUET_KEY_HUGGINGFACE)))
		metadata->huggingface = value;
	if (span_equal(key, span_text(PARQUET_KEY_TENSORS)))
		metadata->tensors = value;
}

static int read_member(struct thrift_reader *reader,
    const struct thrift_field *field, struct parquet_metadata *metadata,
    uint64_t size, struct error *err)
{
	uint32_t count;

	switch (field->id) {
	case 2:
		/* Row groups have a column for each leaf of the first one. */
		if (metadata->leaf_count > 0)
			return error_set(err, ERROR_DATA,
			    "its metadata is damaged: it has two schemas");
		return parquet_read_schema(reader, field, metadata, err);
	case 4:
		return read_groups(reader, field, metadata, size, err);
	case 5:
		count = thrift_list(reader, field, THRIFT_STRUCT);
		for (uint32_t i = 0; i < count && !reader->failed; i++)
			read_pair(reader, metadata);
		return 0;
	default:
		thrift_skip(reader, field->type);
		return 0;
	}
}

int parquet_parse(
    struct parquet_metadata *metadata, uint64_t size, struct error *err)
{
	struct thrift_reader reader = { .left = buf_span(&metadata->text) };
	struct thrift_field field = { .id = 0 };

	while (thrift_next(&reader, &field))
		if (read_member(&reader, &field, metadata, size, err))
			return -1;
	if (!reader.failed && metadata->leaf_count > 0)
		return 0;
	return error_set(err, ERROR_DATA, "its metadata is damaged");
}

void parquet_metadata_release(struct parquet_metadata *metadata)
{
	for (size_t i = 0; i < metadata->group_count; i++)
		free(metadata->groups[i].chunks);
	free(metadata->groups);
	free(metadata->leaves);
	buf_release(&metadata->text);
	*metadata = (struct parquet_metadata)PARQUET_METADATA_INIT;
}
