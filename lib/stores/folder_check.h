/*
 * folder_check.h - is a folder what its manifest says?
 *
 * The manifest is the truth: whatever differs from it is not what presto wrote,
 * however well it agrees with itself.  Nothing is changed here.  What is found
 * is said in words, a line each, in the order of the shards.
 *
 * A quick check takes sizes, indexes and the files beside the shards; a whole
 * one reads every byte.  A manifest of an earlier version has no checksums of
 * indexes and of files beside the shards: these are compared as far as it goes.
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
	bool is_whole; /* every byte is read */
	/* Told of without being damage; NULL: none. */
	const char *for_people;
};

enum folder_finding_kind {
	FOLDER_DAMAGE,  /* to be written anew */
	FOLDER_LEFT,    /* stays as it is: the user's, or changed by him */
	FOLDER_UNKNOWN, /* could not be checked */
};

struct folder_finding {
	enum folder_finding_kind kind;
	char *text; /* "DIR/NAME: its checksum is ..., the manifest says ..." */
};

struct folder_check {
	bool *is_damaged; /* [shards] */
	size_t shards, damaged;
	bool beside; /* a file beside the shards is to be written anew */
	struct folder_finding *findings;
	size_t count, capacity;
	size_t earlier; /* of these: by runs before */
};

#define FOLDER_CHECK_INIT        \
	{                        \
		.findings = NULL \
	}

/*
 * Looks at all shards and all files of the manifest.  -1 when something cannot
 * be looked at; damage is a finding.  Run again, it forgets which shards were
 * damaged, and adds what it finds to the findings, but nothing of the user's a
 * second time.  Release it in any case.
 */
int folder_check_run(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err);
/*
 * Adds what is in the folder and not of presto: FOLDER_LEFT.  Of shards that
 * are folders as well, if their indexes are whole.
 */
int folder_check_foreign(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err);
/* Adds a finding of the caller's: "PATH: TEXT". */
int folder_check_say(struct folder_check *check, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err);
/* Is all as it was written? */
bool folder_check_is_sound(const struct folder_check *check);
/* ERROR_DATA: the first damage that was found, and what to do. */
int folder_check_blame(const struct folder_check *check, struct error *err);
void folder_check_release(struct folder_check *check);

#endif
