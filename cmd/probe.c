/* probe.c - presto probe: measures the speed of a storage. */
#include "lib/measure/storage/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/probe/far.h"
#include "cmd/probe/print.h"
#include "cmd/probe/settings.h"
#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/output.h"
#include "cmd/program/private.h"
#include "cmd/program/progress.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/private.h"
#include "lib/db/results.h"
#include "lib/files/own_folder_sweep.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/measure/storage/fio.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/syntax/option.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/machine_file.h"
#include "strategies/forecast/models/ceilings.h"

struct args {
	bool again, private, warm;
	struct format_args format;
	uint64_t files, size; /* 0: not given */
	const char *db, *export, *output, *prices, *threads, *write;
	struct option_texts sets;
	unsigned tool;
};

enum tool { TOOL_AUTO, TOOL_FIO, TOOL_PRESTO };

static const struct option options[] = {
	OPTION(FLAG, "again", 0, struct args, again, NULL,
	    "measure again, even if this was measured in the last 24 hours"),
	OPTION(FLAG, "csv", 0, struct args, format.csv, NULL,
	    "print CSV with the columns of presto-probe(1)"),
	OPTION_DB(struct args, "keep results in"),
	OPTION(TEXT, "export", 0, struct args, export, "FILE",
	    "write this machine and the storage to FILE, for presto predict "
	    "--machine"),
	OPTION_RANGE(UINT, "files", struct args, files, 1, 1e7,
	    "number of small files, of 0.2 MB each (default: 1280)"),
	OPTION_WORDS("format", struct args, format.word, FORMAT_WORDS_PLAIN,
	    "print in this format (default: text)"),
	OPTION(FLAG, "json", 0, struct args, format.json, NULL,
	    "print JSON, an array of objects"),
	OPTION(FLAG, "markdown", 0, struct args, format.markdown, NULL,
	    "print a Markdown table, such as for a pull request"),
	OPTION_OUTPUT(struct args),
	OPTION(TEXT, "prices", 0, struct args, prices, "FILE",
	    "tell what the requests to a URL cost, by the prices in FILE"),
	OPTION_PRIVATE(struct args),
	OPTION(REPEAT, "set", 0, struct args, sets, "storage.KEY=VALUE",
	    "emulate a storage, such as bandwidth=60MB/s; may be repeated"),
	OPTION_ABOVE_0(BYTES, "size", struct args, size, "SIZE",
	    "size of the large files together, or bytes of a row of a URL "
	    "(default: 256MB)"),
	OPTION(TEXT, "threads", 't', struct args, threads, "LIST",
	    "numbers of threads to read with (default: 1 and the cores; of "
	    "connections to a URL: 1,2,4,8,16)"),
	OPTION_WORDS("tool", struct args, tool, "auto|fio|presto",
	    "read with fio or with presto itself (default: fio if it is "
	    "installed)"),
	OPTION(FLAG, "warm", 0, struct args, warm, NULL,
	    "read everything once more from the page cache"),
	OPTION(TEXT, "write", 0, struct args, write, "URL",
	    "measure writing as well, below the prefix URL, and remove it "
	    "again"),
	OPTION_TABLE_END,
};

static const struct args defaults = { .format = { .word = FORMAT_NOT_GIVEN } };

/* ---- options ---- */

static int check_folder(const char *dir, struct error *err)
{
	struct stat status;

	if (stat(dir, &status) == 0 && S_ISDIR(status.st_mode))
		return 0;
	return error_set(err, ERROR_USAGE, "there is no folder %s", dir);
}

static int check_format(const struct args *args, struct error *err)
{
	if (format_count(&args->format) > 1)
		return error_set(err, ERROR_USAGE,
		    "give only one of --csv, --format, --json and --markdown");
	return 0;
}

static int check_args(const struct args *args, struct error *err)
{
	char tool[32];

	if (args->prices || args->write)
		return error_set(err, ERROR_USAGE,
		    "--%s is for URLs: a local folder has no requests to pay",
		    args->prices ? "prices" : "write");
	if (args->tool != TOOL_FIO)
		return 0;
	if (args->sets.count > 0)
		return error_set(err, ERROR_USAGE,
		    "fio cannot read through an emulated storage: use --tool "
		    "presto");
	if (!fio_find(tool))
		return error_set(err, ERROR_USAGE,
		    "fio is not installed: use --tool presto");
	return 0;
}

static void show(void *arg, double done, double all, const char *what)
{
	progress_show(arg, done, all, what);
}

static void note(void *arg, const char *text)
{
	UNUSED(arg);
	cmd_note("%s", text);
}

static void warn(void *arg, const char *text)
{
	progress_clear(arg);
	cmd_warn("%s", text);
}

