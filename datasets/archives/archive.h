/*
 * archive.h - reads the members of an archive, one after the other, through a
 * medium (wraps libarchive): tar, cpio, zip, 7z and others, compressed or not.
 *
 * Archives are not trusted: sizes are compared with the data, a claimed size
 * reserves no memory, and no path of an archive is opened. Every message begins
 * with the archive's path.
 */
#ifndef DATASETS_ARCHIVES_ARCHIVE_H
#define DATASETS_ARCHIVES_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct archive_reader;
struct error;
struct medium;

/* largest member that is read, in bytes */
enum { ARCHIVE_MEMBER_MAX = INT32_MAX };

/* Bytes `start` to `end` - 1 of a file. */
struct archive_range {
	uint64_t start, end;
};

/* The part of an archive to read. */
struct archive_part {
	const char *path; /* path of the archive; borrowed while it is open */
	uint64_t start;   /* first byte, where a member begins */
	uint64_t end;     /* end of a member; 0: the whole file */
	/*
	 * Replaces start and end in an uncompressed tar: several such parts,
	 * read as if they were one; borrowed while it is open. NULL: none.
	 */
	const struct archive_range *ranges;
	size_t range_count;
	size_t block_bytes; /* size of reads; small if only names are wanted */
};

struct archive_member {
	const char *name;  /* valid until the next member */
	uint64_t bytes;    /* as the archive says; 0: unknown */
	uint64_t position; /* header's offset in the part; plain tar only */
};

/* Opens an archive. A part with start or end must be of an uncompressed tar. */
struct archive_reader *archive_reader_open(
    struct medium *medium, const struct archive_part *part, struct error *err);
/* Goes to the next member that is a file: 1, 0 at the end, -1. */
int archive_reader_next(struct archive_reader *reader,
    struct archive_member *member, struct error *err);
/* Appends the bytes of the current member; may be called once. */
int archive_reader_data(
    struct archive_reader *reader, struct buf *out, struct error *err);

/* Reads the first `most` bytes of the current member, or all; sets *got. */
int archive_reader_begin(struct archive_reader *reader, void *data, size_t most,
    size_t *got, struct error *err);

/* Is it a plain tar, with positions? Known after the first member. */
bool archive_reader_is_plain_tar(const struct archive_reader *reader);
uint64_t archive_reader_bytes(const struct archive_reader *reader);
void archive_reader_close(struct archive_reader *reader); /* NULL is fine */

#endif
