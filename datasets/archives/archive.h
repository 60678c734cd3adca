/*
 * archive.h - the members of an archive, one after the other (wraps
 * libarchive): tar, cpio, zip, 7z and others, compressed or not, through a
 * medium.
 *
 * Archives are not trusted: sizes are checked against what comes, nothing is
 * reserved because a header says so, and no path of an archive is used as one.
 * Every message begins with the archive's path.
 */
#ifndef DATASETS_ARCHIVES_ARCHIVE_H
#define DATASETS_ARCHIVES_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct archive_reader;
struct error;
struct medium;

enum { ARCHIVE_MEMBER_MAX = INT32_MAX }; /* bytes of a member that is read */

/* Bytes of a file, from `start` to `end` - 1. */
struct archive_range {
	uint64_t start, end;
};

/* What to read, and how. */
struct archive_part {
	const char *path; /* of the archive; borrowed while it is open */
	uint64_t start;   /* bytes from `start` to `end` of it, beginning at */
	uint64_t end;     /* a member and ending at one; 0: the whole file */
	/*
	 * Of an uncompressed tar, in place of start and end: some such parts,
	 * read as if they stood in a row; borrowed while it is open.  NULL:
	 * none.
	 */
	const struct archive_range *ranges;
	size_t range_count;
	size_t block_bytes; /* of a read; small when only names are wanted */
};

struct archive_member {
	const char *name; /* until the next is asked for */
	uint64_t bytes;   /* that the archive says it has; 0 when it does not */
	uint64_t position; /* of its header, in a plain tar, in the part */
};

/* A part with start or end is one of an uncompressed tar. */
struct archive_reader *archive_reader_open(
    struct medium *medium, const struct archive_part *part, struct error *err);
/* The next member that is a file: 1, 0 at the end, -1. */
int archive_reader_next(struct archive_reader *reader,
    struct archive_member *member, struct error *err);
/* Appends the bytes of the member that came last; once. */
int archive_reader_data(
    struct archive_reader *reader, struct buf *out, struct error *err);

/* Its first bytes, `most` of them or as many as there are: sets *got. */
int archive_reader_begin(struct archive_reader *reader, void *data, size_t most,
    size_t *got, struct error *err);

/* Known once there was a member: members can be found by their position. */
bool archive_reader_is_plain_tar(const struct archive_reader *reader);
uint64_t archive_reader_bytes(const struct archive_reader *reader);
void archive_reader_close(struct archive_reader *reader); /* NULL is fine */

#endif
