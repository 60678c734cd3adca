/* recommend.c - presto recommend: which strategy to use, and why. */
#include "cmd/recommend/recommend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "cmd/program/private.h"
#include "cmd/recommend/plan.h"
#include "cmd/report/session_data.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/stores/readable.h"
#include "lib/syntax/option.h"
#include "strategies/decide/asked.h"
#include "strategies/decide/derive.h"
#include "strategies/decide/rank.h"
#include "strategies/plan/plan.h"
#include "strategies/whatif/accelerators.h"
#include "strategies/whatif/offload.h"
#include "strategies/whatif/prices.h"

struct args {
	const char *accelerators, *db, *from, *objective, *offload, *output,
	    *plan, *prices, *readable_by, *weights;
	unsigned format;
	uint64_t session, top, epochs, full_samples, max_storage;
	double cores, min_throughput, max_prep;
	bool lossy, pareto, private, warnings;
};

static const struct option options[] = {
	OPTION(TEXT, "accelerators", 0, struct args, accelerators, "FILE",
	    "rank strategies that can feed the accelerators in FILE first"),
	OPTION_RANGE(REAL, "cores", struct args, cores, 0.01, 1e6,
	    "number of cores to allocate (default: as profiled)"),
	OPTION_DB(struct args, "read results from"),
	OPTION_RANGE(UINT, "epochs", struct args, epochs, 1, 1e9,
	    "number of epochs of the full dataset (cost: a month), for "
	    "objectives time and cost"),
	OPTION_WORDS("format", struct args, format, FORMAT_WORDS,
	    "print in this format (default: text)"),
	OPTION(TEXT, "from", 0, struct args, from, "FILE",
	    "read a report in CSV or JSON instead of a database"),
	OPTION_RANGE(UINT, "full-samples", struct args, full_samples, 1, 1e18,
	    "number of samples of the full dataset (default: as profiled)"),
	OPTION(FLAG, "lossy", 0, struct args, lossy, NULL,
	    "include strategies that change the data a little"),
	OPTION(TIME, "max-prep", 0, struct args, max_prep, "TIME",
	    "require that preparing the full dataset takes at most TIME"),
	OPTION(BYTES, "max-storage", 0, struct args, max_storage, "SIZE",
	    "require that the full dataset takes at most SIZE"),
	OPTION(REAL, "min-throughput", 0, struct args, min_throughput, "N",
	    "require at least N samples per second"),
	OPTION(TEXT, "objective", 0, struct args, objective, "WORD",
	    "rank by this objective of presto list objectives (default: "
	    "throughput)"),
	OPTION(TEXT, "offload", 0, struct args, offload, "FILE",
	    "tell whether it pays to let the machines in FILE help"),
	OPTION_OUTPUT(struct args),
	OPTION(FLAG, "pareto", 0, struct args, pareto, NULL,
	    "rank only strategies that no other one beats in throughput, "
	    "storage and preparation"),
	OPTION(TEXT, "plan", 0, struct args, plan, "FILE",
	    "write the winner to FILE, a plan for profile, materialize, verify "
	    "and training programs; - is stdout, in place of the text"),
	OPTION(TEXT, "prices", 0, struct args, prices, "FILE",
	    "read the prices of vCPUs, storage and accelerators from FILE, for "
	    "objective cost"),
	OPTION_PRIVATE(struct args),
	OPTION(TEXT, "readable-by", 0, struct args, readable_by, "WORD",
	    "require that this reader can read the winner (default: any but "
	    "presto)"),
	OPTION_ABOVE_0(UINT, "session", struct args, session, "ID",
	    "number of the session (default: the newest)"),
	OPTION_ABOVE_0(UINT, "top", struct args, top, "N",
	    "rows of the ranking (default: all; 10 in text and Markdown)"),
	OPTION(FLAG, "warnings", 0, struct args, warnings, NULL,
	    "print the warnings of the session, not only their number"),
	OPTION(TEXT, "weights", 0, struct args, weights, "LIST",
	    "weights of objective balanced: prep=P,storage=S,throughput=T"),
	OPTION_TABLE_END,
};

static const struct args defaults = {
	.max_storage = UINT64_MAX,
	.cores = NAN,
	.min_throughput = NAN,
	.max_prep = NAN,
};

/* ---- the request ---- */

/* The contents of files; outlive the request. */
struct files {
	struct accelerators accelerators;
	struct offload_site site;
	struct prices prices;
};

static int read_accelerators(struct request *request, struct files *files,
    const struct args *args, struct error *err)
{
	struct accelerators *accelerators = &files->accelerators;

	if (!args->accelerators)
		return 0;
	if (accelerators_read(accelerators, args->accelerators, err))
		return -1;
	if (args->private)
		accelerators_hide_hosts(accelerators);
	if (accelerators_solve(accelerators, err))
		return error_prefix(err, "%s", args->accelerators);
	request->accelerators = accelerators;
	request->demand = accelerators->samples_per_s;
	request->demand_of_host = accelerators_most(accelerators);
	return 0;
}

/* The demand comes from this file, or from that of the accelerators. */
static int read_offload(
    struct files *files, const struct args *args, struct error *err)
{
	struct offload_site *site = &files->site;

	if (!args->offload)
		return 0;
	if (offload_read(site, args->offload, err))
		return -1;
	if (isnan(site->accelerator) && args->accelerators)
		site->accelerator = accelerators_most(&files->accelerators);
	if (isnan(site->accelerator))
		return error_set(err, ERROR_USAGE,
		    "%s: the samples per second that are needed are missing: "
		    "give rate in [accelerator], or --accelerators",
		    args->offload);
	return 0;
}

