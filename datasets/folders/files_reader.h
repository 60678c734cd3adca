/*
 * files_reader.h - a reader of files below a folder. Sources differ in how
 * they find the files of samples.
 */
#ifndef DATASETS_FOLDERS_FILES_READER_H
#define DATASETS_FOLDERS_FILES_READER_H

#include "datasets/files/cuts.h"
#include "datasets/files/source_plan.h"
#include "datasets/folders/folder_set.h"
#include "lib/sample/reader.h"

/*
 * Like folder_scan: the plan has the medium, and options of the source's own
 * type.
 */
typedef int folder_finder(struct folder_set *set, const char *dir,
    const struct source_plan *plan, struct schema *schema, struct error *err);

struct folder { /* reader->priv */
	char *root;
	struct medium *medium;
	struct folder_set set;
	struct cuts cuts; /* cuts the samples into streams */
	size_t name_max;  /* longest path below the root, in bytes */
};

extern const struct reader_ops files_reader;

/* Like `fill` of a source. */
int files_reader_fill(struct reader *reader, const struct source_plan *plan,
    folder_finder *find, struct error *err);

#endif
