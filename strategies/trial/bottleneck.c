/* bottleneck.c - see bottleneck.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/units.h"
#include "lib/measure/storage/residency.h"
#include "lib/media/medium.h"
#include "lib/steps/step.h"
#include "strategies/forecast/models/ceilings.h"
#include "strategies/plan/plan.h"
#include "strategies/trial/bottleneck.h"

/* The CPU is the bottleneck if this fraction of the cores is busy. */
static const double busy_fraction = 0.75;
/* A partial epoch with this fraction of the whole time is about as slow. */
static const double alike_fraction = 0.8;
/* The same if cores are idle: less is enough then. */
static const double idle_fraction = 0.5;
/* Fractions of a storage limit: to be named, and to be the only reason. */
static const double limit_fraction = 0.5, reached_fraction = 0.8;
/* Steps that take this fraction of the CPU time are not light. */
static const double steps_fraction = 0.6;
/* Bytes of a sample; moving fewer costs a fixed time, the loader's. */
static const double moved_least = 4096;

struct facts { /* about a trial, from its counted epochs */
	const struct trial_plan *plan;
	const struct loader_trace *trace;
	const struct partial_epochs *partial;
	const struct storage_limits *limits;
	const struct ceilings *ceilings;
	struct partial_row all;               /* the median epoch */
	struct ceilings_reading cold_reading; /* in the fastest run */
	double wall_s, cpu_s, others_s, bytes, from_storage;
	size_t epochs;
	unsigned fetchers, hosts; /* of one host; that share the storage */
	double width;             /* cores that can be busy at a time */
	bool cold;                /* its data comes from the storage */
};

static void sum_runs(struct facts *facts, const struct trial_result *result)
{
	const bool cold = facts->plan->loading.mode.cache == CACHE_NONE;

	for (size_t i = 0; i < result->run_count; i++) {
		const struct run_row *row = &result->runs[i];

		if (row->warmup || (!cold && row->epoch == 1))
			continue;
		facts->wall_s += (double)row->wall_ns / 1e9;
		facts->cpu_s += (double)(row->user_ns + row->system_ns) / 1e9;
		facts->others_s += (double)row->cores.others_ns / 1e9;
		facts->bytes += (double)row->bytes_fetched;
		if (row->bytes_from_storage > 0)
			facts->from_storage += (double)row->bytes_from_storage;
		facts->epochs++;
	}
}

/*
 * Sums the epochs of a run that certainly read from the storage; returns the
 * place behind them.
 */
static size_t sum_cold_run(const struct trial_result *result, size_t at,
    double *wall_s, double *bytes, double *epochs)
{
	const unsigned run = result->runs[at].run;

	*wall_s = *bytes = *epochs = 0;
	for (; at < result->run_count && result->runs[at].run == run; at++) {
		const struct run_row *row = &result->runs[at];

		if (row->warmup || row->resident_percent < 0 ||
		    row->resident_percent > COLD_PERCENT)
			continue;
		*wall_s += (double)row->wall_ns / 1e9;
		*bytes += (double)row->bytes_fetched;
		*epochs += 1;
	}
	return at;
}

struct ceilings_reading bottleneck_reading(
    const struct trial_plan *plan, const struct trial_result *result)
{
	struct ceilings_reading most = {
		.threads = trial_mode_fetchers(plan->loading.mode),
	};
	double wall_s, bytes, epochs;

	if (result->residency.cold > COLD_PAGES || plan->user_loader)
		return most;
	for (size_t i = 0;
	     plan->loading.mode.cache == CACHE_NONE && i < result->run_count;) {
		i = sum_cold_run(result, i, &wall_s, &bytes, &epochs);
		if (wall_s <= 0 || bytes / wall_s <= most.bytes_per_s)
			continue;
		most.bytes_per_s = bytes / wall_s;
		most.requests_per_s =
		    (double)result->partial.requests * epochs / wall_s;
	}
	return most;
}

/* How many cores can be busy at a time; other programs may have taken some. */
static double busy_width(const struct facts *facts, unsigned cores)
{
	const struct trial_plan *plan = facts->plan;
	double width = plan->loading.mode.threads < cores
	                   ? plan->loading.mode.threads
	                   : cores;
	double left = cores;

	if (!pipeline_makes_many(plan->loading.pipeline, plan->loading.from,
	        plan->loading.pipeline->count) &&
	    (double)plan->reader->samples < width)
		width = (double)plan->reader->samples;
	if (facts->wall_s > 0)
		left -= facts->others_s / facts->wall_s;
	if (left < width)
		width = left;
	return width > 0.1 ? width : 0.1;
}