static struct plan_decision decision_of(const struct args *args)
{
	return (struct plan_decision){
		.objective = args->objective,
		.weights = args->weights,
		.epochs = args->epochs,
		.min_throughput = args->min_throughput,
		.max_prep_s = args->max_prep,
		.max_storage = args->max_storage,
		.lossy = args->lossy,
	};
}

/* Do options say what is the best?  [decision] of the session then does not. */
static bool is_decided(const struct args *args)
{
	return args->lossy || args->objective || args->weights ||
	       args->epochs || args->prices || args->accelerators ||
	       args->max_storage != UINT64_MAX ||
	       !isnan(args->min_throughput) || !isnan(args->max_prep);
}

static int read_prices(struct request *request, struct files *files,
    const struct args *args, struct error *err)
{
	if (!args->prices)
		return 0;
	if (prices_read(&files->prices, args->prices, err))
		return -1;
	request->prices = &files->prices;
	return 0;
}

static int check_prices(
    const struct request *request, const struct args *args, struct error *err)
{
	if (request->prices && !request->accelerators &&
	    request->prices->accelerator_hour > 0 &&
	    !(request->prices->accelerators > 0))
		return error_set(err, ERROR_USAGE,
		    "%s: accelerator_hour needs the number of accelerators: "
		    "give accelerators there, or --accelerators",
		    args->prices);
	if (request->objective->needs_prices && !args->prices)
		return error_set(err, ERROR_USAGE,
		    "objective %s needs --prices, a file with prices",
		    args->objective);
	return 0;
}

static int read_request(struct request *request, struct files *files,
    const struct args *args, struct error *err)
{
	const struct plan_decision decision = decision_of(args);

	*request = request_default();
	request->session = (int64_t)args->session;
	request->is_decided = is_decided(args);
	if (args->readable_by) {
		request->reader = stock_reader_parse(args->readable_by, err);
		if (!request->reader)
			return error_prefix(err, "--readable-by");
	}
	if (args->full_samples)
		request->full_samples = (double)args->full_samples;
	if (read_prices(request, files, args, err) ||
	    read_accelerators(request, files, args, err) ||
	    read_offload(files, args, err) ||
	    request_ask(request, &decision, "--", err))
		return -1;
	return check_prices(request, args, err);
}

/* ---- the command ---- */

static int read_session_data(
    struct session_data *data, const struct args *args, struct error *err)
{
	struct results *results;
	int64_t session = 0;
	int rc = 0;

	if (args->from && args->db)
		return error_set(
		    err, ERROR_USAGE, "give --from or --db, not both");
	data->hides = args->private;
	if (args->from)
		return session_data_from_file(
		    data, args->from, (int64_t)args->session, err);
	results = derive_open(cmd_database(args->db), false, err);
	if (!results)
		return -1;
	if (args->private)
		rc = results_hide(results, err);
	if (rc == 0)
		rc = results_pick_session(
		    results, (int64_t)args->session, &session, err);
	if (rc == 0)
		rc = session_data_from_results(data, results, session, err);
	results_close(results);
	return rc;
}

struct printing {
	const struct session_data *data;
	const struct request *request;
	const struct recommend_page *page;
};

static int print_to(const void *arg, FILE *out, struct error *err)
{
	const struct printing *p = arg;
	struct recommend_page page = *p->page;

	page.out = out;
	return recommend_session(p->data, p->request, &page, err);
}

/* A plan holds all that it was decided by, and a database has more to say. */
static int check_plan(const struct args *args, struct error *err)
{
	const struct {
		const char *name;
		bool is_given;
	} others[] = {
		{ "accelerators", args->accelerators != NULL },
		{ "from", args->from != NULL },
		{ "prices", args->prices != NULL },
		{ "private", args->private },
	};

	if (!args->plan)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (others[i].is_given)
			return error_set(err, ERROR_USAGE,
			    "a plan cannot hold what --%s says: give --plan "
			    "without it",
			    others[i].name);
	return recommend_plan_check(args->plan, err);
}

/* `rc` is that of the text; a plan is written beside an unsure answer, too. */
static int write_plan(const struct args *args, const struct session_data *data,
    const struct request *request, int rc, struct error *err)
{
	struct error failure = ERROR_INIT;
	const struct plan_order order = {
		.path = args->plan,
		.db = cmd_database(args->db),
		.data = data,
		.request = request,
	};

	if (!args->plan || (rc && err->code != ERROR_INCONCLUSIVE))
		return rc;
	if (recommend_plan_write(&order, &failure) == 0)
		return rc;
	*err = failure;
	return -1;
}

static bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static int recommend(
    const void *arg, char **operands, int count, struct error *err)
{
	const struct args *args = arg;
	struct files files = { .prices = prices_none() };
	const struct recommend_page page = { .format = args->format,
		.alone = true,
		.top = args->top,
		.pareto = args->pareto,
		.warnings = args->warnings,
		.cores = args->cores,
		.site = args->offload ? &files.site : NULL };
	struct session_data data = SESSION_DATA_INIT;
	struct request request;
	int rc = -1;

	UNUSED(operands);
	UNUSED(count);
	if (output_check(args->output, err) == 0 &&
	    check_plan(args, err) == 0 &&
	    read_request(&request, &files, args, err) == 0)
		rc = read_session_data(&data, args, err);
	if (rc == 0) {
		request.session = data.session;
		if (!is_stdout(args->plan))
			rc = output_to(args->output, print_to,
			    &(struct printing){ &data, &request, &page }, err);
		rc = write_plan(args, &data, &request, rc, err);
	}
	session_data_release(&data);
	return rc;
}

const struct cmd cmd_recommend = {
	.name = "recommend",
	.summary = "say which strategy to use, and why",
	.usage = "",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.run = recommend,
};
