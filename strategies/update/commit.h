/* commit.h - writes what makes an update the next version of the dataset. */
#ifndef STRATEGIES_UPDATE_COMMIT_H
#define STRATEGIES_UPDATE_COMMIT_H

#include <stdbool.h>

#include "lib/formats/history.h"
#include "lib/media/medium.h"

struct claim;
struct classes;
struct description;
struct difference;
struct error;
struct inventory;
struct manifest;
struct prepare_plan;

/*
 * The order: files of the next version, the manifest, README.md.  So README.md
 * is that of the newest version, or if it was not reached, of the one before;
 * commit_mend_readme then writes it.
 */
struct commit {
	const struct prepare_plan
	    *plan; /* made the new shards, which were read back */
	/* The newest manifest; becomes that of the next version. */
	struct manifest *manifest;
	const struct difference *difference;
	/* Files of the new samples, and those that steps read; or NULL. */
	const struct inventory *files;
	const struct classes *classes; /* old and new ones */
	struct history_row row;        /* the next version: what it changed */
	const struct claim *claim;     /* held */
	/* A far manifest is replaced if it still has this version. */
	const char *version;
	bool owns_readme; /* set here: nobody has changed README.md */
};

/*
 * ERROR_SYSTEM unless the folder's newest version is still that of `then`:
 * another update may have ended since it was read.  Sets the version of a far
 * manifest; "": it is local.
 */
int commit_check_newest(const struct manifest *then, struct medium *medium,
    const char *dir, char version[MEDIUM_VERSION_TEXT], struct error *err);
/* Writes all files of the next version, and replaces the manifest. */
int commit_version(struct commit *commit, struct error *err);
/*
 * Writes the README.md of a folder that was read whole if an update was killed
 * before it did; the caller has the claim.
 */
int commit_mend_readme(const struct description *then, struct medium *medium,
    const char *dir, struct error *err);

#endif
