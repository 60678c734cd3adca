/*
 * description.h - what a materialised folder holds, for people and programs:
 * dataset.json beside the manifest.
 *
 * The manifest says what the shards are; the description adds what a training
 * job has to know besides: the names of the classes, the steps that remain to
 * be run online with their options and types, the pipeline and the versions.
 * It is written before the manifest, so a complete folder has it.
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
struct sink;

#define DESCRIPTION_NAME "dataset.json"

struct described_option {
	const char *name, *value; /* as the pipeline file has them */
};

/* A step that remains: it runs online, in every epoch. */
struct described_step {
	const char *name; /* of the representation that it gives */
	const char *step;
	struct described_option *options;
	size_t option_count;
	bool random;
	unsigned fields;     /* bit f: works on field f of what it takes */
	struct schema gives; /* all fields behind it */
};

struct description {
	struct arena arena; /* of all that is not of the manifest */
	struct manifest manifest;
	struct classes classes; /* empty: labels have no names */
	const char *split;
	/* Only of a folder with dataset.json: `is_whole`. */
	bool is_whole;
	const char *presto, *libraries, *pipeline; /* versions; text */
	uint64_t seed;
	struct described_step *steps;
	size_t step_count;
};

#define DESCRIPTION_INIT          \
	{                         \
		.is_whole = false \
	}

void description_release(struct description *description);

/* Of a folder that is written by these. */
struct description_parts {
	const struct pipeline *pipeline; /* bound */
	unsigned split;                  /* that is stored */
	const struct classes *classes;   /* NULL: none */
	uint64_t seed;
};

/*
 * Copies all of it, and the manifest's names.  Release the description in any
 * case.
 */
int description_make(struct description *description,
    const struct description_parts *parts, const struct manifest *manifest,
    struct error *err);

/*
 * The text of dataset.json; and writes it to the folder, and lists it in the
 * manifest that is being written.
 */
int description_print(
    const struct description *description, struct buf *text, struct error *err);
int description_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err);

/*
 * Reads manifest and description of a complete folder.  Without dataset.json
 * there is only what the manifest has.  ERROR_DATA names the file, and what is
 * wrong with it.
 */
int description_read(
    struct description *description, const char *dir, struct error *err);
/*
 * Does the folder's dataset.json name the work with this fingerprint?  So a
 * folder that lost its manifest is known again; nothing else of it is checked.
 */
bool description_is_of(const char *dir, const char *fingerprint);
/* The text of dataset.json, whose manifest is there; `path` for messages. */
int description_parse(struct description *description, const char *path,
    struct span text, struct error *err);

/* The value that the file gives an option of the step; NULL: none. */
const char *described_option(
    const struct described_step *step, const char *name);
/* "random_crop size=28", behind what is in `text`. */
int described_step_text(
    const struct described_step *step, struct buf *text, struct error *err);
/* What the steps take: the stored representation, for the first of them. */
const struct schema *description_takes(
    const struct description *description, size_t step);

#endif
