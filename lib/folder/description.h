/*
 * description.h - describes a materialised folder for people and programs:
 * dataset.json beside the manifest.
 *
 * The manifest lists the shards. The description adds what a training job
 * needs: names of classes, the remaining online steps with their options and
 * types, the pipeline and the versions. It is written before the manifest, so
 * that a complete folder has it.
 */
#ifndef LIB_FOLDER_DESCRIPTION_H
#define LIB_FOLDER_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/sample/classes.h"
#include "lib/stores/manifest.h"

struct buf;
struct error;
struct pipeline;

#define DESCRIPTION_NAME "dataset.json"

/* The version of files that give an order of the steps; others have 1. */
enum { DESCRIPTION_ORDERS = 2 };

struct described_option {
	const char *name, *value; /* as in the pipeline file */
};

/* A remaining step: it runs online, in every epoch. */
struct described_step {
	const char *name; /* name of the representation that it makes */
	const char *step;
	const char *target; /* of a step of the user's own; else NULL */
	struct described_option *options;
	size_t option_count;
	/*
	 * Absolute folder in which relative paths in its options begin; NULL:
	 * it has none, or an older presto did not keep it.
	 */
	const char *folder;
	bool random;
	unsigned fields;     /* bit f: works on field f of its input */
	struct schema gives; /* all fields of its output */
};

struct description {
	struct arena arena; /* owns all strings but the manifest's */
	struct manifest manifest;
	struct classes classes; /* empty: labels have no names */
	const char *split;
	/*
	 * Names of all steps with commas, in the order in which they run; NULL:
	 * as the pipeline's text gives them.
	 */
	const char *order;
	/* The folder has dataset.json; the rest is set only then. */
	bool is_whole;
	const char *presto, *libraries, *pipeline; /* versions; text */
	/*
	 * Code of the user's that all steps ran, as code_print has it; NULL:
	 * none.
	 */
	const char *code;
	uint64_t seed;
	struct described_step *steps;
	size_t step_count;
};

#define DESCRIPTION_INIT          \
	{                         \
		.is_whole = false \
	}

void description_release(struct description *description);

/* Input of description_make. */
struct description_parts {
	const struct pipeline *pipeline; /* bound */
	unsigned split;                  /* the stored representation */
	const struct classes *classes;   /* NULL: none */
	uint64_t seed;
};

/* Copies everything. Release the description in any case. */
int description_make(struct description *description,
    const struct description_parts *parts, const struct manifest *manifest,
    struct error *err);

/* Copies a text that lives as long as the description; NULL: no memory. */
const char *description_keep(
    struct description *description, struct span text, struct error *err);
/* Make room for `count` zeroed steps, or for a step's options. */
int description_take_steps(
    struct description *description, size_t count, struct error *err);
int description_take_options(struct description *description,
    struct described_step *step, size_t count, struct error *err);

/* Returns the value of a step's option in the file; NULL: not given. */
const char *described_option(
    const struct described_step *step, const char *name);
/* Appends "random_crop size=28" to `text`. */
int described_step_text(
    const struct described_step *step, struct buf *text, struct error *err);
/* Returns the input schema of a step; for the first it is the stored one. */
const struct schema *description_takes(
    const struct description *description, size_t step);

#endif
