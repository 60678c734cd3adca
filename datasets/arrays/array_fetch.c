/* array_fetch.c - see array_fetch.h. */
#include "datasets/arrays/array_fetch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/archives/archive.h"
#include "datasets/files/align.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/sample/npy.h"

enum { READ_BLOCK = 256 << 10 };

/* Reads bytes of a file to the next aligned place of chunk->stored. */
static int read_part(struct medium_file *file, uint64_t at, size_t len,
    struct chunk *chunk, struct chunk_part *part, struct error *err)
{
	struct buf *out = &chunk->stored;
	const size_t begin = align_up(out->len);

	if (buf_reserve(out, begin + len, err) ||
	    medium_read_full(file, at, out->data + begin, len, err))
		return -1;
	out->len = begin + len;
	part->offset = begin;
	part->len = len;
	return 0;
}

static int fetch_npy(const struct array_set *set, const struct run *run,
    const char *path, struct chunk *chunk, struct chunk_part *parts,
    struct error *err)
{
	struct medium_file *file = medium_open(set->medium, path, err);
	uint64_t at = 0, len;
	int rc = -1;

	if (!file)
		return -1;
	len = medium_size(file);
	if (set->by_row) {
		at = run->start;
		len = run->samples * set->columns[0].bytes;
	}
	if (at > medium_size(file) || len > medium_size(file) - at)
		error_set(err, ERROR_DATA,
		    "%s: has become shorter: %" PRIu64 " bytes", path,
		    medium_size(file));
	else
		rc = read_part(file, at, (size_t)len, chunk, &parts[1], err);
	medium_close(file);
	return rc;
}

/* Checks the header of an array in memory, and moves its part to the rows. */
static int find_rows(const struct array_set *set, const struct run *run,
    unsigned column, const struct chunk *chunk, struct chunk_part *part,
    struct error *err)
{
	const struct span bytes = { chunk->stored.data + part->offset,
		part->len };
	struct shape shape;
	enum dtype dtype;
	size_t data;
	uint64_t len;

	if (npy_read_header(bytes, false, &dtype, &shape, &data, err) ||
	    array_check_rows(&set->columns[column], dtype, &shape, err))
		return -1;
	if ((uint64_t)shape.dims[0] < run->samples ||
	    __builtin_mul_overflow(
	        run->samples, set->columns[column].bytes, &len) ||
	    len > bytes.len - data)
		return error_set(err, ERROR_DATA,
		    "has fewer rows than %" PRIu64, run->samples);
	part->offset += data;
	part->len -= data;
	return 0;
}

static int take_member(const struct array_set *set, const struct run *run,
    struct archive_reader *archive, unsigned column, struct chunk *chunk,
    struct chunk_part *parts, struct error *err)
{
	struct chunk_part *part = &parts[1 + column];
	struct buf *out = &chunk->stored;
	const size_t begin = align_up(out->len);

	if (buf_reserve(out, begin, err))
		return -1;
	out->len = begin;
	if (archive_reader_data(archive, out, err))
		return -1;
	part->offset = begin;
	part->len = out->len - begin;
	if (set->by_row && find_rows(set, run, column, chunk, part, err))
		return error_prefix(
		    err, "array '%s'", set->columns[column].name);
	return 0;
}

static int fetch_npz(const struct array_set *set, const struct run *run,
    const char *path, struct chunk *chunk, struct chunk_part *parts,
    struct error *err)
{
	const struct archive_part all = { .path = path,
		.block_bytes = READ_BLOCK };
	struct archive_reader *archive =
	    archive_reader_open(set->medium, &all, err);
	struct archive_member member;
	unsigned has = 0;
	int got = -1;

	while (
	    archive && (got = archive_reader_next(archive, &member, err)) > 0) {
		const int column = array_column_of(set, member.name);

		if (column < 0 || has & 1u << column)
			continue;
		has |= 1u << column;
		if (take_member(set, run, archive, (unsigned)column, chunk,
		        parts, err)) {
			got = -1;
			break;
		}
	}
	archive_reader_close(archive);
	for (unsigned i = 0; got == 0 && i < array_columns(set); i++)
		if (!(has & 1u << i))
			got = error_set(err, ERROR_DATA,
			    "there is no array '%s'", set->columns[i].name);
	return got;
}

int array_fetch(const struct array_set *set, const struct run *run,
    struct chunk *chunk, struct chunk_part *parts, struct error *err)
{
	char *path = listing_path(&set->listing, run->file, err);
	int rc = -1;

	if (path)
		rc = set->is_npz ? fetch_npz(set, run, path, chunk, parts, err)
		                 : fetch_npy(set, run, path, chunk, parts, err);
	if (rc && path && strncmp(err->text, path, strlen(path)) != 0)
		error_prefix(err, "%s", path);
	free(path);
	return rc;
}
