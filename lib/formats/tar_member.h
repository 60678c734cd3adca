/*
 * tar_member.h - members of a tar archive, made and parsed in place: ustar,
 * with a pax header in front where a name has more than 100 bytes.
 *
 * Members are multiples of 512 bytes long and begin at one, so that data does
 * as well.  Owner and time are 0: the same samples give the same bytes.
 */
#ifndef LIB_FORMATS_TAR_MEMBER_H
#define LIB_FORMATS_TAR_MEMBER_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum { TAR_BLOCK = 512 };

struct tar_member {
	struct span name;
	struct span data;
	size_t next; /* where the next member begins */
};

/* Appends a member whose data is `head` and then `data`. */
int tar_add_member(struct span name, struct span head, struct span data,
    struct buf *out, struct error *err);
/* Appends the two blocks of zeros behind the last member. */
int tar_add_end(struct buf *out, struct error *err);

/*
 * The member at `at`: 1 with views into `bytes`, 0 at the end, or -1
 * (ERROR_DATA).  Reads what is written here, not all that tar can be; headers
 * are not summed up, since blocks of shards have a better checksum.
 */
int tar_view_member(
    struct span bytes, size_t at, struct tar_member *member, struct error *err);

#endif