static struct facts gather(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores,
    const struct ceilings *ceilings)
{
	struct facts facts = {
		.plan = plan,
		.trace = &result->trace,
		.partial = &result->partial,
		.limits = medium_limits(plan->medium),
		.fetchers = trial_mode_fetchers(plan->loading.mode),
		.hosts = together_hosts(&result->hosts),
		.ceilings = ceilings,
	};

	sum_runs(&facts, result);
	facts.cold_reading = bottleneck_reading(plan, result);
	partial_epochs_whole(result, plan, &facts.all);
	facts.width = busy_width(&facts, cores);
	facts.cold = plan->loading.mode.cache == CACHE_NONE ||
	             (facts.bytes > 0 &&
	                 facts.from_storage > idle_fraction * facts.bytes);
	return facts;
}

/* A partial epoch's fraction of a whole epoch's time; < 0: unknown. */
static double time_fraction(const struct facts *facts, enum epoch_extent extent)
{
	const struct partial_row *row = &facts->partial->rows[extent];

	if (!row->wall_ns || !facts->all.wall_ns)
		return -1;
	return (double)row->wall_ns / facts->partial->fraction /
	       (double)facts->all.wall_ns;
}

static void say(struct bottleneck *found, const char *word)
{
	snprintf(found->word, sizeof(found->word), "%s", word);
}

/* ---- the storage ---- */

/* The limit of the storage that a trial comes nearest to. */
struct limit {
	double fraction; /* fraction of the limit, at most 1 */
	bool passed;     /* the trial itself is the most that was seen */
	const char *word;
	char text[RESULTS_WORD];
};

/* Compares a rate with a limit: `most`, in the unit that is printed. */
static void reach(struct limit *limit, const char *word, double rate,
    double most, const char *unit)
{
	const double fraction = most > 0 ? fmin(rate / most, 1) : 0;
	char number[UNITS_TEXT];

	if (fraction <= limit->fraction)
		return;
	limit->word = word;
	limit->fraction = fraction;
	snprintf(limit->text, sizeof(limit->text), "%.0f %% of %s %s",
	    100 * fraction, units_number(most, number), unit);
}

/*
 * Compares a rate with the most that was seen: by probes and trials before, or
 * now.  Of two that are passed, the one that is passed by more is the limit.
 */
static void reach_seen(struct limit *limit, double *times, const char *word,
    double rate, const double seen[2], const char *unit)
{
	const double most = fmax(fmax(seen[0], seen[1]), rate);

	if (rate > seen[0] && rate / seen[0] > *times) {
		*times = rate / seen[0];
		limit->passed = true;
		limit->fraction = 0;
	} else if (limit->passed) {
		return;
	}
	reach(limit, word, rate, most, unit);
}

/* Compares with the ceilings for large reads, and for small files. */
static void reach_ceiling(
    const struct facts *facts, struct limit *limit, double requests_per_s)
{
	const struct ceilings_reading *cold = &facts->cold_reading;
	const bool known = facts->plan->loading.mode.cache != CACHE_NONE ||
	                   cold->bytes_per_s > 0;
	/* A cache gave the rest of a warm epoch. */
	const double bytes_per_s =
	    (facts->plan->loading.mode.cache == CACHE_NONE
	            ? facts->bytes
	            : facts->from_storage) /
	    facts->wall_s;
	const struct ceiling *large, *files;
	double times = 0;

	if (!facts->ceilings || !known)
		return;
	large =
	    ceilings_find(facts->ceilings, CEILING_SEQUENTIAL, facts->fetchers);
	files = ceilings_find(facts->ceilings, CEILING_FILES, facts->fetchers);
	if (large && large->cold)
		reach_seen(limit, &times, "storage", bytes_per_s / 1e6,
		    (double[]){
		        large->bytes_per_s / 1e6, cold->bytes_per_s / 1e6 },
		    "MB/s");
	if (files && files->cold &&
	    ceilings_are_small(&(struct ceilings_reading){ facts->fetchers,
	                           bytes_per_s, requests_per_s },
	        files))
		reach_seen(limit, &times, "latency", requests_per_s,
		    (double[]){ files->requests_per_s, cold->requests_per_s },
		    "files/s");
}

static const char requests_wait[] = "requests wait",
                  opening_takes[] = "opening a file takes";