static int make_plan(const struct args *args, const char *dir,
    struct probe_plan *plan, struct error *err)
{
	*plan = (struct probe_plan){
		.dir = dir,
		.large_bytes = args->size ? args->size : PROBE_LARGE_BYTES,
		.files = args->files ? args->files : PROBE_FILES,
		.file_bytes = PROBE_FILE_BYTES,
		.warm = args->warm,
		.fio = args->tool != TOOL_PRESTO && args->sets.count == 0,
		.write_s = 60,
		.row_s = 10,
		.precision = 0.05,
		.progress = show,
		.warn = warn,
	};
	if (check_folder(dir, err) || check_format(args, err) ||
	    check_args(args, err) || output_check(args->output, err) ||
	    (args->export && output_check(args->export, err)) ||
	    probe_read_threads(plan, args->threads, err))
		return -1;
	plan->medium = probe_open_medium(&args->sets, err);
	return plan->medium ? 0 : -1;
}

/* ---- figures of the last 24 hours ---- */

/* Do known rows answer what is asked for? */
static bool is_asked(const struct args *args)
{
	return !args->again && !args->warm && !args->size && !args->files &&
	       args->sets.count == 0 && args->tool == TOOL_AUTO;
}

static const struct ceiling *find(const struct ceilings *known,
    enum ceiling_pattern pattern, unsigned threads)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->list[i].origin == CEILING_OF_PROBE &&
		    known->list[i].pattern == pattern &&
		    known->list[i].threads == threads && !known->list[i].brief)
			return &known->list[i];
	return NULL;
}

/* Returns 1 with the rows of an earlier probe; 0: some of them are missing. */
static int recall(const struct probe_plan *plan, struct results *results,
    struct probe *probe, struct error *err)
{
	struct ceilings known;

	*probe = (struct probe){ .count = 0 };
	if (ceilings_read(results, plan->dir, &known, err))
		return -1;
	probe->place = known.place;
	for (unsigned p = 0; p < CEILING_PATTERNS; p++)
		for (unsigned i = 0; i < plan->thread_count; i++) {
			const struct ceiling *c =
			    find(&known, p, plan->threads[i]);

			if (!c)
				return 0;
			probe->rows[probe->count++].ceiling = *c;
		}
	return 1;
}

/* ---- measuring ---- */

/* Warns of a cache behind the file system, if `times` is a sign of one. */
static void warn_of_host(const char *dir, const char *what, double times,
    const char *than, const char *has)
{
	if (times > probe_cached_least)
		cmd_warn("%s: %s read %.1f times faster %s: a cache of a host, "
		         "a server or a disk has %s; --size with more than it "
		         "can hold measures the storage itself",
		    dir, what, times, than, has);
}

/* Warns of caches that may have bettered the figures. */
static void warn_of_caches(const struct probe *probe, const char *dir)
{
	struct machine machine;
	double most = 0;

	for (size_t i = 0; i < probe->count; i++)
		if (!probe->rows[i].warm && !probe->rows[i].ceiling.cold &&
		    probe->rows[i].ceiling.resident_percent > most)
			most = probe->rows[i].ceiling.resident_percent;
	if (probe->memory) {
		cmd_warn("%s is in memory (%s): the figures are those of "
		         "memory, and never cold",
		    dir, probe->place.device);
		return;
	}
	if (probe->blind || *probe->unseen)
		cmd_warn("%s: the figures may be those of memory: %s", dir,
		    *probe->unseen ? probe->unseen
		                   : "its file system does not tell what is "
		                     "in the page cache");
	else if (most > 0)
		cmd_warn("%s: up to %.3g %% of the files stayed in the page "
		         "cache: the figures are too high",
		    dir, most);
	warn_of_host(dir, "files were", probe->cached.repeat,
	    "again than for the first time, although they were dropped",
	    "them");
	warn_of_host(dir, "the first quarter of a pass was",
	    probe->cached.early, "than the rest", "a part of the files");
	machine_read(&machine);
	if (*machine.virtual)
		cmd_warn("this is a virtual machine (%s): its host may have "
		         "kept the new files in memory",
		    machine.virtual);
}

static int measure(
    struct probe_plan *plan, struct probe *probe, struct error *err)
{
	int rc;

	own_folder_sweep(plan->dir, note, plan->arg);
	progress_begin(plan->arg);
	plan->stop = interrupt_watch("presto: ended at once; the next presto "
	                             "probe of the folder removes its files\n");
	rc = probe_run(plan, probe, err);
	progress_clear(plan->arg);
	if (rc == 0)
		warn_of_caches(probe, plan->dir);
	return rc;
}

static int store(const struct probe *probe, struct results *results,
    const char *db, struct error *err)
{
	if (!results)
		cmd_note("not stored: there is no %s; --db makes one", db);
	else if (!*probe->place.device)
		cmd_note("not stored: the device is not known");
	else if (ceilings_store(results, probe, err))
		return -1;
	else
		cmd_note("stored in %s", db);
	return 0;
}

