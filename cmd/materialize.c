/* materialize.c - presto materialize: writes the whole dataset for training. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/progress.h"
#include "cmd/program/terminal.h"
#include "cmd/project/folder_words.h"
#include "cmd/project/order_words.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "cmd/recommend/recommend.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/measure/system.h"
#include "lib/sample/skipped.h"
#include "lib/stores/store.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/footprint.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/shard_count.h"
#include "strategies/planfile/plan_file.h"
#include "strategies/prepare/materialize.h"

struct args {
	const char *db, *out, *plan, *seed, *shuffle, *skipped, *strategy;
	uint64_t session, shards, threads;
	struct option_texts sets;
	bool check, dry_run;
};

static const struct option options[] = {
	OPTION(FLAG, "check", 0, struct args, check, NULL,
	    "compare a complete folder with its manifest, and repair it"),
	OPTION_DB(struct args, "read the session from"),
	OPTION(FLAG, "dry-run", 'n', struct args, dry_run, NULL,
	    "print what would be written, with time and space; write nothing"),
	OPTION(TEXT, "out", 'o', struct args, out, "DIR",
	    "write to the folder DIR: new, empty, or begun by the same "
	    "command"),
	OPTION(TEXT, "plan", 0, struct args, plan, "FILE",
	    "take the pipeline and the strategy from the plan FILE, which "
	    "presto recommend --plan wrote"),
	OPTION(TEXT, "seed", 0, struct args, seed, "N", "seed of random steps"),
	OPTION_ABOVE_0(UINT, "session", struct args, session, "N",
	    "take the pipeline and the strategy from session N (default "
	    "without a pipeline file: the newest)"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION_RANGE(UINT, "shards", struct args, shards, 0, 65536,
	    "divide the data into N files (default: by its size)"),
	OPTION(TEXT, "shuffle", 0, struct args, shuffle, "SEED|no",
	    "store in a random order drawn from SEED, or in the order of the "
	    "dataset (default: SEED is measure.seed)"),
	OPTION(TEXT, "skipped", 0, struct args, skipped, "FILE", SKIPS_HELP),
	OPTION(TEXT, "strategy", 's', struct args, strategy, "NAME",
	    "strategy to write, such as resized/tar/none (default with a "
	    "session: the one that presto recommend names)"),
	{ .name = "threads",
	    .letter = 't',
	    .type = OPTION_UINT,
	    .offset = offsetof(struct args, threads),
	    .arg = "N",
	    .help = "number of worker threads (default: the cores; with a "
	            "session: as measured)",
	    .min = 1,
	    .max = PLAN_THREADS },
	OPTION_TABLE_END,
};

struct watch {
	struct progress progress;
	pthread_mutex_t lock;
	uint64_t done, all;
};

static void show(void *arg, uint64_t samples)
{
	struct watch *watch = arg;

	pthread_mutex_lock(&watch->lock);
	watch->done += samples;
	progress_show(&watch->progress, (double)watch->done, (double)watch->all,
	    "writing");
	pthread_mutex_unlock(&watch->lock);
}

/* ---- input ---- */

struct work {
	struct project *project; /* owned */
	struct orders *orders;   /* owned: of the pipeline */
	struct strategy strategy;
	unsigned threads;    /* threads of the session; 0: not known */
	struct model *model; /* owned: sizes; with --dry-run also times */
	const atomic_bool *stop;
};

enum { OVERRIDES = 3 };

/* Fills in `overrides`, which the settings refer to. */
static struct project_settings set_overrides(
    const struct args *args, struct override overrides[OVERRIDES])
{
	overrides[0] = (struct override){ "measure", "seed", args->seed };
	overrides[1] =
	    (struct override){ "strategies", "shuffle", args->shuffle };
	overrides[2] = (struct override){ NULL, NULL, NULL };
	return project_settings_of(&args->sets, overrides);
}

