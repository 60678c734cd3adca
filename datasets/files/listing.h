/*
 * listing.h - the files below a folder whose names match: relative paths in
 * one run of bytes, with sizes, sorted by byte order.  Hidden files and what
 * is in hidden folders are left out.
 *
 * What presto made (lib/folder/made.h) is passed by (passed_by.h): its
 * work folders, the data that it stored, databases and pages.  Taken all the
 * same is a folder that is asked for by its name, as the one to scan or in the
 * part of a pattern that is in front of its first '*'.
 */
#ifndef DATASETS_FILES_LISTING_H
#define DATASETS_FILES_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/passed_by.h"
#include "lib/base/bytes.h"

struct error;

struct listed_file {
	size_t name; /* where its path begins in `names` */
	uint64_t bytes;
};

struct listing {
	struct buf names; /* terminated paths */
	struct listed_file *files;
	size_t count, capacity;
	struct passed_by passed; /* of presto's own */
};

#define LISTING_INIT              \
	{                         \
		.names = BUF_INIT \
	}

/*
 * Adds the files of `dir` that match one of the comma-separated `patterns`: a
 * pattern with a '/' is for the relative path, another for the name.  `dir`
 * must be a folder, and something must match.
 */
int listing_scan(struct listing *listing, const char *dir, const char *patterns,
    struct error *err);
/*
 * The files that a key `path` means: one file, the files of a folder that
 * match, or those of each path of a list (lib/files/braces.h).  *root, owned by
 * the caller, is the folder that their names are relative to.
 */
int listing_find(struct listing *listing, const char *path, const char *match,
    char **root, struct error *err);
/*
 * Is a file that the pattern `path` was found to mean in a folder of presto's,
 * which the pattern does not name?  It is noted in `passed` then.
 */
bool listing_passes_by(
    struct passed_by *passed, const char *pattern, const char *path);
int listing_add(struct listing *listing, const char *name, uint64_t bytes,
    struct error *err);
uint64_t listing_bytes(const struct listing *listing); /* of all files */
const char *listing_name(const struct listing *listing, size_t file);
void listing_release(struct listing *listing);

#endif
