/*
 * tar_scan.h - what a set of archives holds: how many samples, which members
 * are which fields, and where reading can begin.  Headers only are read.
 */
#ifndef DATASETS_ARCHIVES_TAR_SCAN_H
#define DATASETS_ARCHIVES_TAR_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/archives/archive.h"
#include "datasets/files/fields.h"
#include "datasets/files/passed_by.h"
#include "lib/sample/sample.h"

struct error;
struct medium;

struct tar_options {
	const char *fields; /* see fields.h; NULL: by the first sample */
	unsigned label;     /* 0: the member .cls; 1: none */
	const char *match;  /* which files, when the path is a folder */
};

enum { TAR_LABEL_CLS, TAR_LABEL_NONE };

struct tar_archive {
	char *path; /* owned */
	uint64_t bytes;
	uint64_t samples;
	uint64_t selected; /* of them */
};

/* Samples that are read in a row. */
struct tar_run {
	size_t archive;
	uint64_t start,
	    end;          /* bytes of an uncompressed tar; end 0: the whole */
	uint64_t samples; /* that are wanted of it, from its beginning */
	uint64_t held;    /* of it in the archive */
	uint64_t first;   /* number of its first one in `starts` */
	uint64_t before;  /* wanted of the runs in front of it */
};

struct tar_set {
	struct tar_archive *archives;
	size_t count, capacity;
	struct passed_by passed;
	struct tar_run *runs;
	size_t run_count, run_capacity;
	struct field_rules rules;
	/*
	 * Where each sample begins in its archive, if all archives are
	 * uncompressed tar; others are read from front to back.
	 */
	bool is_plain;
	uint64_t *starts;
	size_t start_count, start_capacity;
	bool wants_cls;
	uint64_t samples;
};

enum {
	TAR_RUN_BYTES = 1 << 20, /* of a run, about; and of a chunk's members */
	TAR_HEAD_BLOCK = 8 << 10,
};

/*
 * Finds the archives (`path` is one, or a folder of them, or a pattern, or a
 * list of such by braces), goes through their members, and adds the fields to
 * the schema, types unknown.
 */
int tar_scan(struct tar_set *set, const char *path,
    const struct tar_options *options, struct medium *medium,
    struct schema *schema, struct error *err);
/*
 * Keeps runs for `limit` samples, evenly spaced, the last one cut short; 0:
 * all.
 */
void tar_select(struct tar_set *set, uint64_t limit);
/* The bytes of selected sample `number` in the archive of *run. */
struct archive_range tar_find_sample(
    const struct tar_set *set, uint64_t number, const struct tar_run **run);
void tar_set_release(struct tar_set *set); /* zeroed is empty */

/* The archives of a path, without looking into them. */
int tar_find_archives(struct tar_set *set, const char *path, const char *match,
    struct error *err);
/*
 * What the extensions of the first sample say: "jpg" is the field `data`,
 * "mask.png" the field `mask`, a second one without a name is called by
 * itself.  Texts ("json", "txt") are `data` only when there is nothing else.
 */
int tar_guess_fields(struct field_rules *rules, struct schema *schema,
    const char (*extensions)[ENDING_MAX], unsigned count, struct error *err);

#endif
