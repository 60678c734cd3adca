/* plan.c - see plan.h. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/measure/memory.h"
#include "lib/measure/system.h"
#include "lib/pipeline/pipeline.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/nearest.h"
#include "lib/syntax/option.h"
#include "lib/syntax/word_list.h"
#include "strategies/plan/auto_codecs.h"
#include "strategies/plan/cache_list.h"
#include "strategies/plan/plan.h"

enum { RUNS = 5, REPEATED = 240 };

struct lists { /* lists as the file gives them */
	const char *split, *store, *codec, *threads, *cache, *readable_by,
	    *order, *verify;
	const char *sweep;     /* read by plan_read_sweeps */
	const char *far_cache; /* far_cache.h reads it */
};

struct sections {
	struct plan plan;
	struct lists lists;
};

static const struct option strategies_options[] = {
	OPTION(TEXT, "codec", 0, struct sections, lists.codec, "LIST",
	    "compressions of the stored data"),
	OPTION(TEXT, "order", 0, struct sections, plan.strategies.orders,
	    "LIST", "orders of the steps: given, all, or labels such as o1"),
	OPTION(TEXT, "shards", 0, struct sections, lists.sweep, "LIST|auto",
	    "numbers of files that a stored dataset is divided into"),
	OPTION(TEXT, "shuffle", 0, struct sections, lists.order, "yes|no|SEED",
	    "store the samples in a random order (yes: by measure.seed)"),
	OPTION(TEXT, "split", 0, struct sections, lists.split, "LIST",
	    "representations to store, or all"),
	OPTION(TEXT, "store", 0, struct sections, lists.store, "LIST",
	    "containers of the stored data"),
	OPTION_TABLE_END,
};

static const struct option decision_options[] = {
	OPTION_RANGE(UINT, "epochs", struct sections, plan.decision.epochs, 1,
	    1e9, "epochs of the full dataset, for objective time"),
	OPTION(FLAG, "lossy", 0, struct sections, plan.decision.lossy, "yes|no",
	    "recommend strategies that change the data a little, too"),
	OPTION(TIME, "max_prep", 0, struct sections, plan.decision.max_prep_s,
	    "TIME", "longest preparation of the full dataset"),
	OPTION(BYTES, "max_storage", 0, struct sections,
	    plan.decision.max_storage, "SIZE",
	    "most bytes that the full dataset may take"),
	OPTION_RANGE(REAL, "min_throughput", struct sections,
	    plan.decision.min_throughput, 0, 1e15, "least samples per second"),
	OPTION(TEXT, "objective", 0, struct sections, plan.decision.objective,
	    "WORD", "what makes a strategy the best one"),
	OPTION(TEXT, "readable_by", 0, struct sections, lists.readable_by,
	    "WORD", "reader that must read the recommended data"),
	OPTION_RANGE(REAL, "tolerance", struct sections,
	    plan.decision.tolerance_db, 0, 1000,
	    "least PSNR in dB of data that is as good as the original"),
	OPTION(TEXT, "weights", 0, struct sections, plan.decision.weights,
	    "LIST", "weights of objective balanced"),
	OPTION_TABLE_END,
};

static const struct option load_options[] = {
	OPTION(TEXT, "batch", 0, struct sections, lists.sweep, "LIST|auto",
	    "samples of a batch"),
	OPTION(TEXT, "cache", 0, struct sections, lists.cache, "LIST",
	    "cache modes: none, system, application, disk"),
	OPTION(BYTES, "cache_budget", 0, struct sections,
	    plan.load.cache_budget, "SIZE",
	    "memory of cache application (0: half of the free)"),
	OPTION(TEXT, "fetchers", 0, struct sections, lists.sweep, "LIST|auto",
	    "numbers of I/O threads (0: as many as workers)"),
	OPTION(FLAG, "fuse", 0, struct sections, plan.load.fuse, "yes|no",
	    "run neighbouring steps as one"),
	OPTION(TEXT, "read_ahead", 0, struct sections, lists.sweep, "LIST|auto",
	    "chunks fetched before they are needed"),
	OPTION(TEXT, "shuffle", 0, struct sections, lists.sweep, "LIST",
	    "windows of the shuffle, in samples"),
	OPTION(TEXT, "threads", 0, struct sections, lists.threads, "LIST|auto",
	    "numbers of workers"),
	OPTION_TABLE_END,
};

