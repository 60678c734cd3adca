/*
 * late_read.h - a part of a file that is read by the thread that uses it.
 *
 * A thread that fetches ahead only notes the part, if it is in the page cache.
 * Where steps compute with the bytes, this may be faster than a mapping: they
 * are read into the same memory again and again, which stays in the caches of
 * some processors (cpu_keeps_copies), and its pages need not be mapped anew.
 */
#ifndef LIB_FILES_LATE_READ_H
#define LIB_FILES_LATE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum { LATE_READ_MOST = 4 << 20 }; /* bytes; more leave the caches */

struct late_read {
	int fd; /* owned: the file may be closed meanwhile */
	uint64_t offset;
	size_t bytes; /* 0: nothing is noted */
};

/* Notes the part; false: not cached, too large, or not possible now. */
bool late_read_note(
    struct late_read *late, int fd, uint64_t offset, size_t bytes);
/* Reads it to `to`; then nothing is noted.  ERROR_DATA if the file is cut. */
int late_read_finish(struct late_read *late, void *to, struct error *err);
void late_read_release(struct late_read *late); /* forgets it */

#endif
