/*
 * mapping.h - a part of a file as it lies in the page cache: its bytes without
 * a copy.
 *
 * Only what is cached is mapped: for the rest a plain read is faster, and it
 * reports errors in words.  The pages are there when mapping_make returns; a
 * file that somebody cuts short while it is mapped ends the program, as with
 * every program that maps files.
 */
#ifndef LIB_BASE_MAPPING_H
#define LIB_BASE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPPING_LEAST = 64 << 10 }; /* fewer bytes are better read */

struct mapping {
	void *base; /* NULL: nothing is mapped */
	size_t bytes;
};

/*
 * True: *data is bytes `offset` until `offset + len` of the file, until
 * mapping_release; they may be written to, for this process only.  False:
 * not cached, too few, or not possible here: read them.
 */
bool mapping_make(struct mapping *mapping, int fd, uint64_t offset, size_t len,
    unsigned char **data);
void mapping_release(struct mapping *mapping); /* empty, usable again */

#endif