static const struct option measure_options[] = {
	OPTION(TIME, "budget", 0, struct sections, plan.measure.budget_s,
	    "TIME",
	    "limit the session to TIME; repeat runs until then (0: none)"),
	OPTION_RANGE(UINT, "epochs", struct sections, plan.measure.epochs, 1,
	    10000, "epochs of a run"),
	OPTION(TEXT, "loader", 0, struct sections, plan.measure.loader,
	    "FILE.py:FUNCTION", "measure your own loader as well, as yours"),
	OPTION(TIME, "loader_timeout", 0, struct sections,
	    plan.measure.loader_timeout_s, "TIME",
	    "longest time without a batch of your own loader"),
	OPTION(TIME, "min_run_time", 0, struct sections, plan.measure.min_run_s,
	    "TIME", "give shorter runs more epochs"),
	OPTION_RANGE(REAL, "precision", struct sections, plan.measure.precision,
	    0, 100, "percent of the median that an interval may have"),
	OPTION(FLAG, "probe", 0, struct sections, plan.measure.probe, "yes|no",
	    "measure the storage"),
	OPTION(FLAG, "reuse", 0, struct sections, plan.measure.reuse, "yes|no",
	    "prepare a strategy from what another one has stored"),
	OPTION_RANGE(UINT, "runs", struct sections, plan.measure.runs, 1,
	    PLAN_RUNS, "runs of a trial; with a budget, the fewest"),
	OPTION(TEXT, "samples", 0, struct sections, lists.sweep, "LIST",
	    "numbers of samples taken from the source"),
	OPTION(TEXT, "search", 0, struct sections, plan.measure.search, "WORD",
	    "which of the strategies are measured"),
	OPTION(UINT, "seed", 0, struct sections, plan.measure.seed, "N",
	    "seed of random steps and of shuffling"),
	OPTION_WORDS("trace", struct sections, plan.measure.trace,
	    PLAN_TRACE_WORDS,
	    "trials whose events are kept for report --trace"),
	OPTION(TIME, "trial_budget", 0, struct sections,
	    plan.measure.trial_budget_s, "TIME",
	    "limit the runs of a trial to TIME (0: none)"),
	OPTION(TEXT, "verify", 0, struct sections, lists.verify, "auto|all",
	    "compare all of the output in each trial, or a part where that "
	    "is enough"),
	OPTION_TABLE_END,
};

static const struct option storage_options[] = {
	OPTION(RATE, "bandwidth", 0, struct sections, plan.limits.bandwidth,
	    "RATE", "bytes per second"),
	OPTION(TEXT, "cache", 0, struct sections, lists.far_cache,
	    "DIR size=SIZE", "local folder that keeps what is read of URLs"),
	OPTION_RANGE(REAL, "iops", struct sections, plan.limits.iops, 0, 1e12,
	    "requests per second"),
	OPTION(TIME, "latency", 0, struct sections, plan.limits.latency, "TIME",
	    "time that a request takes"),
	OPTION(TIME, "open", 0, struct sections, plan.limits.open, "TIME",
	    "time to open or create a file"),
	OPTION_RANGE(REAL, "opens", struct sections, plan.limits.opens, 0, 1e12,
	    "files opened per second"),
	OPTION(RATE, "stream", 0, struct sections, plan.limits.stream, "RATE",
	    "bytes per second of one open file"),
	OPTION(TEXT, "together", 0, struct sections, plan.together, "DIR",
	    "folder where the processes of profile --together meet"),
	OPTION(TIME, "together_wait", 0, struct sections, plan.together_wait_s,
	    "TIME", "the longest wait until all of them have come"),
	OPTION_TABLE_END,
};

/* The sections that make a plan; others are read elsewhere. */
static const struct part {
	const char *name;
	const struct option *options;
} parts[] = {
	{ .name = "decision", .options = decision_options },
	{ .name = "load", .options = load_options },
	{ .name = "measure", .options = measure_options },
	{ .name = "storage", .options = storage_options },
	{ .name = "strategies", .options = strategies_options },
};

/*
 * Calls `add` for each word of a comma-separated list. Callers add the place of
 * the key in the file to an error.
 */
typedef int add_word(struct plan *plan, const char *word, struct error *err);

static int each_word(
    struct plan *plan, const char *list, add_word *add, struct error *err)
{
	char word[WORD_LIST_WORD];
	int got;

	while ((got = word_list_next(&list, word, err)) > 0)
		if (add(plan, word, err))
			return -1;
	return got;
}

static int add_store(struct plan *plan, const char *word, struct error *err)
{
	const struct store_ops *ops = store_parse(word, err);

	if (!ops)
		return -1;
	for (unsigned i = 0; i < plan->strategies.store_count; i++)
		if (plan->strategies.stores[i] == ops)
			return 0;
	if (plan->strategies.store_count == PLAN_LIST)
		return error_set(
		    err, ERROR_USAGE, "more than %d stores", PLAN_LIST);
	plan->strategies.stores[plan->strategies.store_count++] = ops;
	return 0;
}

