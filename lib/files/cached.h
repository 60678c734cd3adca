/* cached.h - is a part of a file in the page cache? */
#ifndef LIB_FILES_CACHED_H
#define LIB_FILES_CACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Can the first and the last byte be read without waiting?  What lies between
 * them was read with them, as a rule.  False where the kernel cannot tell.
 */
bool cached_ends(int fd, uint64_t offset, size_t len);

#endif
