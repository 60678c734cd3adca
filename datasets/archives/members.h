/*
 * members.h - groups the members of an archive into samples, by the rules of
 * WebDataset: consecutive files with the same key are a sample. The extension
 * begins at the first dot of the name; the folder is part of the key.
 *
 * It leaves out folders and links, hidden files and those in hidden folders
 * (such as AppleDouble files of macOS), names that begin and end with "__", and
 * names without an extension. presto's own tar store escapes dots, percent
 * signs, blanks and control bytes of keys as "%2E" and so on; these are
 * unescaped.
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
	const char *path; /* path of the archive; borrowed, for messages */
	struct archive_member member;
	bool begins;                /* this member begins a sample */
	char extension[ENDING_MAX]; /* lower case; "" when too long */
	size_t key_len;
	char key[KEY_MAX];
	/* The key as it is in the archive, to recognise the next one. */
	size_t raw_len;
	char raw[KEY_MAX];
};

/* Call this first; also to go on with another archive. */
void members_begin(
    struct members *members, struct archive_reader *archive, const char *path);
/* Goes to the next member that belongs to a sample: 1, 0 at the end, -1. */
int members_next(struct members *members, struct error *err);

/* Prefixes an error with "PATH: sample 'KEY': "; returns -1. */
int members_blame(const char *path, struct span key, struct error *err);

#endif
