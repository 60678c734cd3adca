/*
 * folder_set.h - samples in the files of a folder: files, key and label of
 * each, and the options that tell how to find them.
 */
#ifndef DATASETS_FOLDERS_FOLDER_SET_H
#define DATASETS_FOLDERS_FOLDER_SET_H

#include <stddef.h>
#include <stdint.h>

#include "datasets/files/listing.h"
#include "lib/base/bytes.h"
#include "lib/sample/classes.h"
#include "lib/sample/sample.h"

struct error;

struct folder_options {
	const char *fields; /* see fields.h; NULL: each file is a sample */
	const char *label;  /* directory, name, none, or a pattern on the key */
	const char *label_column, *label_key; /* columns of `labels` */
	const char *labels;                   /* a CSV file; NULL: by `label` */
	const char *match;
};

struct folder_sample {
	int64_t label;
	size_t key_at, key_len; /* the key, in the path of the first file */
};

struct folder_set {
	struct listing listing; /* files of a sample are adjacent */
	unsigned fields;        /* files of each sample */
	size_t count;           /* samples */
	struct folder_sample *samples;
	struct classes classes; /* names of labels; empty: numbers */
	uint64_t labels_hash;   /* hash of the labels of a table, or 0 */
	struct buf note;        /* for the user, terminated; or empty */
};

#define FOLDER_SET_INIT          \
	{                        \
		.samples = NULL, \
	}

/* Keeps `limit` evenly spaced samples; 0 or more than there are: all. */
int folder_select(struct folder_set *set, uint64_t limit, struct error *err);

/* Returns the path of a sample's first file; its key is a part of it. */
const char *folder_name(const struct folder_set *set, size_t sample);
struct span folder_key(const struct folder_set *set, size_t sample);
/* Returns the length of a path without its extension. */
size_t folder_stem(const char *name);
void folder_set_release(struct folder_set *set);

#endif