/* A codec that is named itself no longer counts as one of `auto`. */
static int add_one_codec(
    struct plan *plan, const char *word, bool is_auto, struct error *err)
{
	struct codec codec;

	if (codec_parse(word, &codec, err))
		return -1;
	for (unsigned i = 0; i < plan->strategies.codec_count; i++)
		if (codec_equal(&plan->strategies.codecs[i], &codec)) {
			plan->strategies.codec_auto[i] =
			    plan->strategies.codec_auto[i] && is_auto;
			return 0;
		}
	if (plan->strategies.codec_count == PLAN_LIST)
		return error_set(
		    err, ERROR_USAGE, "more than %d codecs", PLAN_LIST);
	plan->strategies.codec_auto[plan->strategies.codec_count] = is_auto;
	plan->strategies.codecs[plan->strategies.codec_count++] = codec;
	return 0;
}

static int add_codec(struct plan *plan, const char *word, struct error *err)
{
	char label[CODEC_LABEL];

	if (strcmp(word, "auto") != 0)
		return add_one_codec(plan, word, false, err);
	for (size_t i = 0; auto_codec_at(i, label); i++)
		if (add_one_codec(plan, label, true, err))
			return -1;
	return 0;
}

static int add_threads(struct plan *plan, const char *word, struct error *err)
{
	uint64_t n;

	if (strcmp(word, "auto") == 0) {
		plan->load.auto_threads = true;
		return 0;
	}
	if (units_parse_uint(word, &n) || n < 1 || n > PLAN_THREADS)
		return error_set(err, ERROR_USAGE,
		    "threads must be 1 to %d, or auto, got '%s'", PLAN_THREADS,
		    word);
	for (unsigned i = 0; i < plan->load.thread_count; i++)
		if (plan->load.threads[i] == n)
			return 0;
	if (plan->load.thread_count == PLAN_LIST)
		return error_set(
		    err, ERROR_USAGE, "more than %d thread counts", PLAN_LIST);
	plan->load.threads[plan->load.thread_count++] = (unsigned)n;
	return 0;
}

static int add_cache(struct plan *plan, const char *word, struct error *err)
{
	return cache_list_add(&plan->load, word, err);
}

static int set_reader(struct plan *plan, const char *word, struct error *err)
{
	plan->reader = stock_reader_parse(word, err);
	return plan->reader ? 0 : -1;
}

static int set_verify(struct plan *plan, const char *word, struct error *err)
{
	if (strcmp(word, "auto") != 0 && strcmp(word, "all") != 0)
		return error_set(err, ERROR_USAGE,
		    "verify must be auto or all, got '%s'", word);
	plan->measure.verify_all = strcmp(word, "all") == 0;
	return 0;
}

/* ERROR_USAGE if the list has no word in it. */
static int check_list(
    const struct ini *ini, const struct ini_entry *entry, struct error *err)
{
	if (entry->value[strspn(entry->value, " \t\n,")])
		return 0;
	error_set(err, ERROR_USAGE, "'%s' is an empty list", entry->value);
	return ini_error_at(ini, entry, err);
}

static int read_list(struct sections *sections, const struct ini *ini,
    const char *section, const char *key, add_word *add, struct error *err)
{
	const struct ini_section *s = ini_section(ini, section);
	const struct ini_entry *entry = s ? ini_entry(s, key) : NULL;

	if (!entry)
		return 0;
	if (check_list(ini, entry, err))
		return -1;
	if (add && each_word(&sections->plan, entry->value, add, err))
		return ini_error_at(ini, entry, err);
	return 0;
}

static int read_order(
    struct sections *sections, const struct ini *ini, struct error *err)
{
	const struct ini_section *s = ini_section(ini, "strategies");
	const struct ini_entry *entry = s ? ini_entry(s, "shuffle") : NULL;
	struct plan *plan = &sections->plan;

	if (stored_order_parse(&plan->strategies.order, sections->lists.order,
	        plan->measure.seed, err) == 0)
		return 0;
	return entry ? ini_error_at(ini, entry, err) : -1;
}