/* Returns 0 with the rows, from the database or measured. */
static int look(const struct args *args, struct probe_plan *plan,
    struct probe *probe, struct error *err)
{
	const char *db = cmd_database(args->db);
	struct results *results = NULL;
	int rc = 0;

	if (args->sets.count > 0)
		return measure(plan, probe,
		    err); /* figures of an emulated storage are not kept */
	if (args->db || path_exists(db)) {
		results = derive_open(db, true, err);
		if (!results)
			return -1;
	}
	if (results && is_asked(args))
		rc = recall(plan, results, probe, err);
	if (rc == 1) {
		cmd_note("measured on %.10s at %.8s UTC, by %s; --again "
		         "measures anew",
		    probe->rows[0].ceiling.measured,
		    probe->rows[0].ceiling.measured + 11,
		    probe->rows[0].ceiling.tool);
		rc = 0;
	} else if (rc == 0) {
		rc = measure(plan, probe, err);
		if (rc == 0)
			rc = store(probe, results, db, err);
	}
	results_close(results);
	return rc;
}

struct printing {
	const struct probe *probe;
	const char *of;
	enum format format;
};

static int print_to(const void *arg, FILE *out, struct error *err)
{
	const struct printing *p = arg;

	return probe_print(p->probe, p->of, p->format, out, err);
}

struct exporting {
	const struct machine_file *file;
	const char *cpu;
};

static int export_to(const void *arg, FILE *out, struct error *err)
{
	const struct exporting *e = arg;

	UNUSED(err);
	machine_file_print(e->file, e->cpu, out);
	return 0;
}

/* Writes what was probed, with this machine, to a file. */
static int export_machine(const struct args *args, const struct probe *found,
    const char *dir, struct error *err)
{
	struct machine machine;
	struct machine_file file;

	machine_read(&machine);
	if (machine_file_of(&file, &machine, found, dir, err))
		return -1;
	return output_to(args->export, export_to,
	    &(struct exporting){ &file, args->private ? "" : machine.cpu },
	    err);
}

/* ---- URLs ---- */

/* Names the first option that has no meaning for a URL; NULL: there is none. */
static const char *local_option(const struct args *args)
{
	if (args->again)
		return "again";
	if (args->db)
		return "db";
	if (args->export)
		return "export";
	if (args->files)
		return "files";
	if (args->tool == TOOL_FIO)
		return "tool fio";
	return args->warm ? "warm" : NULL;
}

static int probe_url(
    const struct args *args, const char *url, struct error *err)
{
	const char *wrong = local_option(args);
	struct probe_plan threads = { .thread_count = 0 };
	struct far_request request = { .url = url,
		.write = args->write,
		.prices = args->prices,
		.output = args->output,
		.most_bytes = args->size ? args->size : PROBE_LARGE_BYTES,
		.format = format_of(&args->format),
		.is_private = args->private };
	int rc;

	if (wrong)
		return error_set(
		    err, ERROR_USAGE, "--%s is for local folders", wrong);
	if (args->write && !url_is(args->write))
		return error_set(err, ERROR_USAGE,
		    "--write must be a URL, got '%s'", args->write);
	if (check_format(args, err) || output_check(args->output, err) ||
	    (args->threads && probe_read_threads(&threads, args->threads, err)))
		return -1;
	request.connections = threads.threads;
	request.connection_count = threads.thread_count;
	request.medium = probe_open_medium(&args->sets, err);
	if (!request.medium)
		return -1;
	rc = probe_far(&request, err);
	medium_free(request.medium);
	return rc;
}

static int probe(const void *arg, char **operands, int count, struct error *err)
{
	const struct args *args = arg;
	struct probe *found = calloc(1, sizeof(*found));
	struct progress progress;
	struct probe_plan plan;
	int rc = -1;

	UNUSED(count);
	if (url_is(operands[0])) {
		free(found);
		return probe_url(args, operands[0], err);
	}
	if (!found)
		return error_memory(err, sizeof(*found));
	if (make_plan(args, operands[0], &plan, err) == 0) {
		plan.arg = &progress;
		rc = look(args, &plan, found, err);
		medium_free(plan.medium);
	}
	if (rc == 0 && args->export)
		rc = export_machine(args, found, operands[0], err);
	if (args->private)
		private_filesystem(found->place.device);
	if (rc == 0)
		rc = output_to(args->output, print_to,
		    &(struct printing){ found,
		        args->private ? "a storage" : operands[0],
		        format_of(&args->format) },
		    err);
	free(found);
	return rc;
}

const struct cmd cmd_probe = {
	.name = "probe",
	.summary = "measure what a storage can do",
	.usage = "DIR|URL",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_min = 1,
	.operands_max = 1,
	.run = probe,
};
