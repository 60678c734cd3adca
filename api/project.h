/*
 * project.h - a pipeline file with its dataset open and its steps bound; or a
 * materialised folder with the steps that remain.  Commands begin with it, and
 * so does presto_open.  Nothing is printed.
 */
#ifndef API_PROJECT_H
#define API_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/source.h"
#include "lib/folder/inventory.h"
#include "lib/media/medium.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "strategies/plan/far_cache.h"
#include "strategies/plan/plan.h"

struct error;
struct plan_file;
struct presto_step;

struct project {
	struct ini ini;
	struct dataset dataset;
	struct pipeline pipeline; /* pipeline.from: what `source` gives */
	struct plan plan;
	struct far_cache far_cache;
	/*
	 * Bytes that are read of URLs are kept in far_cache.  Commands that do
	 * not measure set this before project_open.
	 */
	bool keeps_far;
	struct medium *medium;
	struct reader *source;
	/*
	 * Tells datasets apart whose samples differ in number or order: a hash
	 * of what is read and how, wherever it lies.  Set by project_open.
	 */
	uint64_t identity;
	uint64_t version;  /* of materialised data, from 1; 0: other data */
	char *fingerprint; /* owned: of a folder's manifest; NULL: no folder */
	/* Owned: the plan that was read; NULL: it was a pipeline file. */
	struct plan_file *planned;
	struct inventory inventory; /* empty until project_inventory */
};

/* A key of the file, and what it is set to. */
struct override {
	const char *section, *key, *value; /* value NULL: it stays */
};

/* Changes to a file; the later one wins. */
struct project_settings {
	const char *const *texts; /* [count], "SECTION.KEY=VALUE" */
	size_t count;
	const struct override *overrides; /* the last has key NULL; or NULL */
	const char *setter; /* who made them, see struct ini; constant */
	/*
	 * Absolute: relative paths in them begin here, whatever the current
	 * folder becomes; NULL: in the current folder.
	 */
	const char *folder;
	/* Steps of the program that opens it; see presto_open_options. */
	const struct presto_step *steps;
	/* Interpreter of python steps unless [python] says; NULL: python3. */
	const char *python;
};

/* Allocates a project; it is too large for the stack. */
struct project *project_new(struct error *err);
void project_free(struct project *project); /* NULL is fine */

/*
 * Reads the text of a pipeline file, or of a plan (plan_file.h): that is in
 * project->planned then, and its pipeline part in project->ini.
 */
int project_load(struct project *project, const char *path, struct error *err);
/*
 * Reads a pipeline file or a plan and applies the settings.  Checks everything
 * that can be checked without the data.
 */
int project_read(struct project *project, const char *path,
    const struct project_settings *settings, struct error *err);
/* The same for a file that is in project->ini already. */
int project_read_ini(struct project *project,
    const struct project_settings *settings, struct error *err);
/*
 * Reads what dataset.json of a materialised folder says, and applies the
 * settings.  The dataset is the folder.  Steps that ran before it was stored
 * cannot be set.  [storage] of the file does not slow the folder down, but
 * [storage] of the settings does.
 */
int project_read_folder(struct project *project, const char *dir,
    const struct project_settings *settings, struct error *err);

/*
 * Opens the dataset, `limit` samples of it (0: all), and binds the steps.  With
 * `emulate` it is read at the speed of [storage].  The source may have notes
 * for the user, also when binding fails.
 */
int project_open(
    struct project *project, uint64_t limit, bool emulate, struct error *err);

/*
 * Reads and opens a pipeline file, a plan, or a folder that presto materialize
 * wrote, as presto_open does.  A plan may name a folder that holds its data.
 */
int project_open_path(struct project *project, const char *path,
    const struct project_settings *settings, struct error *err);
/*
 * The threads of its loader: as asked for; 0: as the plan says, else as many as
 * cores.  Fetchers, with so many threads: the same, but 0 leaves the number to
 * the loader.
 */
unsigned project_threads(const struct project *project, unsigned asked);
unsigned project_fetchers(
    const struct project *project, unsigned asked, unsigned threads);

/* Samples of an epoch; 0: a step makes several of one, so nobody knows. */
uint64_t project_samples(const struct project *project);

/*
 * Is the code of the open project that of its plan?  And so are number and
 * bytes of the samples, unless `other_data` was chosen?  ERROR_USAGE says what
 * differs; without a plan there is nothing to compare.
 */
int project_check_plan(
    const struct project *project, bool other_data, struct error *err);

/* Adds to an unreadable sample's error how to go on without it; returns -1. */
int project_hint(bool skip_errors, struct error *err);

#endif