static int set_defaults(struct plan *plan, struct error *err)
{
	struct machine machine;

	if (plan->strategies.store_count == 0 && add_store(plan, "tar", err))
		return -1;
	if (plan->strategies.codec_count == 0 && add_codec(plan, "none", err))
		return -1;
	if (plan->load.auto_threads && plan->load.thread_count)
		return error_set(err, ERROR_USAGE,
		    "load.threads: auto stands alone: leave the numbers out");
	if (plan->load.thread_count == 0) {
		machine_read(&machine);
		plan->load.threads[plan->load.thread_count++] =
		    machine.cores < PLAN_THREADS ? machine.cores : PLAN_THREADS;
	}
	if (plan->load.cache_count == 0) {
		plan->load.caches[plan->load.cache_count++] = CACHE_NONE;
		plan->load.caches[plan->load.cache_count++] = CACHE_SYSTEM;
	}
	return 0;
}

/*
 * A given number of runs is exact, unless there is a budget: then trials are
 * repeated until they are precise or time is up.
 */
static void set_runs(struct plan *plan)
{
	const bool exact = plan->measure.runs > 0 &&
	                   !(plan->measure.budget_s > 0) &&
	                   !(plan->measure.trial_budget_s > 0);

	if (plan->measure.runs == 0)
		plan->measure.runs = RUNS;
	plan->measure.most_runs = plan->measure.runs;
	if (!exact && plan->measure.most_runs < REPEATED)
		plan->measure.most_runs = REPEATED;
	plan->measure.precision /= 100;
}

/* Splits and orders are looked up once the pipeline is known. */
static int check_names(
    struct sections *sections, const struct ini *ini, struct error *err)
{
	return read_list(sections, ini, "strategies", "split", NULL, err) ||
	               read_list(
	                   sections, ini, "strategies", "order", NULL, err)
	           ? -1
	           : 0;
}

static struct plan_decision no_decision(void)
{
	return (struct plan_decision){ .min_throughput = NAN,
		.max_prep_s = NAN,
		.max_storage = UINT64_MAX };
}

int plan_read_decision(
    struct plan_decision *decision, const struct ini *ini, struct error *err)
{
	struct sections sections = { .plan.decision = no_decision() };
	const int rc = ini_options(ini, ini_section(ini, "decision"),
	    decision_options, &sections, err);

	*decision = sections.plan.decision;
	return rc;
}

int plan_read(struct plan *plan, const struct ini *ini, struct error *err)
{
	struct sections sections = {
		.plan = { .strategies.orders = "given",
		    .load.batch = SWEEP_OF(64),
		    .load.fetchers = SWEEP_OF(0),
		    .load.read_ahead = SWEEP_OF(0),
		    .load.shuffle = SWEEP_OF(0),
		    .strategies.shards = SWEEP_OF(0),
		    .load.fuse = true,
		    .decision = no_decision(),
		    .measure.probe = true,
		    .measure.reuse = true,
		    .measure.samples = SWEEP_OF(1000),
		    .measure.epochs = 2,
		    .measure.precision = 2,
		    .measure.loader_timeout_s = 300,
		    .measure.min_run_s = 0.1,
		    .together_wait_s = 300 },
		.lists = { .split = "all", .order = "yes" },
	};

	if (ini_check_sections(ini, pipeline_sections, PIPELINE_SECTIONS, err))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (ini_options(ini, ini_section(ini, parts[i].name),
		        parts[i].options, &sections, err))
			return -1;
	if (check_names(&sections, ini, err) ||
	    read_list(&sections, ini, "strategies", "store", add_store, err) ||
	    read_list(&sections, ini, "strategies", "codec", add_codec, err) ||
	    read_list(&sections, ini, "load", "threads", add_threads, err) ||
	    read_list(&sections, ini, "load", "cache", add_cache, err) ||
	    read_list(
	        &sections, ini, "decision", "readable_by", set_reader, err) ||
	    read_list(&sections, ini, "measure", "verify", set_verify, err) ||
	    read_order(&sections, ini, err) ||
	    plan_read_sweeps(&sections.plan, ini, err) ||
	    set_defaults(&sections.plan, err) ||
	    plan_check_modes(&sections.plan, ini, err))
		return -1;
	sections.plan.strategies.split = sections.lists.split;
	set_runs(&sections.plan);
	*plan = sections.plan;
	return 0;
}

uint64_t plan_cache_budget(const struct plan *plan)
{
	return plan->load.cache_budget ? plan->load.cache_budget
	                               : memory_available("") / 2;
}

bool plan_wants_codec(
    const struct plan *plan, unsigned codec, const struct schema *schema)
{
	char label[CODEC_LABEL];

	return !plan->strategies.codec_auto[codec] ||
	       auto_codec_suits(
	           codec_label(&plan->strategies.codecs[codec], label), schema);
}

bool plan_emulates(const struct plan *plan)
{
	return storage_limits_any(&plan->limits);
}

bool plan_reuses(const struct plan *plan)
{
	return plan->measure.reuse && !plan_emulates(plan);
}
