/* demand.c - presto demand: how fast a training job would take samples. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/demand/job.h"
#include "cmd/demand/words.h"
#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/loader/demand_report.h"
#include "lib/process/process_tree.h"
#include "lib/syntax/option.h"
#include "strategies/whatif/demand.h"

enum { REPORT_BYTES = 1 << 30 };

struct args {
	double budget;
	const char *write;
	uint64_t samples;
};

static const struct option options[] = {
	OPTION(TIME, "budget", 0, struct args, budget, "TIME",
	    "end the job after TIME, such as 2m (default: it runs to its end)"),
	OPTION_ABOVE_0(UINT, "samples", struct args, samples, "N",
	    "samples that the job takes in all, to give bounds to a job "
	    "without presto.Loader"),
	OPTION(TEXT, "write", 'w', struct args, write, "FILE",
	    "write the demand to FILE, for presto recommend --accelerators"),
	OPTION_TABLE_END,
};

/* ---- the reports of the loaders ---- */

/* All reports in the folder. */
struct reports {
	const char *dir;
	struct demand_stream *streams;
	size_t count, capacity;
};

static int read_report(void *arg, const char *name, struct error *err)
{
	struct reports *reports = arg;
	struct demand_stream *grown = array_grow(reports->streams,
	    &reports->capacity, reports->count + 1, sizeof(*grown), err);
	char *path = grown ? path_join(reports->dir, name, err) : NULL;
	struct buf text = BUF_INIT;
	int rc = path ? 0 : -1;

	if (grown)
		reports->streams = grown;
	if (rc == 0)
		rc = path_read(path, REPORT_BYTES, &text, err);
	if (rc == 0)
		rc = demand_stream_parse(&reports->streams[reports->count],
		    path, buf_span(&text), err);
	if (rc == 0)
		reports->count++;
	/* Reports of other loaders still say what these took. */
	if (rc && err->code == ERROR_DATA) {
		cmd_note("left out: %s", err->text);
		*err = (struct error)ERROR_INIT;
		rc = 0;
	}
	buf_release(&text);
	free(path);
	return rc;
}

static void reports_release(struct reports *reports)
{
	for (size_t i = 0; i < reports->count; i++)
		demand_stream_release(&reports->streams[i]);
	free(reports->streams);
}

/* Sets the demand from the folder of reports: 1; 0: there is none. */
static int read_demand(
    const char *dir, struct demand *demand, struct error *err)
{
	struct reports reports = { .dir = dir };
	int rc = path_each_name(dir, read_report, &reports, err);

	if (rc == 0)
		rc = demand_of_loaders(
		    demand, reports.streams, reports.count, err);
	reports_release(&reports);
	return rc;
}

/* ---- the job ---- */

/* A folder of its own, below $TMPDIR or /tmp; owned; NULL on an error. */
static char *make_folder(struct error *err)
{
	const char *parent = getenv("TMPDIR");
	char *dir = path_join(
	    parent && *parent ? parent : "/tmp", "presto-demand-XXXXXX", err);

	if (dir && !mkdtemp(dir)) {
		error_errno(err, "make a folder like", dir);
		free(dir);
		return NULL;
	}
	return dir;
}

/* Runs the job; sets what was found and how it ended. */
static int observe(const struct args *args, char *const *argv, const char *dir,
    struct finding *finding, struct job_end *end, struct error *err)
{
	struct process_tree tree = { .root = "" };
	int rc = setenv(DEMAND_FOLDER, dir, 1)
	             ? error_errno(err, "set", DEMAND_FOLDER)
	             : job_run(argv, args->budget, &tree, end, err);

	*finding = (struct finding){ .samples = args->samples };
	if (rc == 0)
		rc = read_demand(dir, &finding->demand, err);
	if (rc >= 0) {
		finding->is_exact = rc > 0;
		process_tree_figures(&tree, &finding->processes);
		if (args->samples)
			demand_of_processes(&finding->bounds,
			    &finding->processes, args->samples, end->seconds);
	}
	process_tree_release(&tree);
	return rc < 0 ? -1 : 0;
}

static int write_demand(
    const char *path, const struct finding *finding, struct error *err)
{
	if (!path)
		return 0;
	if (!finding_has_demand(finding))
		return error_set(err, ERROR_INCONCLUSIVE,
		    "%s was not written: the demand is unknown; try --samples",
		    path);
	if (output_to(path, finding_print, finding, err))
		return -1;
	cmd_note(
	    "wrote %s; see presto recommend --accelerators %s", path, path);
	return 0;
}

/* Ends with what went wrong first: the job, or the demand. */
static int tell(const struct args *args, const struct finding *finding,
    const struct job_end *end, struct error *err)
{
	struct error unwritten = ERROR_INIT;
	const int ended = job_end_say(end, err);
	int written;

	finding_say(finding);
	written = write_demand(args->write, finding, &unwritten);
	if (!ended && written)
		*err = unwritten;
	else if (written)
		cmd_note("%s", unwritten.text);
	return ended || written ? -1 : 0;
}

static int demand(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	char **argv = memory_zeroed((size_t)(count + 1) * sizeof(*argv), err);
	struct error ignored = ERROR_INIT;
	struct finding finding;
	struct job_end end;
	char *dir = NULL;
	int rc = -1;

	if (!argv)
		return -1;
	memcpy(argv, operands, (size_t)count * sizeof(*argv));
	if (!args->write || output_check(args->write, err) == 0)
		dir = make_folder(err);
	if (dir) {
		rc = observe(args, argv, dir, &finding, &end, err);
		path_remove_tree(dir, &ignored);
	}
	if (rc == 0)
		rc = tell(args, &finding, &end, err);
	free(dir);
	free(argv);
	return rc;
}

const struct cmd cmd_demand = {
	.name = "demand",
	.summary = "run a training job, and say how fast it takes samples",
	.usage = "-- PROGRAM [ARGUMENT ...]",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = INT_MAX,
	.run = demand,
};
