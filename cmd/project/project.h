/*
 * project.h - a pipeline file read and bound, with its dataset open: what
 * profile, show and materialize begin with.  The file is one that the user
 * names, or the one of a session.
 */
#ifndef CMD_PROJECT_PROJECT_H
#define CMD_PROJECT_PROJECT_H

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

/* It is large: keep it on the heap. */
struct project *project_new(struct error *err);
void project_free(struct project *project); /* NULL is fine */

/* A key of the file that a command line option stands for. */
struct override {
	const char *section, *key, *value; /* value NULL: not given */
};

/*
 * Reads the file, applies --set and the overrides (the last has key NULL),
 * and checks everything that can be checked without the data.
 */
int project_read(struct project *project, const char *path,
    const struct option_texts *sets, const struct override *overrides,
    struct error *err);
/*
 * The same of a session in the database: the file as it was, with all that was
 * set then, and `sets` and `overrides` over it.  Paths are found from any
 * folder.
 */
int project_recall(struct project *project, struct results *results,
    int64_t session, const struct option_texts *sets,
    const struct override *overrides, struct error *err);
/*
 * Does the dataset, which is open, hold what the session found in it?
 * ERROR_DATA if not.  One that was just chosen by --set is not compared.
 */
int project_check_dataset(const struct project *project,
    struct results *results, const struct session_record *record,
    struct error *err);

/*
 * Opens the dataset, `limit` samples of it (0: all), and binds the steps.  With
 * `emulate` it is read as slowly as [storage] says: for measuring only.
 */
int project_open(
    struct project *project, uint64_t limit, bool emulate, struct error *err);

/*
 * The files that the dataset, which is open, is read from, and those that
 * the first `steps` steps read besides.  Release it in any case.
 */
int project_inventory(const struct project *project, unsigned steps,
    const atomic_bool *stop, struct inventory *inventory, struct error *err);

/*
 * What the user must know of the file: that its full_samples are not used.
 * Owned by the caller; NULL: nothing.
 */
char *project_warning(const struct project *project);

/*
 * Where the dataset lies, from the root on: its file or folder, of a pattern or
 * a list the folder in front of it.  Owned; NULL: it has no path, or there is
 * none.
 */
char *project_place(const struct project *project);

/*
 * Adds to the message of a sample that cannot be read how to go on without it;
 * returns -1.
 */
int project_hint(bool skip_errors, struct error *err);

/* The pipeline's name: the file's, without folder and ".conf"; owned. */
char *project_name(const char *path, struct error *err);

#endif