static void say_wait(char text[RESULTS_WORD], const char *what, double wait)
{
	snprintf(text, RESULTS_WORD, "%s %.*f us", what, wait < 10e-6 ? 1 : 0,
	    wait * 1e6);
}

/* Compares with a latency: requests, or opened files, take `wait` seconds. */
static void reach_latency(const struct facts *facts, struct limit *limit,
    double per_s, double wait, const char *text)
{
	const double fraction = per_s * wait / facts->fetchers;

	if (fraction <= limit->fraction)
		return;
	limit->fraction = fraction;
	limit->word = "latency";
	say_wait(limit->text, text, wait);
}

static struct limit find_limit(const struct facts *facts)
{
	struct limit limit = { .word = "storage" };
	double per_s, requests_per_s, opened_per_s;

	if (facts->wall_s <= 0)
		return limit;
	per_s = (double)facts->epochs / facts->wall_s;
	requests_per_s = (double)facts->partial->requests * per_s;
	opened_per_s = (double)facts->partial->opened * per_s;
	reach(&limit, "storage",
	    facts->hosts * facts->bytes / facts->wall_s / 1e6,
	    facts->limits->bandwidth / 1e6, "MB/s");
	reach(&limit, "storage",
	    facts->bytes / facts->wall_s / facts->fetchers / 1e6,
	    facts->limits->stream / 1e6, "MB/s a stream");
	reach(&limit, "latency", facts->hosts * requests_per_s,
	    facts->limits->iops, "IOPS");
	reach(&limit, "latency", facts->hosts * opened_per_s,
	    facts->limits->opens, "files/s");
	reach_latency(facts, &limit, requests_per_s, facts->limits->latency,
	    requests_wait);
	reach_latency(
	    facts, &limit, opened_per_s, facts->limits->open, opening_takes);
	reach_ceiling(facts, &limit, requests_per_s);
	return limit;
}

/* Names the storage: its bandwidth, or its latency. */
static void name_storage(const struct facts *facts, struct bottleneck *found)
{
	const struct limit limit = find_limit(facts);
	const struct storage_limits *limits = facts->limits;
	const double read = time_fraction(facts, EXTENT_READ);

	say(found, limit.word);
	if (limit.fraction >= limit_fraction) {
		memcpy(found->evidence, limit.text, sizeof(limit.text));
		return;
	}
	if (limits->latency > 0 || limits->iops > 0 || limits->open > 0 ||
	    limits->opens > 0)
		say(found, "latency");
	else
		say(found, "storage");
	if (limits->open > 0 && limits->open > limits->latency)
		say_wait(found->evidence, opening_takes, limits->open);
	else if (limits->latency > 0)
		say_wait(found->evidence, requests_wait, limits->latency);
	else if (read > 0)
		snprintf(found->evidence, sizeof(found->evidence),
		    "reading alone takes %.0f %% of the time",
		    read < 1 ? 100 * read : 100);
}

/* ---- the CPU ---- */

/* The activity of the threads with the most CPU time so far. */
struct heaviest {
	double most;
	struct bottleneck *found;
};

static void weigh(
    struct heaviest *heaviest, double ns, const char *kind, const char *name)
{
	if (ns <= heaviest->most)
		return;
	heaviest->most = ns;
	snprintf(heaviest->found->word, RESULTS_WORD, "%s%s%.40s", kind,
	    name[0] ? ":" : "", name);
}

/* CPU time of everything except steps. */
struct besides {
	double codec, memory, storage, harness;
};

static double sample_size(const struct facts *facts)
{
	const struct phase_row *batch = &facts->trace->phases[PHASE_BATCH];

	return batch->calls ? (double)batch->bytes / (double)batch->calls
	                    : moved_least;
}

/* Work on samples of a few bytes counts as the loader's. */
static struct besides sum_besides(const struct facts *facts)
{
	const struct loader_trace *trace = facts->trace;
	const struct phase_row *phases = trace->phases;
	const double unpack =
	    (double)(trace->unpack.cpu_ns + trace->chain.codec.cpu_ns);
	const double reading =
	    (double)(phases[PHASE_READ].cpu_ns + phases[PHASE_OPEN].cpu_ns);
	const double copy = (double)trace->chain.copy.cpu_ns;
	struct besides sum = { .harness = (double)trace->parse.cpu_ns };

