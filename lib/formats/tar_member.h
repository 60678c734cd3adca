/*
 * tar_member.h - writes and parses members of a tar archive in place: ustar,
 * with a pax header for names of more than 100 bytes.
 *
 * Members begin at multiples of 512 bytes, and so does their data. Owner and
 * time are 0: the same samples give the same bytes.
 */
#ifndef LIB_FORMATS_TAR_MEMBER_H
#define LIB_FORMATS_TAR_MEMBER_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct alike;
struct error;

enum { TAR_BLOCK = 512 };

struct tar_member {
	struct span name;
	struct span data;
	size_t next; /* offset of the next member */
};

/* Appends a member whose data is `head` and then `data`. */
int tar_add_member(struct span name, struct span head, struct span data,
    struct buf *out, struct error *err);
/* Appends the two zero blocks that end an archive. */
int tar_add_end(struct buf *out, struct error *err);

/*
 * Views the member at `at`: 1, 0 at the end, or -1 (ERROR_DATA). It reads
 * archives that presto wrote, not all of tar. Header checksums are not
 * verified, since shards have a better checksum for each block.
 */
int tar_view_member(
    struct span bytes, size_t at, struct tar_member *member, struct error *err);

/*
 * Adds the bytes that tar_view_member looks at, but for the first `stem` bytes
 * of the name; and the data that lies before `data`.  False: the member has a
 * pax header, and cannot be noted.
 */
bool tar_note_member(const struct tar_member *member, size_t stem,
    const unsigned char *data, struct alike *alike);

/*
 * May the member at `at` have a name that begins with `stem`?  False is
 * certain; true must be checked by tar_view_member.
 */
bool tar_may_be_of(struct span bytes, size_t at, struct span stem);

#endif