/* Chooses the strategy `label`; the project is read already. */
static int choose(struct work *work, const char *label, struct error *err)
{
	struct project *project = work->project;

	work->orders = orders_new(&project->pipeline, err);
	if (!work->orders ||
	    strategy_parse_ordered(&work->strategy, label, work->orders, err))
		return -1;
	if (work->strategy.unprocessed)
		return error_set(err, ERROR_USAGE,
		    "unprocessed stores nothing: train on the dataset as "
		    "it is");
	work->strategy.shards = project->plan.strategies.shards.values[0];
	/* Only this strategy is estimated. */
	project->plan.strategies.stores[0] = work->strategy.store;
	project->plan.strategies.codecs[0] = work->strategy.codec;
	project->plan.strategies.store_count =
	    project->plan.strategies.codec_count = 1;
	return 0;
}

/* Checks what does not go with the file `path`, a pipeline file or a plan. */
static int check_options(
    const struct args *args, const char *path, struct error *err)
{
	if (args->session || args->db)
		return error_set(err, ERROR_USAGE,
		    "give %s or --%s, not both; a session has its own pipeline "
		    "file",
		    path, args->session ? "session" : "db");
	if (args->plan && args->strategy)
		return error_set(err, ERROR_USAGE,
		    "give --plan or --strategy, not both: a plan has its own "
		    "strategy");
	return 0;
}

/* Reads a pipeline file, or a plan, or both. */
static int read_file(struct work *work, const struct args *args,
    const char *path, struct error *err)
{
	struct override overrides[OVERRIDES];
	const struct project_settings settings = set_overrides(args, overrides);
	struct project *project = work->project;
	const char *label = args->strategy;

	if (check_options(args, args->plan ? args->plan : path, err) ||
	    project_read_planned(project, path, args->plan, &settings, err))
		return -1;
	if (!label && project->planned) {
		label = project->planned->strategy;
		work->threads = plan_most_threads(&project->plan);
	}
	if (!label)
		return error_set(err, ERROR_USAGE,
		    "--strategy NAME is missing; presto recommend names one");
	if (project_open_noted(project, 0, false, err) ||
	    project_check_planned(project, NULL, err))
		return -1;
	return choose(work, label, err);
}

/* Finds the strategy: the one that was given, or the recommended one. */
static int find_choice(const struct args *args, struct results *results,
    int64_t session, struct recommend_choice *choice, struct error *err)
{
	const char *label = choice->label;

	*choice = (struct recommend_choice){ .is_settled = true };
	if (args->strategy) {
		snprintf(choice->label, RESULTS_LABEL, "%s", args->strategy);
		return 0;
	}
	if (recommend_winner(results, session, choice, err))
		return -1;
	if (!choice->is_settled)
		cmd_warn("session %lld is inconclusive: a strategy may be "
		         "twice as good as %s; presto recommend names it, and "
		         "what to measure",
		    (long long)session, label);
	if (strcmp(label, "unprocessed") == 0)
		return error_set(err, ERROR_GATE,
		    "session %lld recommends unprocessed: train on the dataset "
		    "as it is; --strategy NAME writes another strategy",
		    (long long)session);
	return 0;
}

static int recall(struct work *work, const struct args *args,
    struct results *results, int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	struct project *project = work->project;
	struct override overrides[OVERRIDES];
	const struct project_settings settings = set_overrides(args, overrides);
	struct recommend_choice choice;
	int rc = -1;

	if (find_choice(args, results, session, &choice, err))
		return -1;
	if (project_recall(project, results, session, &settings, err) == 0 &&
	    project_open_noted(project, 0, false, err) == 0 &&
	    results_read_session(results, session, &record, err) == 0 &&
	    project_check_dataset(project, results, &record, err) == 0)
		rc = choose(work, choice.label, err);
	if (choice.shards)
		work->strategy.shards = choice.shards;
	work->threads = plan_most_threads(&project->plan);
	session_record_release(&record);
	return rc;
}

static int read_session(
    struct work *work, const struct args *args, struct error *err)
{
	struct results *results =
	    derive_open(cmd_database(args->db), false, err);
	int64_t session = 0;
	int rc = -1;

	if (results && results_pick_session(
	                   results, (int64_t)args->session, &session, err) == 0)
		rc = recall(work, args, results, session, err);
	results_close(results);
	return rc;
}

