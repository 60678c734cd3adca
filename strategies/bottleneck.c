/*
 * bottleneck.c - see bottleneck.h.
 *
 * The timed runs tell whether the cores were busy, the traced pass what with.
 */
#include <stdio.h>
#include <string.h>

#include "lib/media/medium.h"
#include "lib/steps/step.h"
#include "strategies/bottleneck.h"

/* From this share of the cores on, the CPU holds a trial back. */
static const double busy_share = 0.75;
/* From this share of an emulated bandwidth on, it does. */
static const double bandwidth_share = 0.8;

struct totals {
	double wall_s, cpu_s, bytes;
};

/* Sums over the epochs that the trial's figure is made of. */
static struct totals sum_runs(
    const struct trial_result *result, enum cache_mode cache)
{
	struct totals sum = { .wall_s = 0 };

	for (size_t i = 0; i < result->run_count; i++) {
		const struct run_row *row = &result->runs[i];

		if (cache != CACHE_NONE && row->epoch == 1)
			continue;
		sum.wall_s += (double)row->wall_ns / 1e9;
		sum.cpu_s += (double)(row->user_ns + row->system_ns) / 1e9;
		sum.bytes += (double)row->bytes_fetched;
	}
	return sum;
}

/* Keeps the heaviest of what was named so far. */
struct heaviest {
	uint64_t ns;
	char *word;
};

static void weigh(
    struct heaviest *heaviest, uint64_t ns, const char *kind, const char *name)
{
	if (ns <= heaviest->ns)
		return;
	heaviest->ns = ns;
	snprintf(heaviest->word, RESULTS_WORD, "%s%s%.40s", kind,
	    name[0] ? ":" : "", name);
}

/* What the cores were busy with. */
static void find_in_trace(const struct trial_plan *plan,
    const struct loader_trace *trace, char word[RESULTS_WORD])
{
	struct heaviest heaviest = { .ns = 0, .word = word };
	const char *codec = plan->reader->codec;

	snprintf(word, RESULTS_WORD, "harness");
	for (unsigned s = trial_from(plan); s < plan->pipeline->count; s++)
		weigh(&heaviest, trace->chain.steps[s].cpu_ns, "cpu",
		    plan->pipeline->steps[s].ops->name);
	weigh(&heaviest, trace->chain.copy.cpu_ns, "memory", "");
	weigh(&heaviest, trace->parse.cpu_ns, "harness", "");
	if (codec[0])
		weigh(&heaviest,
		    trace->unpack.cpu_ns + trace->chain.codec.cpu_ns, "codec",
		    codec);
	else
		weigh(&heaviest, trace->unpack.cpu_ns, "memory", "");
}

/* How many cores can have work at a time. */
static double busy_width(const struct trial_plan *plan, unsigned cores)
{
	double width = plan->threads < cores ? plan->threads : cores;

	if (!pipeline_makes_many(
	        plan->pipeline, plan->from, plan->pipeline->count) &&
	    (double)plan->reader->samples < width)
		width = (double)plan->reader->samples;
	return width;
}

void bottleneck_find(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores, char word[RESULTS_WORD])
{
	const struct totals sum = sum_runs(result, plan->cache);
	const struct storage_limits *limits = medium_limits(plan->medium);
	const double width = busy_width(plan, cores);
	const bool cold = plan->cache == CACHE_NONE;
	const bool busy = sum.cpu_s >= busy_share * width * sum.wall_s;

	if (cold && limits->bandwidth > 0 &&
	    sum.bytes >= bandwidth_share * limits->bandwidth * sum.wall_s)
		snprintf(word, RESULTS_WORD, "storage");
	else if (busy)
		find_in_trace(plan, &result->trace, word);
	else if (cold &&
	         (limits->latency > 0 || limits->iops > 0 || limits->open > 0))
		snprintf(word, RESULTS_WORD, "latency");
	else
		snprintf(word, RESULTS_WORD, cold ? "storage" : "harness");
}
