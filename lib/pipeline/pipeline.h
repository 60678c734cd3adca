/*
 * pipeline.h - the ordered steps of the pipeline file, bound to shapes: what
 * each takes and gives, so that a wrong order is an error before anything
 * runs.
 *
 * Representation 0 is the source's own (`raw`), representation i what step
 * i - 1 gives, under the name that the file gave it.
 */
#ifndef LIB_PIPELINE_PIPELINE_H
#define LIB_PIPELINE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/pipeline/limits.h"
#include "lib/sample/sample.h"

struct error;
struct ini;
struct ini_entry;
struct step_ops;

enum {
	PIPELINE_STEPS = 64,
	PIPELINE_PATHS = 4, /* options of a step that are paths, at most */
};

struct pipeline_step {
	const char *name; /* of the representation; lives in the ini */
	const struct step_ops *ops;
	const struct ini_entry *entry; /* where it stands in the file */
	char *text;                    /* owned: the words of its options */
	void *options;                 /* owned: of the step */
	char *paths[PIPELINE_PATHS];   /* owned: what options point to */
	const char *after; /* reserved options, see presto.conf(5) */
	const char *field; /* NULL: the first */
	bool fixed, random, lossy;
	unsigned fields; /* bit f: works on field f; set by bind */
};

struct pipeline {
	const struct ini *ini; /* borrowed */
	struct pipeline_step steps[PIPELINE_STEPS];
	unsigned count;
	struct limits limits;
	/* schemas[i] of representation i; set by bind. */
	struct schema schemas[PIPELINE_STEPS + 1];
};

#define PIPELINE_INIT      \
	{                  \
		.count = 0 \
	}

/*
 * Reads [pipeline] and [limits] of the file.  Errors (ERROR_USAGE) name file,
 * line, the word, and the nearest known one.  `ini` must outlive the pipeline.
 */
int pipeline_read(
    struct pipeline *pipeline, const struct ini *ini, struct error *err);
/* Computes the schemas from what the source gives. */
int pipeline_bind(
    struct pipeline *pipeline, const struct schema *source, struct error *err);
void pipeline_release(struct pipeline *pipeline);

/* "raw", or the name that the file gave. */
const char *pipeline_name(const struct pipeline *pipeline, unsigned i);
/* The representation of this name, or -1. */
int pipeline_find(const struct pipeline *pipeline, const char *name);
/* Does a step of from .. to-1 make several samples of one? */
bool pipeline_makes_many(
    const struct pipeline *pipeline, unsigned from, unsigned to);
/* The last representation that may be stored: before the first random step. */
unsigned pipeline_last_split(const struct pipeline *pipeline);

#endif
