/*
 * members.h - the members of an archive as parts of samples, by the rules of
 * WebDataset: consecutive files of the same key are a sample; the extension
 * begins at the first dot of the name, the folder is part of the key.
 *
 * Left out are folders and links, hidden files and those of hidden folders
 * (so the AppleDouble files of macOS), names that begin and end with "__", and
 * names without an extension.  "%2E" and the like, by which presto's own tar
 * store keeps dots, percent signs, blanks and control bytes out of names, are
 * undone in the key.
 */
#ifndef DATASETS_ARCHIVES_MEMBERS_H
#define DATASETS_ARCHIVES_MEMBERS_H

#include <stdbool.h>

#include "datasets/archives/archive.h"
#include "datasets/files/fields.h"
#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct error;

struct members {
	struct archive_reader *archive; /* borrowed */
	const char *path;               /* its; borrowed, for messages */
	struct archive_member member;
	bool begins;                /* this one begins a sample */
	char extension[ENDING_MAX]; /* lower case; "" when too long */
	size_t key_len;
	char key[KEY_MAX];
	/* As it stands in the archive, to tell when another one begins. */
	size_t raw_len;
	char raw[KEY_MAX];
};

/* The first thing to do; also to go on with another archive. */
void members_begin(
    struct members *members, struct archive_reader *archive, const char *path);
/* The next member that is part of a sample: 1, 0 at the end, -1. */
int members_next(struct members *members, struct error *err);

/* "PATH: sample 'KEY': " in front of the message; returns -1. */
int members_blame(const char *path, struct span key, struct error *err);

#endif
