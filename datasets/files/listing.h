/*
 * listing.h - lists the files below a folder whose names match: relative paths
 * in one buffer, with sizes, sorted by bytes. Hidden ones are left out.
 *
 * presto's own output (lib/folder/made.h) is left out and reported
 * (passed_by.h): its work folders, stored data, databases and pages. A folder
 * is taken nevertheless if the user names it, as the folder to scan or in a
 * pattern before its first '*'.
 */
#ifndef DATASETS_FILES_LISTING_H
#define DATASETS_FILES_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/passed_by.h"
#include "lib/base/bytes.h"

struct error;
struct inventory_known;
struct medium;

struct listed_file {
	size_t name; /* offset of its path in `names` */
	uint64_t bytes;
};

struct listing {
	char *root;       /* folder of all paths; owned; set by listing_find */
	struct buf names; /* terminated paths */
	struct listed_file *files;
	size_t count, capacity;
	struct passed_by passed; /* presto's own output */
	/*
	 * Set before listing_scan, if another process has listed the folder:
	 * its files, so many of each sample. NULL: it is listed here.
	 */
	const struct inventory_known *known;
	unsigned known_each;
};

#define LISTING_INIT              \
	{                         \
		.names = BUF_INIT \
	}

/*
 * Adds the files of the existing folder `dir` that match one of the
 * comma-separated `patterns`. A pattern with a '/' is for the relative path,
 * another one for the name. Something must match.
 */
int listing_scan(struct listing *listing, struct medium *medium,
    const char *dir, const char *patterns, struct error *err);
/*
 * Lists the files of the key `path`: one file, the matching files of a folder,
 * or those of each path in a list (lib/files/braces.h). Sets
 * listing->root to the folder that names are relative to.
 */
int listing_find(struct listing *listing, struct medium *medium,
    const char *path, const char *match, struct error *err);
/*
 * Says why nothing is at `path`: of a URL what the server answers, else `text`.
 */
int listing_error_missing(struct medium *medium, const char *path,
    const char *text, struct error *err);
/*
 * Is a file that the pattern matched in a folder of presto's that the pattern
 * does not name? Then it is added to `passed`.
 */
bool listing_passes_by(struct passed_by *passed, struct medium *medium,
    const char *pattern, const char *path);
int listing_add(struct listing *listing, const char *name, uint64_t bytes,
    struct error *err);
uint64_t listing_bytes(const struct listing *listing); /* total size */
const char *listing_name(const struct listing *listing, size_t file);
/* Returns ROOT/NAME; owned by the caller. */
char *listing_path(
    const struct listing *listing, size_t file, struct error *err);
void listing_release(struct listing *listing);

#endif