	if (phases[PHASE_BATCH].cpu_ns > trace->chain.copy.cpu_ns)
		sum.harness += (double)phases[PHASE_BATCH].cpu_ns - copy;
	if (facts->plan->reader->codec[0])
		sum.codec = unpack;
	else
		sum.memory = unpack;
	sum.memory += copy;
	if (facts->cold)
		sum.storage = reading;
	else
		sum.memory += reading;
	if (sample_size(facts) < moved_least) {
		sum.harness += sum.memory;
		sum.memory = 0;
	}
	return sum;
}

static double sum_steps(const struct facts *facts)
{
	double sum = 0;

	for (unsigned s = 0; s < PIPELINE_STEPS; s++)
		sum += (double)facts->trace->chain.steps[s].cpu_ns;
	return sum;
}

static double sum_all(const struct facts *facts)
{
	const struct besides b = sum_besides(facts);

	return sum_steps(facts) + b.codec + b.memory + b.storage + b.harness;
}

/* Names what kept the cores busy; `steps`: it may be a step. */
static void name_busy(
    const struct facts *facts, bool steps, struct bottleneck *found)
{
	const struct trial_plan *plan = facts->plan;
	const struct besides besides = sum_besides(facts);
	const double all = sum_all(facts);
	struct heaviest heaviest = { .found = found };

	say(found, "harness");
	weigh(&heaviest, besides.harness, "harness", "");
	weigh(&heaviest, besides.memory, "memory", "");
	weigh(&heaviest, besides.storage, "storage", "");
	weigh(&heaviest, besides.codec, "codec", plan->reader->codec);
	for (unsigned s = 0; steps && s < plan->loading.pipeline->count; s++) {
		const struct pipeline_step *step =
		    &plan->loading.pipeline->steps[s];

		/* There may be several steps `python`. */
		weigh(&heaviest, (double)facts->trace->chain.steps[s].cpu_ns,
		    "cpu", step->ops->own ? step->name : step->ops->name);
	}
	if (all > 0)
		snprintf(found->evidence, sizeof(found->evidence), "%.0f %%",
		    100 * heaviest.most / all);
}

/* The fraction of the traced epoch in which workers had nothing to do. */
static double starved_fraction(const struct facts *facts)
{
	const double all =
	    (double)facts->trace->wall_ns * facts->plan->loading.mode.threads;

	return all > 0 ? (double)facts->trace->starved_ns / all : 0;
}

static void name_idle(const struct facts *facts, struct bottleneck *found)
{
	say(found, "harness");
	snprintf(found->evidence, sizeof(found->evidence),
	    "workers wait %.0f %% of the time", 100 * starved_fraction(facts));
}

/* ---- the decision ---- */

static bool is_storage(const struct facts *facts, bool busy)
{
	const double read = time_fraction(facts, EXTENT_READ);
	const struct limit limit = find_limit(facts);

	if (!facts->cold)
		return false;
	if (read < 0) /* not known */
		return !busy ||
		       (limit.fraction >= reached_fraction && !limit.passed);
	return read >= (busy ? alike_fraction : idle_fraction) ||
	       ((facts->limits->bandwidth > 0 || facts->limits->stream > 0) &&
	           limit.fraction >= reached_fraction);
}

/* Is decoding as slow as a whole epoch, and are the steps really light? */
static bool is_decoding(const struct facts *facts)
{
	return time_fraction(facts, EXTENT_DECODE) >= alike_fraction &&
	       sum_steps(facts) < steps_fraction * sum_all(facts);
}

void bottleneck_find(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores,
    const struct ceilings *ceilings, struct bottleneck *found)
{
	const struct facts facts = gather(plan, result, cores, ceilings);
	const bool busy =
	    facts.cpu_s >= busy_fraction * facts.width * facts.wall_s;

	*found = (struct bottleneck){ .word = "" };
	if (plan->user_loader)
		return;
	if (is_storage(&facts, busy))
		name_storage(&facts, found);
	else if (is_decoding(&facts))
		name_busy(&facts, false, found);
	else if (busy || starved_fraction(&facts) < idle_fraction)
		name_busy(&facts, true, found);
	else
		name_idle(&facts, found);
}

const char *bottleneck_text(
    const char *word, const char *evidence, char text[BOTTLENECK_TEXT])
{
	snprintf(text, BOTTLENECK_TEXT, "%s%s%s", word, *evidence ? ", " : "",
	    evidence);
	return text;
}

bool bottleneck_is_fraction(const char *evidence)
{
	const char *of = strstr(evidence, " % of ");

	return of && of[6] >= '0' && of[6] <= '9';
}
