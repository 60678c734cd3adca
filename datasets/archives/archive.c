/*
 * archive.c - see archive.h.
 *
 * Formats and filters are enabled one by one: mtree would read files that an
 * archive names, and some filters would start programs.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/archive.h"
#include "datasets/archives/inflate.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"

enum { TRUST_BYTES = 4 << 20 }; /* a claimed size reserves no more than this */

struct archive_reader {
	struct archive *archive;
	struct archive_entry *entry; /* libarchive's, of the last member */
	struct medium_file *file;
	const char *path;
	uint64_t start, end;                /* bytes of the file to read */
	uint64_t at;                        /* offset of the next read */
	const struct archive_range *ranges; /* remaining ranges; or NULL */
	size_t range_count;
	/*
	 * Reads gzip files, else NULL: libarchive 3.6 does not verify their
	 * checksums. `damage` is reported at the end of the data.
	 */
	struct inflater *inflater;
	struct error damage;
	unsigned char *block;
	size_t block_bytes;
	struct error why; /* error of a callback */
};

typedef int add_support(struct archive *archive);

static add_support *const filters[] = {
	archive_read_support_filter_bzip2,
	archive_read_support_filter_compress,
	archive_read_support_filter_gzip,
	archive_read_support_filter_lz4,
	archive_read_support_filter_lzip,
	archive_read_support_filter_lzma,
	archive_read_support_filter_xz,
	archive_read_support_filter_zstd,
};

static add_support *const formats[] = {
	archive_read_support_format_7zip,
	archive_read_support_format_ar,
	archive_read_support_format_cab,
	archive_read_support_format_cpio,
	archive_read_support_format_iso9660,
	archive_read_support_format_lha,
	archive_read_support_format_rar,
	archive_read_support_format_rar5,
	archive_read_support_format_tar,
	archive_read_support_format_xar,
	archive_read_support_format_zip,
};

/* Goes on with the next range; false: there is none. */
static bool next_range(struct archive_reader *reader)
{
	if (!reader->range_count)
		return false;
	reader->start = reader->at = reader->ranges->start;
	reader->end = reader->ranges->end;
	reader->ranges++;
	reader->range_count--;
	return true;
}

static la_ssize_t give_block(
    struct archive *archive, void *arg, const void **data)
{
	struct archive_reader *reader = arg;
	uint64_t left;
	int64_t got;

	*data = reader->block;
	while (reader->at == reader->end && next_range(reader))
		;
	left = reader->end - reader->at;
	if (left == 0)
		return 0;
	got = medium_read(reader->file, reader->at, reader->block,
	    left < reader->block_bytes ? (size_t)left : reader->block_bytes,
	    &reader->why);
	if (got < 0) {
		archive_set_error(archive, EIO, "read failed");
		return -1;
	}
	reader->at += (uint64_t)got;
	return (la_ssize_t)got;
}

static la_ssize_t give_inflated(
    struct archive *archive, void *arg, const void **data)
{
	struct archive_reader *reader = arg;
	size_t got = 0;

	*data = reader->block;
	if (reader->damage.code == ERROR_NONE)
		inflater_read(reader->inflater, reader->block,
		    reader->block_bytes, &got, &reader->damage);
	if (got > 0 || reader->damage.code == ERROR_NONE ||
	    inflater_is_behind(reader->inflater))
		return (la_ssize_t)got;
	reader->why = reader->damage;
	archive_set_error(archive, EIO, "read failed");
	return -1;
}

/* Reports the error of libarchive, or of the medium below it. */
static int error_archive(struct archive_reader *reader, struct error *err)
{
	const char *words = archive_error_string(reader->archive);

	if (reader->why.code != ERROR_NONE) {
		*err = reader->why;
		return error_prefix(err, "%s", reader->path);
	}
	if (archive_errno(reader->archive) == ENOMEM)
		return error_set(
		    err, ERROR_MEMORY, "%s: out of memory", reader->path);
	return error_set(err, ERROR_DATA, "%s: %s", reader->path,
	    words ? words : "not a readable archive");
}

/* Reads up to a gzip file's checksum, behind all that libarchive reads. */
static int check_rest(struct archive_reader *reader, struct error *err)
{
	const void *rest;

	while (reader->inflater) {
		const la_ssize_t got =
		    give_inflated(reader->archive, reader, &rest);

		if (got < 0)
			return error_archive(reader, err);
		if (got == 0)
			break;
	}
	return 0;
}

/* Never skips beyond the end, so that a truncated file is noticed. */
static la_int64_t skip_bytes(
    struct archive *archive, void *arg, la_int64_t bytes)
{
	struct archive_reader *reader = arg;
	const uint64_t left = reader->end - reader->at;
	const uint64_t n = (uint64_t)bytes < left ? (uint64_t)bytes : left;

	UNUSED(archive);
	reader->at += n;
	return (la_int64_t)n;
}

