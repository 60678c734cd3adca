/* update.c - see update.h. */
#include "cmd/materialize/update.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/materialize/watch.h"
#include "cmd/materialize/words.h"
#include "cmd/materialize/work.h"
#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "cmd/project/folder_words.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/media/medium.h"
#include "strategies/update/update.h"

enum { NUMBER_TEXT = 24 };

/* Arguments as the folder was made with them. */
struct recalled {
	struct materialize_args args;
	char *strategy; /* owned */
	char seed[NUMBER_TEXT], shuffle[NUMBER_TEXT];
};

/* Takes "7" of "seed 7, in windows of 64 MiB"; else "no". */
static void set_shuffle(const char *order, char text[NUMBER_TEXT])
{
	static const char word[] = "seed ";
	size_t digits;

	snprintf(text, NUMBER_TEXT, "no");
	if (!order || strncmp(order, word, strlen(word)) != 0)
		return;
	order += strlen(word);
	digits = strspn(order, "0123456789");
	if (digits < NUMBER_TEXT)
		snprintf(text, NUMBER_TEXT, "%.*s", (int)digits, order);
}

/* An argument that was given must be what the folder says. */
static int check_same(const char *option, const char *given, const char *is,
    const char *dir, struct error *err)
{
	if (!given || strcmp(given, is) == 0)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: was made with --%s %s, and not %s; an update keeps that", dir,
	    option, is, given);
}

static int check_arguments(
    const struct materialize_args *args, const char *path, struct error *err)
{
	if (args->part || args->finish)
		return error_set(err, ERROR_USAGE,
		    "give --update or --%s, not both: an update is made by one "
		    "process",
		    args->part ? "part" : "finish");
	if (!args->out)
		return error_set(err, ERROR_USAGE, "--out DIR is missing");
	if (!path && !args->plan)
		return error_set(err, ERROR_USAGE,
		    "give the pipeline file: presto materialize PIPELINE.conf "
		    "--out DIR --update");
	if (args->at || args->shards)
		return error_set(err, ERROR_USAGE,
		    "--%s does not go with --update",
		    args->at ? "at" : "shards");
	return 0;
}

/* Reads the folder's own strategy, seed and order. */
static int recall(const struct materialize_args *args,
    struct recalled *recalled, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	struct description then = DESCRIPTION_INIT;
	int rc = -1;

	recalled->args = *args;
	if (medium && description_read(&then, medium, args->out, err) == 0) {
		recalled->strategy = strdup(then.manifest.strategy);
		rc = recalled->strategy ? 0 : error_memory(err, 1);
		snprintf(recalled->seed, NUMBER_TEXT, "%" PRIu64, then.seed);
		set_shuffle(then.manifest.shuffle, recalled->shuffle);
	}
	if (rc == 0 && (check_same("strategy", args->strategy,
	                    recalled->strategy, args->out, err) ||
	                   check_same("seed", args->seed, recalled->seed,
	                       args->out, err) ||
	                   check_same("shuffle", args->shuffle,
	                       recalled->shuffle, args->out, err)))
		rc = -1;
	recalled->args.strategy = args->plan ? NULL : recalled->strategy;
	recalled->args.seed = recalled->seed;
	recalled->args.shuffle = recalled->shuffle;
	description_release(&then);
	medium_free(medium);
	return rc;
}

/* ---- added files ---- */

/* Appends "{a.tar,b.tar}", or one name alone. */
static int add_names(
    const char *const *names, size_t count, struct buf *path, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (names[i][strcspn(names[i], "*?[]{},\\")])
			return error_set(err, ERROR_USAGE,
			    "%s: the name of an added file must have none of "
			    "*?[]{},\\",
			    names[i]);
		if (buf_printf(path, err, "%s%s",
		        i           ? ","
		        : count > 1 ? "{"
		                    : "",
		        names[i]))
			return -1;
	}
	return count > 1 ? buf_printf(path, err, "}") : 0;
}