/* Estimates sizes from pilot samples. */
static int estimate(struct work *work, bool timed, struct error *err)
{
	const struct project *project = work->project;
	const struct pilot_plan how = {
		.source = project->source,
		.pipeline =
		    strategy_pipeline(&work->strategy, &project->pipeline),
		.plan = &project->plan,
		.timed = timed,
		.skip_errors = project->dataset.skip_errors,
		.stop = work->stop,
	};

	work->model = calloc(1, sizeof(*work->model));
	if (!work->model)
		return error_memory(err, sizeof(*work->model));
	if (pilot_run(work->model, &how, err))
		return project_hint(project->dataset.skip_errors, err);
	if (model_check(work->model, &work->strategy, err))
		return error_prefix(err, "strategy '%s'", work->strategy.label);
	order_warn(work->model);
	return 0;
}

static void tell(const struct args *args, const struct work *work,
    const struct materialized *done, unsigned shards)
{
	const struct project *project = work->project;
	char size[UNITS_TEXT], time[UNITS_TEXT], order[ORDER_WORDS];

	units_bytes((double)done->storage_bytes, size);
	if (done->was_complete) {
		terminal_print(stdout, "",
		    "%s: complete already, %s; nothing was written", args->out,
		    size);
		return;
	}
	terminal_print(stdout, "",
	    "%s: %llu sample%s as %s in %u shard%s, %s, %s, read back and "
	    "checked; %llu written in %s",
	    args->out, (unsigned long long)done->samples,
	    done->samples == 1 ? "" : "s", work->strategy.label, shards,
	    shards == 1 ? "" : "s",
	    order_words(
	        &project->plan.strategies.order, project->source, order),
	    size, (unsigned long long)done->made.samples,
	    units_time((double)done->made.wall_ns / 1e9, time));
	if (done->made.filtered)
		cmd_note("filters dropped %llu samples",
		    (unsigned long long)done->made.filtered);
	if (done->mended)
		cmd_warn("%u shard%s damaged, and written again", done->mended,
		    done->mended == 1 ? " was" : "s were");
}

static unsigned threads_of(const struct args *args, const struct work *work)
{
	struct machine machine;

	if (args->threads)
		return (unsigned)args->threads;
	if (work->threads)
		return work->threads;
	machine_read(&machine);
	return machine.cores;
}

/* The size depends only on the data, not on the threads. */
static double bytes_of(const struct work *work)
{
	return model_storage_bytes(
	    work->model, &work->strategy, work->project->source->samples);
}

static unsigned shards_of(const struct args *args, const struct work *work)
{
	const struct project *project = work->project;

	return shard_count(project->source, &project->plan.strategies.order,
	    args->shards ? args->shards : work->strategy.shards,
	    bytes_of(work));
}

static struct footprint footprint_of(
    const struct args *args, const struct work *work)
{
	const struct load load = { .samples = work->project->source->samples,
		.threads = threads_of(args, work) };

	return footprint_of_preparation(
	    work->model, &work->strategy, &load, args->out);
}

/* Prints the forecast of --dry-run. */
static void foresee(const struct args *args, struct work *work)
{
	const struct project *project = work->project;
	const unsigned threads = threads_of(args, work);
	const unsigned shards = shards_of(args, work);
	const double bytes = bytes_of(work);
	char size[UNITS_TEXT], each[UNITS_TEXT], time[UNITS_TEXT];
	const struct footprint footprint = footprint_of(args, work);
	char order[ORDER_WORDS], memory[UNITS_TEXT];
	struct prediction p;

	work->model->sync = sync_cost_measure(NULL);
	p = model_predict(work->model, &work->strategy,
	    &(struct load){
	        .samples = project->source->samples, .threads = threads });
	terminal_print(stdout, "",
	    "%s of %llu sample%s%s%s: nothing was written",
	    work->strategy.label, (unsigned long long)project->source->samples,
	    project->source->samples == 1 ? "" : "s", args->out ? " into " : "",
	    args->out ? args->out : "");
	terminal_line(stdout, "  shards  %u, about %s each", shards,
	    units_bytes(bytes / shards, each));
	terminal_line(stdout, "  size    about %s", units_bytes(bytes, size));
	terminal_line(stdout, "  time    about %s on %u thread%s",
	    units_rough_time(p.prep_s, time), threads, threads == 1 ? "" : "s");
	terminal_line(stdout, "  memory  about %s",
	    units_bytes(footprint_bytes(&footprint), memory));
	terminal_print(stdout, "  order   ", "%s",
	    order_cost_words(work->model, threads, order));
}

