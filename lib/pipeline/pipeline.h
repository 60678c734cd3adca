/*
 * pipeline.h - the steps of the pipeline file, in order, bound to schemas: the
 * types that each takes and gives. A wrong order is an error at once.
 *
 * Representation 0 is the source's own (`raw`). Representation i is the output
 * of step i - 1, under the name that the file gives it.
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
struct presto_step;
struct reader;
struct step_ops;

enum {
	PIPELINE_STEPS = 64,
	PIPELINE_PATHS = 4, /* most path options of a step */
	PIPELINE_SECTIONS = 9,
};

/* The sections that a pipeline file may have; most are read elsewhere. */
extern const char *const pipeline_sections[PIPELINE_SECTIONS];

struct pipeline_step {
	const char *name; /* name of its representation; the ini owns it */
	const struct step_ops *ops;
	const struct ini_entry *entry; /* its line in the file */
	char *text;                    /* owned: the words of its options */
	void *options;                 /* owned: the step's own struct */
	char *paths[PIPELINE_PATHS];   /* owned: resolved path options */
	const char *after; /* options of every step, see presto.conf(5) */
	const char *field; /* NULL: the first */
	bool fixed, random, lossy; /* bind asks code of the user's for them */
	unsigned fields;           /* bit f: works on field f; set by bind */
	/*
	 * Its place in the order given, which numbers its random draws: they
	 * are the same in every order.
	 */
	unsigned given;

	/* For steps that run code of the user's, see own_step.h. */
	char *folder; /* owned: where they run, and relative paths begin */
	bool is_open;
	bool is_certain;                   /* random=no */
	const struct presto_step *brought; /* by the program; or NULL */
	struct step_ops *brought_ops;      /* owned: its ops and name */
};

struct pipeline {
	const struct ini *ini; /* borrowed */
	/*
	 * The representation that the data has.  The steps up to there ran
	 * before it was stored: they have a name and an entry, and no options.
	 */
	unsigned from;
	struct pipeline_step steps[PIPELINE_STEPS];
	unsigned count;
	struct limits limits;
	/* schemas[i]: of representation i, for i >= from; set by bind. */
	struct schema schemas[PIPELINE_STEPS + 1];
};

#define PIPELINE_INIT      \
	{                  \
		.count = 0 \
	}

/*
 * Reads [pipeline] and [limits] of the file. Errors (ERROR_USAGE) name the
 * file, the line, the word, and the nearest known one. `ini` must outlive it.
 */
int pipeline_read(
    struct pipeline *pipeline, const struct ini *ini, struct error *err);
/*
 * The same for data that was stored as the representation `split`: reads only
 * the steps behind it.  `order`: names, with commas, in the order in which the
 * steps run; others follow.  NULL: as the file has them.  `brought`: steps that
 * the program brings, which the file may name like presto's own
 * (lib/own/library.h).  They must outlive the pipeline.  NULL: none.
 */
int pipeline_read_behind(struct pipeline *pipeline, const struct ini *ini,
    const char *split, const char *order, const struct presto_step *brought,
    struct error *err);
/*
 * Did the step of this entry run before representation `split` was stored?
 * `order`: as above.
 */
bool pipeline_entry_ran(const struct ini *ini, const struct ini_entry *entry,
    const char *split, const char *order);
/*
 * Makes `to` a pipeline with the steps of `from` in another order: its step i
 * is step order[i] of `from`.  It borrows all that these steps own: do not
 * release it.  Bind it before use.
 */
void pipeline_permute(struct pipeline *to, const struct pipeline *from,
    const unsigned char order[PIPELINE_STEPS]);
/*
 * Computes all schemas from that of the data, and opens code of the user's.
 * What such code gives must be declared, or known without running it.
 */
int pipeline_bind(
    struct pipeline *pipeline, const struct schema *data, struct error *err);
/*
 * The same for the samples of a reader.  Code of the user's is run on some of
 * them to find the type of its output.  With `skips`, samples that a step
 * refuses are left out.
 */
int pipeline_bind_reader(struct pipeline *pipeline, const struct reader *reader,
    bool skips, struct error *err);
/*
 * Computes what a step of a bound pipeline gives for another input.  It fails
 * where that is not known without a sample.
 */
int pipeline_bind_step(const struct pipeline *pipeline, unsigned number,
    const struct schema *in, struct schema *out, struct error *err);
void pipeline_release(struct pipeline *pipeline);

/* Returns "raw", or the name in the file. */
const char *pipeline_name(const struct pipeline *pipeline, unsigned i);
/* Returns the representation of this name, or -1. */
int pipeline_find(const struct pipeline *pipeline, const char *name);
/* Do the steps run in another order than the file gives them? */
bool pipeline_is_reordered(const struct pipeline *pipeline);
/* Does a step of from .. to-1 make several samples of one? */
bool pipeline_makes_many(
    const struct pipeline *pipeline, unsigned from, unsigned to);
/* Is a step of from .. to-1 a filter? */
bool pipeline_drops(
    const struct pipeline *pipeline, unsigned from, unsigned to);
/* Is the number of samples that from .. to-1 make of one not always 1? */
bool pipeline_changes_count(
    const struct pipeline *pipeline, unsigned from, unsigned to);
/*
 * Does a step of from .. to-1 compute each pixel from those around it?  Then it
 * reads its input more than once.
 */
bool pipeline_has_areas(
    const struct pipeline *pipeline, unsigned from, unsigned to);
/* Returns the last one that may be stored, before the first random step. */
unsigned pipeline_last_split(const struct pipeline *pipeline);

#endif
