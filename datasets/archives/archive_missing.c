/*
 * archive_missing.c - stands for archive.c in a build without libarchive, where
 * the sources that read archives are refused before they call any of this.
 */
#include "datasets/archives/archive.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

struct archive_reader *archive_reader_open(
    struct medium *medium, const struct archive_part *part, struct error *err)
{
	UNUSED(medium);
	error_set(err, ERROR_USAGE,
	    "%s: needs libarchive, which this build lacks", part->path);
	return NULL;
}

int archive_reader_next(struct archive_reader *reader,
    struct archive_member *member, struct error *err)
{
	UNUSED(reader);
	UNUSED(member);
	UNUSED(err);
	return -1;
}

int archive_reader_data(
    struct archive_reader *reader, struct buf *out, struct error *err)
{
	UNUSED(reader);
	UNUSED(out);
	UNUSED(err);
	return -1;
}

int archive_reader_begin(struct archive_reader *reader, void *data, size_t most,
    size_t *got, struct error *err)
{
	UNUSED(reader);
	UNUSED(data);
	UNUSED(most);
	UNUSED(got);
	UNUSED(err);
	return -1;
}

bool archive_reader_is_plain_tar(const struct archive_reader *reader)
{
	UNUSED(reader);
	return false;
}

uint64_t archive_reader_bytes(const struct archive_reader *reader)
{
	UNUSED(reader);
	return 0;
}

void archive_reader_close(struct archive_reader *reader)
{
	UNUSED(reader);
}