static int take_inventory(struct work *work, struct error *err)
{
	const struct pipeline *pipeline =
	    strategy_pipeline(&work->strategy, &work->project->pipeline);
	uint64_t steps = 0;

	for (unsigned i = 0; i < work->strategy.split; i++)
		steps |= UINT64_C(1) << pipeline->steps[i].given;
	return project_inventory(
	    work->project, steps, work->stop, &work->project->inventory, err);
}

static int write_dataset(const struct args *args, const struct work *work,
    struct skipped *skipped, struct error *err)
{
	const struct project *project = work->project;
	const struct materialize_needs needs = {
		.disk_bytes = bytes_of(work),
		.memory = footprint_of(args, work),
	};
	struct watch watch = { .all = project->source->samples };
	struct materialized done;
	const struct prepare_plan plan = {
		.source = project->source,
		.pipeline =
		    strategy_pipeline(&work->strategy, &project->pipeline),
		.strategy = &work->strategy,
		.order = project->plan.strategies.order,
		.medium = project->medium,
		.folder.dir = args->out,
		.threads = threads_of(args, work),
		.shards = shards_of(args, work),
		.seed = project->plan.measure.seed,
		.folder.inventory = &work->project->inventory,
		.skip_errors = project->dataset.skip_errors,
		.stop = work->stop,
		.progress = show,
		.skipped = skipped,
		.arg = &watch,
	};
	int rc;

	pthread_mutex_init(&watch.lock, NULL);
	progress_begin(&watch.progress);
	rc = materialize_run(&plan, &needs, args->check, &done, err);
	progress_clear(&watch.progress);
	pthread_mutex_destroy(&watch.lock);
	folder_tell_swept(&done.swept, args->out);
	folder_tell_findings(&done.found, rc == 0);
	materialized_release(&done);
	if (rc == 0)
		tell(args, work, &done, plan.shards);
	if (rc || !done.was_complete)
		rc = skips_write(skipped, args->skipped, rc, err);
	else if (args->skipped)
		cmd_warn(
		    "%s is not written, since nothing was read: only a command "
		    "that reads the dataset knows the skipped samples",
		    args->skipped);
	if (rc && err->code == ERROR_INTERRUPTED)
		cmd_warn("complete shards are kept in %s; the same command "
		         "continues",
		    args->out);
	return rc;
}

static const char last_words[] =
    "presto: ended at once; complete shards stay, and the same "
    "command writes the others\n";

static int materialize(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct work work = { .project = project_new(err) };
	struct skipped *skipped =
	    skips_new(args->dry_run ? NULL : args->skipped, err);
	int rc = -1;

	if (!args->out && !args->dry_run)
		error_set(err, ERROR_USAGE, "--out DIR is missing");
	else if (work.project && skipped)
		rc = count || args->plan ? read_file(&work, args,
		                               count ? operands[0] : NULL, err)
		                         : read_session(&work, args, err);
	work.stop = interrupt_watch(last_words);
	if (rc == 0)
		rc = estimate(&work, args->dry_run, err);
	if (rc == 0 && args->dry_run)
		foresee(args, &work);
	else if (rc == 0)
		rc = take_inventory(&work, err);
	if (rc == 0 && !args->dry_run)
		rc = write_dataset(args, &work, skipped, err);
	skips_tell(skipped, args->skipped);
	skipped_free(skipped);
	model_release(work.model);
	free(work.model);
	orders_free(work.orders);
	project_free(work.project);
	return rc;
}

const struct cmd cmd_materialize = {
	.name = "materialize",
	.summary = "write the whole dataset in the chosen strategy",
	.usage = "[PIPELINE.conf]",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_max = 1,
	.run = materialize,
};