static la_int64_t seek_to(
    struct archive *archive, void *arg, la_int64_t offset, int whence)
{
	struct archive_reader *reader = arg;
	const la_int64_t size = (la_int64_t)(reader->end - reader->start);
	la_int64_t from = 0;

	UNUSED(archive);
	if (whence == SEEK_CUR)
		from = (la_int64_t)(reader->at - reader->start);
	else if (whence == SEEK_END)
		from = size;
	if (offset < -from || offset > size - from)
		return ARCHIVE_FATAL;
	reader->at = reader->start + (uint64_t)(from + offset);
	return from + offset;
}

/* Is the part within the file? */
static bool fits(const struct archive_part *part, uint64_t size)
{
	for (size_t i = 0; i < part->range_count; i++)
		if (part->ranges[i].end > size ||
		    part->ranges[i].start > part->ranges[i].end)
			return false;
	return part->end <= size && (!part->end || part->start <= part->end);
}

static int open_inflater(
    struct archive_reader *reader, uint64_t size, struct error *err)
{
	unsigned char begin[2];

	if (size < sizeof(begin))
		return 0;
	if (medium_read_full(reader->file, 0, begin, sizeof(begin), err))
		return -1;
	if (begin[0] != 0x1f || begin[1] != 0x8b)
		return 0;
	reader->inflater = inflater_new(reader->file, err);
	return reader->inflater ? 0 : -1;
}

static int open_file(struct archive_reader *reader, struct medium *medium,
    const struct archive_part *part, struct error *err)
{
	uint64_t size;

	reader->block = malloc(part->block_bytes);
	if (!reader->block)
		return error_memory(err, part->block_bytes);
	reader->file = medium_open(medium, part->path, err);
	if (!reader->file)
		return -1;
	size = medium_size(reader->file);
	if (!fits(part, size))
		return error_set(err, ERROR_DATA,
		    "%s: has become shorter: %llu bytes", part->path,
		    (unsigned long long)size);
	if (size == 0)
		return error_set(err, ERROR_DATA, "%s: is empty", part->path);
	reader->end = part->end ? part->end : size;
	reader->at = reader->start;
	reader->ranges = part->ranges;
	reader->range_count = part->range_count;
	next_range(reader);
	return part->start || part->end || part->ranges
	           ? 0
	           : open_inflater(reader, size, err);
}

static int open_archive(
    struct archive_reader *reader, bool is_tar, struct error *err)
{
	struct archive *a = archive_read_new();
	int rc = a ? ARCHIVE_OK : ARCHIVE_FATAL;

	if (!a)
		return error_memory(err, sizeof(*reader));
	reader->archive = a;
	if (is_tar)
		rc = archive_read_support_format_tar(a);
	for (size_t i = 0; !is_tar && i < ARRAY_LEN(filters); i++)
		filters[i](a); /* a missing filter is no error */
	for (size_t i = 0; !is_tar && i < ARRAY_LEN(formats); i++)
		formats[i](a);
	archive_read_set_read_callback(
	    a, reader->inflater ? give_inflated : give_block);
	if (!reader->inflater)
		archive_read_set_skip_callback(a, skip_bytes);
	if (!is_tar && !reader->inflater)
		archive_read_set_seek_callback(a, seek_to);
	archive_read_set_callback_data(a, reader);
	if (rc < ARCHIVE_WARN || archive_read_open1(a) < ARCHIVE_WARN)
		return error_archive(reader, err);
	return 0;
}

struct archive_reader *archive_reader_open(
    struct medium *medium, const struct archive_part *part, struct error *err)
{
	struct archive_reader *reader = memory_zeroed(sizeof(*reader), err);

	if (!reader)
		return NULL;
	reader->path = part->path;
	reader->start = part->start;
	reader->block_bytes = part->block_bytes;
	if (open_file(reader, medium, part, err) ||
	    open_archive(
	        reader, part->start || part->end || part->ranges, err)) {
		archive_reader_close(reader);
		return NULL;
	}
	return reader;
}

/* Returns the name as bytes, or as UTF-8 if the locale cannot represent it. */
static const char *entry_name(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);

	return name ? name : archive_entry_pathname_utf8(entry);
}

static bool is_file(struct archive_entry *entry)
{
	return archive_entry_filetype(entry) == AE_IFREG &&
	       !archive_entry_hardlink(entry) &&
	       !archive_entry_hardlink_utf8(entry);
}

int archive_reader_next(struct archive_reader *reader,
    struct archive_member *member, struct error *err)
{
	int rc;

	do {
		rc = archive_read_next_header(reader->archive, &reader->entry);
		if (rc == ARCHIVE_EOF)
			return check_rest(reader, err);
		if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
			return error_archive(reader, err);
	} while (!is_file(reader->entry));
	*member = (struct archive_member){
		.name = entry_name(reader->entry),
		.bytes = (uint64_t)archive_entry_size(reader->entry),
		.position =
		    (uint64_t)archive_read_header_position(reader->archive),
	};
	if (member->name)
		return 1;
	return error_set(err, ERROR_DATA,
	    "%s: the name of a member cannot be read", reader->path);
}

