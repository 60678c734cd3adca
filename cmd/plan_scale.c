/* plan_scale.c - presto plan-scale: materializing on many machines, in figures.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/output.h"
#include "cmd/project/project.h"
#include "cmd/scale/rates.h"
#include "cmd/scale/words.h"
#include "cmd/writers/format.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/plan/shard_count.h"
#include "strategies/whatif/prices.h"
#include "strategies/whatif/scale.h"

struct args {
	const char *db, *output, *prices, *strategy;
	uint64_t session, shards, threads;
	double full_samples, machines, network, requests, storage;
	struct format_args format;
	struct option_texts sets;
};

static const struct option options[] = {
	OPTION(FLAG, "csv", 0, struct args, format.csv, NULL,
	    "print as CSV: the same as --format csv"),
	OPTION_DB(struct args, "read measured rates from"),
	OPTION_WORDS("format", struct args, format.word, FORMAT_WORDS_PLAIN,
	    "print in this format (default: text)"),
	OPTION_RANGE(REAL, "full-samples", struct args, full_samples, 1, 1e18,
	    "number of samples of the full dataset, such as 5e9 (default: as "
	    "the pipeline file says, else what the source holds)"),
	OPTION(FLAG, "json", 0, struct args, format.json, NULL,
	    "print as JSON: the same as --format json"),
	OPTION_RANGE(REAL, "machines", struct args, machines, 1, 1e6,
	    "number of machines like this one (default: 1)"),
	OPTION(FLAG, "markdown", 0, struct args, format.markdown, NULL,
	    "print as Markdown: the same as --format markdown"),
	OPTION(RATE, "network", 0, struct args, network, "RATE",
	    "bytes per second that each machine reads and writes at most, such "
	    "as 1.25GB/s (default: no limit)"),
	OPTION_OUTPUT(struct args),
	OPTION(TEXT, "prices", 0, struct args, prices, "FILE",
	    "read the prices of vCPUs and storage from FILE"),
	OPTION_RANGE(REAL, "requests", struct args, requests, 0.001, 1e12,
	    "requests per second that the storage takes from all machines "
	    "(default: no limit)"),
	OPTION_ABOVE_0(UINT, "session", struct args, session, "ID",
	    "take the rates of this session (default: the newest of the "
	    "pipeline, else a forecast)"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION_RANGE(UINT, "shards", struct args, shards, 0, SHARDS_MOST,
	    "number of shards (default: of about 512 MiB)"),
	OPTION(RATE, "storage", 0, struct args, storage, "RATE",
	    "bytes per second that the storage gives and takes, all machines "
	    "together (default: no limit)"),
	OPTION(TEXT, "strategy", 's', struct args, strategy, "NAME",
	    "strategy to write (default: the one that presto recommend names, "
	    "else the fastest by the forecast)"),
	OPTION_RANGE(UINT, "threads", struct args, threads, 0, PLAN_THREADS,
	    "worker threads of each machine (default: the cores)"),
	OPTION_TABLE_END,
};

static const struct args defaults = {
	.full_samples = NAN,
	.machines = 1,
	.network = 0,
	.requests = 0,
	.storage = 0,
	.format = { .word = FORMAT_NOT_GIVEN },
};

struct printing {
	const struct scale_page *page;
	enum format format;
};

static int print_to(const void *arg, FILE *out, struct error *err)
{
	const struct printing *p = arg;

	return scale_print(p->page, p->format, out, err);
}

static int print(const struct args *args, const struct scale_evidence *evidence,
    const struct prices *prices, struct error *err)
{
	const struct scale_wanted wanted = {
		.samples = isnan(args->full_samples) ? evidence->full_samples
		                                     : args->full_samples,
		.machines = floor(args->machines),
		.shards = (double)args->shards,
		.network = args->network,
		.storage = args->storage,
		.requests = args->requests,
		.prices = prices,
	};
	const struct scale_plan plan =
	    scale_plan_make(&evidence->rates, &wanted);
	const struct scale_page page = { evidence, &wanted, &plan };
	const struct printing printing = { &page, format_of(&args->format) };

	return output_to(args->output, print_to, &printing, err);
}

static int plan_scale(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	const struct scale_question question = {
		.path = operands[0],
		.strategy = args->strategy,
		.db = args->db,
		.session = (int64_t)args->session,
		.threads = (unsigned)args->threads,
		.sets = &args->sets,
		.stop = interrupt_watch("presto: ended at once\n"),
	};
	struct scale_evidence evidence = { .session = 0 };
	struct prices prices = prices_none();
	int rc = -1;

	UNUSED(count);
	if (format_count(&args->format) > 1)
		return error_set(
		    err, ERROR_USAGE, "give one format, not several");
	if (output_check(args->output, err) == 0 &&
	    (!args->prices || prices_read(&prices, args->prices, err) == 0) &&
	    scale_find_rates(&evidence, &question, err) == 0)
		rc = print(args, &evidence, args->prices ? &prices : NULL, err);
	return rc;
}

const struct cmd cmd_plan_scale = {
	.name = "plan-scale",
	.summary =
	    "forecast materializing a dataset of any size on many machines",
	.usage = "PIPELINE.conf",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_min = 1,
	.operands_max = 1,
	.run = plan_scale,
};
