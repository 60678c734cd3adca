/*
 * folder_check.h - checks a folder against its manifest, and changes nothing.
 *
 * The manifest is the truth: presto did not write what differs from it.
 * Findings are sentences, one a line, in the order of the shards.
 *
 * A quick check compares sizes, indexes and the files beside the shards. A
 * whole check reads every byte. Manifests before version 3 have no checksums of
 * indexes and of files beside the shards; these are checked as far as possible.
 */
#ifndef LIB_STORES_FOLDER_CHECK_H
#define LIB_STORES_FOLDER_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;
struct manifest;
struct medium;

struct folder_check_plan {
	struct medium *medium;
	const char *dir;
	const struct manifest *manifest;
	unsigned threads;
	bool is_whole; /* read every byte */
	/* File whose changes are no damage (README.md); NULL: none. */
	const char *for_people;
};

enum folder_finding_kind {
	FOLDER_DAMAGE,  /* must be written again */
	FOLDER_LEFT,    /* kept: it is the user's, or the user changed it */
	FOLDER_UNKNOWN, /* could not be checked */
};

struct folder_finding {
	enum folder_finding_kind kind;
	char *text; /* "DIR/NAME: its checksum is ..., the manifest says ..." */
};

struct folder_check {
	bool *is_damaged; /* [shards] */
	size_t shards, damaged;
	bool beside; /* a file beside the shards is damaged */
	struct folder_finding *findings;
	size_t count, capacity;
	size_t earlier; /* number of findings of earlier runs */
};

#define FOLDER_CHECK_INIT        \
	{                        \
		.findings = NULL \
	}

/*
 * Checks all shards and all files of the manifest. Damage is a finding; -1 when
 * something could not be checked at all. A second run starts with no damaged
 * shards and adds its findings to those of the first, without repeating notes
 * about the user's files. Release it in any case.
 */
int folder_check_run(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err);
/*
 * Adds a FOLDER_LEFT finding for each file that is not presto's, also within
 * shards that are folders if their indexes are whole.
 */
int folder_check_foreign(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err);
/* Adds a finding "PATH: TEXT". */
int folder_check_say(struct folder_check *check, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err);
/* Is everything as it was written? */
bool folder_check_is_sound(const struct folder_check *check);
/* ERROR_DATA with the first damage, and what the user can do. */
int folder_check_blame(const struct folder_check *check, struct error *err);
void folder_check_release(struct folder_check *check);

#endif
