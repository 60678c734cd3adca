/* page_head.c - see page_head.h. */
#include "lib/formats/parquet/page_head.h"

#include "lib/base/error.h"
#include "lib/formats/parquet/thrift.h"

/* The members of the three headers of kinds of pages. */
struct head {
	int64_t kind, unpacked, packed, values, encoding, def_bytes, rep_bytes;
	bool is_packed;
};

/* Data pages of version 1, and dictionaries: number of values, encoding. */
static void read_first(struct thrift_reader *reader, struct head *head)
{
	struct thrift_field field = { .id = 0 };

	while (thrift_next(reader, &field)) {
		if (field.id == 1)
			head->values = thrift_integer(reader, &field);
		else if (field.id == 2)
			head->encoding = thrift_integer(reader, &field);
		else
			thrift_skip(reader, field.type);
	}
}

static void read_second(struct thrift_reader *reader, struct head *head)
{
	struct thrift_field field = { .id = 0 };

	while (thrift_next(reader, &field)) {
		switch (field.id) {
		case 1:
			head->values = thrift_integer(reader, &field);
			break;
		case 4:
			head->encoding = thrift_integer(reader, &field);
			break;
		case 5:
			head->def_bytes = thrift_integer(reader, &field);
			break;
		case 6:
			head->rep_bytes = thrift_integer(reader, &field);
			break;
		case 7:
			head->is_packed = thrift_flag(&field);
			break;
		default:
			thrift_skip(reader, field.type);
		}
	}
}

static void read_head(struct thrift_reader *reader, struct head *head)
{
	struct thrift_field field = { .id = 0 };

	*head = (struct head){ .kind = -1, .encoding = -1, .is_packed = true };
	while (thrift_next(reader, &field)) {
		if (field.id == 1)
			head->kind = thrift_integer(reader, &field);
		else if (field.id == 2)
			head->unpacked = thrift_integer(reader, &field);
		else if (field.id == 3)
			head->packed = thrift_integer(reader, &field);
		else if ((field.id == 5 || field.id == 7) &&
		         field.type == THRIFT_STRUCT)
			read_first(reader, head);
		else if (field.id == 8 && field.type == THRIFT_STRUCT)
			read_second(reader, head);
		else
			thrift_skip(reader, field.type);
	}
}

static bool is_small(int64_t number)
{
	return number >= 0 && number <= INT32_MAX;
}

int parquet_next_page(
    struct span *left, struct parquet_page *page, struct error *err)
{
	struct thrift_reader reader = { .left = *left };
	struct head head;

	if (left->len == 0)
		return 0;
	read_head(&reader, &head);
	if (reader.failed || !is_small(head.packed) ||
	    !is_small(head.unpacked) || !is_small(head.values) ||
	    !is_small(head.def_bytes) || !is_small(head.rep_bytes) ||
	    (uint64_t)head.packed > reader.left.len ||
	    head.def_bytes + head.rep_bytes > head.packed ||
	    head.def_bytes + head.rep_bytes > head.unpacked ||
	    head.kind < PARQUET_DATA_PAGE || head.kind > PARQUET_DATA_PAGE_V2)
		return error_set(
		    err, ERROR_DATA, "the header of a page is damaged");
	*page = (struct parquet_page){
		.kind = (enum parquet_page_kind)head.kind,
		.unpacked = (uint32_t)head.unpacked,
		.values = (uint32_t)head.values,
		.encoding = (int)head.encoding,
		.rep_bytes = (uint32_t)head.rep_bytes,
		.def_bytes = (uint32_t)head.def_bytes,
		.is_packed = head.is_packed,
		.body = { reader.left.data, (size_t)head.packed },
	};
	left->data = page->body.data + page->body.len;
	left->len = reader.left.len - page->body.len;
	return 1;
}

int parquet_packing(
    enum parquet_codec codec, enum packed_kind *kind, struct error *err)
{
	const char *name = "lz4 of Hadoop";

	switch (codec) {
	case PARQUET_UNCOMPRESSED:
		*kind = PACKED_NONE;
		return 0;
	case PARQUET_SNAPPY:
		*kind = PACKED_SNAPPY;
		return 0;
	case PARQUET_GZIP:
		*kind = PACKED_GZIP;
		return 0;
	case PARQUET_ZSTD:
		*kind = PACKED_ZSTD;
		return 0;
	case PARQUET_LZ4_RAW:
		*kind = PACKED_LZ4_BLOCK;
		return 0;
	case PARQUET_LZO:
		name = "lzo";
		break;
	case PARQUET_BROTLI:
		name = "brotli";
		break;
	case PARQUET_LZ4:
		break;
	}
	return error_set(err, ERROR_DATA,
	    "the compression %s is not read; snappy, gzip, zstd and lz4_raw "
	    "are",
	    name);
}
