/*
 * project.h - a pipeline file with its dataset open and its steps bound.
 * profile, show and materialize begin with it.  The file is given by the user
 * or kept in a session.
 */
#ifndef CMD_PROJECT_PROJECT_H
#define CMD_PROJECT_PROJECT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "datasets/source.h"
#include "lib/folder/inventory.h"
#include "lib/media/medium.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/option.h"
#include "strategies/plan/plan.h"

struct error;
struct results;
struct session_record;

struct project {
	struct ini ini;
	struct dataset dataset;
	struct pipeline pipeline;
	struct plan plan;
	struct medium *medium;
	struct reader *source;
	struct inventory inventory; /* empty until project_inventory */
};

/* Allocates a project; it is too large for the stack. */
struct project *project_new(struct error *err);
void project_free(struct project *project); /* NULL is fine */

/* A key of the file that a command line option sets. */
struct override {
	const char *section, *key, *value; /* value NULL: not given */
};

/*
 * Reads the file, applies --set and then the overrides (the last has key NULL).
 * Checks everything that can be checked without the data.
 */
int project_read(struct project *project, const char *path,
    const struct option_texts *sets, const struct override *overrides,
    struct error *err);
/*
 * The same for a session of the database: its file with all settings that it
 * had, then `sets` and `overrides`. Paths mean what they meant then, whatever
 * the current folder is.
 */
int project_recall(struct project *project, struct results *results,
    int64_t session, const struct option_texts *sets,
    const struct override *overrides, struct error *err);
/*
 * Does the open dataset hold the same files as when the session ran?
 * ERROR_DATA if not.  A dataset that --set has just chosen is not compared.
 */
int project_check_dataset(const struct project *project,
    struct results *results, const struct session_record *record,
    struct error *err);

/*
 * Opens the dataset, `limit` samples of it (0: all), and binds the steps.  With
 * `emulate` it is read at the speed of [storage]; only measurements want that.
 */
int project_open(
    struct project *project, uint64_t limit, bool emulate, struct error *err);

/* Lists the files that dataset and first `steps` steps read; release it. */
int project_inventory(const struct project *project, unsigned steps,
    const atomic_bool *stop, struct inventory *inventory, struct error *err);

/* Warns if full_samples is not used.  Owned by the caller; NULL: no warning. */
char *project_warning(const struct project *project);

/*
 * The absolute path of the dataset's file or folder.  For a pattern or a list,
 * it is the folder in front of it.  Owned by the caller; NULL: none.
 */
char *project_place(const struct project *project);

/* Adds to an unreadable sample's error how to go on without it; returns -1. */
int project_hint(bool skip_errors, struct error *err);

/* The pipeline's name: the file name without folder and ".conf"; owned. */
char *project_name(const char *path, struct error *err);

#endif
