/*
 * project.h - a pipeline file with its dataset (api/project.h), as commands
 * open it: given by the user, or kept in a session.
 */
#ifndef CMD_PROJECT_PROJECT_H
#define CMD_PROJECT_PROJECT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "api/project.h"
#include "lib/syntax/option.h"

struct error;
struct results;
struct session_record;

/* Makes settings of --set and the options of a command. */
struct project_settings project_settings_of(
    const struct option_texts *sets, const struct override *overrides);

/*
 * Like project_read, but for a session of the database: its file with all
 * settings that it had, then `settings`. Paths mean what they meant then,
 * whatever the current folder is.
 */
int project_recall(struct project *project, struct results *results,
    int64_t session, const struct project_settings *settings,
    struct error *err);
/*
 * Does the open dataset hold the same files as when the session ran?
 * ERROR_DATA if not.  A dataset that --set has just chosen is not compared.
 */
int project_check_dataset(const struct project *project,
    struct results *results, const struct session_record *record,
    struct error *err);

/* Like project_open, and prints the notes of the source as warnings. */
int project_open_noted(
    struct project *project, uint64_t limit, bool emulate, struct error *err);

/* Prints each line of the source's notes as a warning. */
void project_tell_notes(const struct reader *source);

/* All steps, for project_inventory. */
#define PROJECT_STEPS UINT64_MAX
/* Lists the files that dataset and `steps`, bits of them, read; release it. */
int project_inventory(const struct project *project, uint64_t steps,
    const atomic_bool *stop, struct inventory *inventory, struct error *err);

/*
 * Are the files and the code of the open project those of its plan?  A dataset
 * that --set has just chosen is not compared.  ERROR_USAGE says what differs;
 * without a plan there is nothing to compare.
 */
int project_check_planned(
    const struct project *project, const atomic_bool *stop, struct error *err);
/*
 * Has the pipeline file the pipeline and the dataset of the plan?  ERROR_USAGE
 * if not.
 */
int project_check_pipeline(
    const struct project *project, const char *path, struct error *err);
/*
 * As project_read; with `plan` it reads that, and checks that the pipeline file
 * at `path`, which may be NULL, is that of the plan.
 */
int project_read_planned(struct project *project, const char *path,
    const char *plan, const struct project_settings *settings,
    struct error *err);

/* Warns if full_samples is not used.  Owned by the caller; NULL: no warning. */
char *project_warning(const struct project *project);

/*
 * The absolute path of the dataset's file or folder.  For a pattern or a list,
 * it is the folder in front of it.  Owned by the caller; NULL: none.
 */
char *project_place(const struct project *project);

/* The pipeline's name: the file name without folder and ".conf"; owned. */
char *project_name(const char *path, struct error *err);

#endif
