/*
 * folder_scan.h - the samples that the files of a folder make up: which files,
 * key and label of each.  Nothing is opened.
 */
#ifndef DATASETS_FOLDER_SCAN_H
#define DATASETS_FOLDER_SCAN_H

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
	const char *label_column, *label_key; /* of `labels` */
	const char *labels;                   /* a CSV file; NULL: by `label` */
	const char *match;
};

struct folder_sample {
	int64_t label;
	size_t key_at, key_len; /* the key is a part of its first file's path */
};

struct folder_set {
	struct listing listing; /* files of a sample stand together */
	unsigned fields;        /* files a sample */
	size_t count;           /* samples */
	struct folder_sample *samples;
	struct classes classes; /* of their labels; empty: those are numbers */
	uint64_t labels_hash;   /* of those of a table, or 0 */
	struct buf note;        /* for the user, terminated; or empty */
};

#define FOLDER_SET_INIT          \
	{                        \
		.samples = NULL, \
	}

/*
 * Finds the samples of `dir`, sorted by key, with keys that differ.  Adds the
 * fields to the schema, their types unknown.  Messages do not name `dir`.
 */
int folder_scan(struct folder_set *set, const char *dir,
    const struct folder_options *options, struct schema *schema,
    struct error *err);
/* Keeps `limit` of them, evenly spaced; 0 or more than there are: all. */
int folder_select(struct folder_set *set, uint64_t limit, struct error *err);

/* The path of a sample's first file; its key is a part of that. */
const char *folder_name(const struct folder_set *set, size_t sample);
struct span folder_key(const struct folder_set *set, size_t sample);
/* The length of a path without what is behind the last dot of its name. */
size_t folder_stem(const char *name);
/* Sets the labels by `label` or `labels`; keys and names are there. */
int folder_label(struct folder_set *set, const struct folder_options *options,
    struct error *err);
void folder_set_release(struct folder_set *set);

#endif