static int error_too_long(
    const struct archive_reader *reader, struct error *err)
{
	return error_set(err, ERROR_LIMIT,
	    "%s: member %s has more than %d bytes", reader->path,
	    entry_name(reader->entry), ARCHIVE_MEMBER_MAX);
}

/*
 * Makes room for `more` bytes of the member that begins at `begin`: doubles
 * what is there, up to the claimed size.
 */
static int make_room(struct archive_reader *reader, struct buf *out,
    size_t begin, uint64_t more, struct error *err)
{
	const uint64_t claim = (uint64_t)archive_entry_size(reader->entry);
	const size_t have = out->len - begin;
	const uint64_t need = have + more;
	uint64_t want = have + need;

	if (more > ARCHIVE_MEMBER_MAX || need > ARCHIVE_MEMBER_MAX)
		return error_too_long(reader, err);
	if (need <= out->cap - begin)
		return 0;
	if (archive_entry_size_is_set(reader->entry) && want > claim)
		want = claim;
	return buf_reserve(
	    out, begin + (size_t)(want > need ? want : need), err);
}

/* Reserves the whole member at first, unless its claimed size is large. */
static int reserve_claim(
    struct archive_reader *reader, struct buf *out, struct error *err)
{
	const la_int64_t claim = archive_entry_size(reader->entry);

	if (claim < 0 || claim > ARCHIVE_MEMBER_MAX)
		return error_too_long(reader, err);
	if (claim == 0)
		return 0;
	return buf_reserve(out,
	    out->len + (size_t)(claim < TRUST_BYTES ? claim : TRUST_BYTES),
	    err);
}

/* Adds a block of data. A gap before it is filled with zeros. */
static int add_block(struct archive_reader *reader, struct buf *out,
    size_t begin, la_int64_t offset, struct span data, struct error *err)
{
	const la_int64_t have = (la_int64_t)(out->len - begin);

	if (offset < have)
		return data.len == 0
		           ? 0
		           : error_set(err, ERROR_DATA,
		                 "%s: the blocks of member %s overlap",
		                 reader->path, entry_name(reader->entry));
	if (offset > have) {
		const uint64_t gap = (uint64_t)(offset - have);

		if (make_room(reader, out, begin, gap, err))
			return -1;
		memset(out->data + out->len, 0, (size_t)gap);
		out->len += (size_t)gap;
	}
	if (data.len == 0)
		return 0;
	if (make_room(reader, out, begin, data.len, err))
		return -1;
	memcpy(out->data + out->len, data.data, data.len);
	out->len += data.len;
	return 0;
}

static int check_length(
    const struct archive_reader *reader, size_t len, struct error *err)
{
	if (!archive_entry_size_is_set(reader->entry) ||
	    (la_int64_t)len == archive_entry_size(reader->entry))
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: member %s has %zu bytes, but should have %lld", reader->path,
	    entry_name(reader->entry), len,
	    (long long)archive_entry_size(reader->entry));
}

int archive_reader_data(
    struct archive_reader *reader, struct buf *out, struct error *err)
{
	const size_t begin = out->len;
	int rc = ARCHIVE_OK;

	if (reserve_claim(reader, out, err))
		return -1;
	while (rc != ARCHIVE_EOF) {
		const void *data = NULL;
		struct span block = { .len = 0 };
		la_int64_t offset = 0;

		rc = archive_read_data_block(
		    reader->archive, &data, &block.len, &offset);
		if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN && rc != ARCHIVE_EOF)
			return error_archive(reader, err);
		if (rc == ARCHIVE_EOF)
			block.len = 0;
		block.data = data;
		if (add_block(reader, out, begin, offset, block, err))
			return -1;
	}
	return check_length(reader, out->len - begin, err);
}

int archive_reader_begin(struct archive_reader *reader, void *data, size_t most,
    size_t *got, struct error *err)
{
	const la_ssize_t n = archive_read_data(reader->archive, data, most);

	if (n < 0)
		return error_archive(reader, err);
	*got = (size_t)n;
	return 0;
}

bool archive_reader_is_plain_tar(const struct archive_reader *reader)
{
	const int base =
	    archive_format(reader->archive) & ARCHIVE_FORMAT_BASE_MASK;

	return base == ARCHIVE_FORMAT_TAR && !reader->inflater &&
	       archive_filter_code(reader->archive, 0) == ARCHIVE_FILTER_NONE;
}

uint64_t archive_reader_bytes(const struct archive_reader *reader)
{
	return medium_size(reader->file);
}

void archive_reader_close(struct archive_reader *reader)
{
	if (!reader)
		return;
	if (reader->archive)
		archive_read_free(reader->archive);
	inflater_free(reader->inflater);
	medium_close(reader->file);
	free(reader->block);
	free(reader);
}
