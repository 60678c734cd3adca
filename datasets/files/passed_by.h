/*
 * passed_by.h - presto's own output (lib/folder/made.h) that a search for files
 * left out. The reader's note tells the user once.
 */
#ifndef DATASETS_FILES_PASSED_BY_H
#define DATASETS_FILES_PASSED_BY_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct reader;

struct passed_by {
	struct buf first; /* path of the first one, terminated; or empty */
	uint64_t count;   /* files and folders */
};

/* Counts a path; if memory is short, it is counted without its name. */
void passed_by_add(struct passed_by *passed, const char *path);
/* Adds everything in `more` and empties that. */
void passed_by_move(struct passed_by *passed, struct passed_by *more);
int passed_by_tell(
    const struct passed_by *passed, struct reader *reader, struct error *err);
void passed_by_release(struct passed_by *passed);

#endif
