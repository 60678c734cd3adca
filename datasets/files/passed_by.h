/*
 * passed_by.h - what of presto's own output (lib/folder/made.h) a search for
 * files met and passed by: told to the user once, by the note of the reader.
 */
#ifndef DATASETS_FILES_PASSED_BY_H
#define DATASETS_FILES_PASSED_BY_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct reader;

struct passed_by {
	struct buf first; /* its path, terminated; or empty */
	uint64_t count;   /* files and folders */
};

/* Without memory for its path it is counted all the same. */
void passed_by_add(struct passed_by *passed, const char *path);
/* Adds what is in `more`, which is empty then. */
void passed_by_move(struct passed_by *passed, struct passed_by *more);
int passed_by_tell(
    const struct passed_by *passed, struct reader *reader, struct error *err);
void passed_by_release(struct passed_by *passed);

#endif
