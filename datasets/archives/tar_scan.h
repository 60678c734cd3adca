/* tar_scan.h - finds the samples in archives, by reading headers only. */
#ifndef DATASETS_ARCHIVES_TAR_SCAN_H
#define DATASETS_ARCHIVES_TAR_SCAN_H

#include "datasets/archives/tar_set.h"
#include "lib/sample/sample.h"

struct error;
struct medium;

struct tar_options {
	const char *fields; /* see fields.h; NULL: by the first sample */
	unsigned label;
	const char *match; /* files of a folder */
};

enum { TAR_LABEL_CLS, TAR_LABEL_NONE };

enum { TAR_RUN_BYTES = 1 << 20 }; /* approximate size of runs and chunks */

/*
 * Finds the archives of `path` (tar_find.h), the samples and runs in them, and
 * adds the fields to the schema, with unknown types.
 */
int tar_scan(struct tar_set *set, const char *path,
    const struct tar_options *options, struct medium *medium,
    struct schema *schema, struct error *err);

#endif