/* Implements update_plan.open_files. */
static struct reader *open_files(
    void *arg, const char *const *names, size_t count, struct error *err)
{
	const struct project *project = arg;
	const char *root = project->inventory.root;
	struct dataset part = project->dataset;
	struct reader *reader = NULL;
	struct buf path = BUF_INIT;

	if (buf_printf(&path, err, "%s/", root ? root : ".") == 0 &&
	    add_names(names, count, &path, err) == 0) {
		part.path = (char *)path.data;
		reader = dataset_open(&part, 0, project->medium, err);
	}
	buf_release(&path);
	return reader;
}

/* ---- words ---- */

static void tell(
    const struct materialize_args *args, const struct updated *updated)
{
	char time[UNITS_TEXT];

	if (updated->was_current) {
		terminal_print(stdout, "",
		    "%s: version %" PRIu64
		    " is up to date; nothing was written",
		    args->out, updated->version);
		return;
	}
	terminal_print(stdout, "",
	    "%s: version %" PRIu64 "%s: %" PRIu64 " %s%s added, %" PRIu64
	    " changed, %" PRIu64 " removed",
	    args->out, updated->version,
	    args->dry_run ? " would be written" : "", updated->added,
	    updated->counts_files ? "file" : "sample",
	    updated->added == 1 ? "" : "s", updated->changed, updated->removed);
	if (args->dry_run)
		return;
	terminal_print(stdout, "",
	    "%" PRIu64 " sample%s written in %" PRIu64
	    " new shard%s in %s, read back and checked; %" PRIu64
	    " samples in all",
	    updated->made.samples, updated->made.samples == 1 ? "" : "s",
	    updated->shards, updated->shards == 1 ? "" : "s",
	    units_time((double)updated->made.wall_ns / 1e9, time),
	    updated->samples);
	materialize_tell_mended(updated->mended);
}

/* ---- the work ---- */

static int write_update(const struct materialize_args *args,
    struct materialize_work *work, struct skipped *skipped, struct error *err)
{
	struct project *project = work->project;
	struct watch watch;
	struct updated updated;
	const struct update_plan plan = {
		.prepare = {
			.source = project->source,
			.pipeline = strategy_pipeline(
			    &work->strategy, &project->pipeline),
			.strategy = &work->strategy,
			.order = project->plan.strategies.order,
			.medium = project->medium,
			.folder = { .dir = args->out,
			    .is_part = true,
			    .inventory = &project->inventory },
			.threads = work_threads(args, work),
			.seed = project->plan.measure.seed,
			.skip_errors = project->dataset.skip_errors,
			.skipped = skipped,
			.stop = work->stop,
			.progress = watch_show,
			.arg = &watch,
		},
		.open_files = open_files,
		.arg = project,
		.total = &watch.all,
		.dry_run = args->dry_run,
		.check = args->check,
	};
	int rc;

	watch_begin(&watch, project->source->samples);
	rc = update_run(&plan, &updated, err);
	watch_end(&watch);
	folder_tell_swept(&updated.swept, args->out);
	folder_tell_findings(&updated.found, false);
	if (rc == 0)
		tell(args, &updated);
	if (rc || (!updated.was_current && !args->dry_run))
		rc = skips_write(skipped, args->skipped, rc, err);
	if (rc && err->code == ERROR_INTERRUPTED)
		cmd_warn("%s is as before; the same command goes on with the "
		         "update",
		    args->out);
	updated_release(&updated);
	return rc;
}

int materialize_update(const struct materialize_args *args, const char *path,
    struct materialize_work *work, struct skipped *skipped, struct error *err)
{
	struct recalled recalled = { .strategy = NULL };
	int rc = -1;

	if (check_arguments(args, path, err) == 0 &&
	    recall(args, &recalled, err) == 0 &&
	    work_read_file(work, &recalled.args, path, err) == 0 &&
	    check_same("strategy", work->strategy.label, recalled.strategy,
	        args->out, err) == 0 &&
	    work_take_inventory(work, err) == 0)
		rc = write_update(args, work, skipped, err);
	free(recalled.strategy);
	return rc;
}
