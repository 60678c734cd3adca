/* demand.c - see demand.h. */
#include "strategies/whatif/demand.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/demand_report.h"
#include "lib/process/process_tree.h"
#include "strategies/whatif/virtual_nodes.h"

enum {
	PARTS_LEAST = 5,
	PART_BATCHES = 25,
};

/* Readers that are active for more of the time leave nothing to divide by. */
static const double active_most = 0.95;

/* A taker: one process took this from one dataset, in batches of one size. */
struct taker {
	uint64_t pid, rank, begin_ns, end_ns, pause_ns;
	uint64_t full; /* batches in lines of the reports with full ones only */
	struct demand sum;
};

/* ---- one taker ---- */

struct part {
	uint64_t samples, wait_ns, busy_ns;
};

/* The number of parts: see demand.h. */
static unsigned part_count(uint64_t batches)
{
	if (batches < PARTS_LEAST)
		return (unsigned)batches;
	if (batches < PARTS_LEAST * PART_BATCHES)
		return PARTS_LEAST;
	return batches / PART_BATCHES < DEMAND_PARTS
	           ? (unsigned)(batches / PART_BATCHES)
	           : DEMAND_PARTS;
}

static bool is_full(
    const struct demand_stream *stream, const struct demand_record *record)
{
	return record->batches &&
	       record->samples >= record->batches * stream->loader.batch_size;
}

/* Adds up what the reports of one taker say, in order. */
static void count_all(struct taker *taker,
    const struct demand_stream *const *streams, size_t count)
{
	*taker = (struct taker){ .pid = streams[0]->loader.pid,
		.rank = streams[0]->loader.rank,
		.begin_ns = streams[0]->loader.begin_ns,
		.end_ns = streams[0]->loader.begin_ns,
		.sum = {
		    .processes = 1, .batch = streams[0]->loader.batch_size } };
	for (size_t s = 0; s < count; s++) {
		taker->sum.epochs += streams[s]->count > 0;
		for (size_t i = 0; i < streams[s]->count; i++) {
			const struct demand_record *record =
			    &streams[s]->records[i];

			if (record->end_ns > taker->end_ns)
				taker->end_ns = record->end_ns;
			taker->sum.batches += record->batches;
			taker->sum.samples += record->samples;
			taker->sum.epochs += record->batches == 0;
			if (!record->batches)
				taker->pause_ns += record->busy_ns;
			if (is_full(streams[s], record))
				taker->full += record->batches;
		}
	}
	taker->sum.pause_s = 1e-9 * (double)taker->pause_ns;
}

/*
 * Divides the full batches into parts; all batches if none is full.  The last
 * batch of an epoch takes a job less time, and not in proportion.
 */
static void divide(struct part parts[DEMAND_PARTS], struct taker *taker,
    const struct demand_stream *const *streams, size_t count)
{
	const uint64_t all = taker->full ? taker->full : taker->sum.batches;
	const unsigned n = part_count(all);
	uint64_t before = 0;

	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < streams[s]->count; i++) {
			const struct demand_record *record =
			    &streams[s]->records[i];
			const unsigned at = (unsigned)(before * n / all);

			if (!record->batches ||
			    (taker->full && !is_full(streams[s], record)))
				continue;
			parts[at].samples += record->samples;
			parts[at].wait_ns += record->wait_ns;
			parts[at].busy_ns += record->busy_ns;
			before += record->batches;
			if (at == 0 && n >= PARTS_LEAST)
				taker->sum.left_out += record->batches;
		}
}

static double rate(uint64_t samples, uint64_t ns)
{
	return 1e9 * (double)samples / (double)ns;
}

static double part_rate(const struct part *part)
{
	return rate(part->samples, part->busy_ns);
}

static int compare_rate(const void *left, const void *right)
{
	const double a = part_rate(left), b = part_rate(right);

	return (a > b) - (a < b);
}

static void add_part(struct part *sum, const struct part *part)
{
	sum->samples += part->samples;
	sum->wait_ns += part->wait_ns;
	sum->busy_ns += part->busy_ns;
}

/*
 * Moves the parts that count to the front, and returns their number.  None of
 * them takes no time, so that there is a rate.
 */
static size_t choose(struct part parts[DEMAND_PARTS], struct demand *demand)
{
	size_t n = 0;

	for (unsigned i = 0; i < DEMAND_PARTS; i++)
		parts[i].busy_ns += parts[i].busy_ns == 0;
	for (unsigned i = demand->left_out > 0; i < DEMAND_PARTS; i++)
		if (parts[i].samples)
			parts[n++] = parts[i];
	if (!n) /* one line of a report holds all batches */
		demand->left_out = 0;
	return n ? n : 1;
}

/* Sets the figures of one taker; it has a complete batch. */
static void take_figures(struct taker *taker,
    const struct demand_stream *const *streams, size_t count)
{
	struct part parts[DEMAND_PARTS] = { { 0 } }, all = { 0 }, middle = all;
	struct demand *demand = &taker->sum;
	size_t n;

	divide(parts, taker, streams, count);
	n = choose(parts, demand);
	qsort(parts, n, sizeof(*parts), compare_rate);
	for (size_t i = 0; i < n; i++) {
		add_part(&all, &parts[i]);
		if (i >= n / 4 && i < n - n / 4)
			add_part(&middle, &parts[i]);
	}
	demand->samples_per_s = part_rate(&middle);
	demand->low = part_rate(&parts[n / 4]);
	demand->high = part_rate(&parts[n - n / 4 - 1]);
	demand->taken_per_s = rate(all.samples, all.wait_ns + all.busy_ns);
	demand->waited =
	    (double)all.wait_ns / (double)(all.wait_ns + all.busy_ns);
}

/* ---- all takers ---- */

static int compare_uint(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Containers may give several ranks the same number of their process. */
static int compare_taker(
    const struct demand_loader *a, const struct demand_loader *b)
{
	int order = compare_uint(a->pid, b->pid);

	if (!order)
		order = compare_uint(a->rank, b->rank);
	if (!order)
		order = strcmp(a->dataset, b->dataset);
	return order ? order : compare_uint(a->batch_size, b->batch_size);
}

static int compare_stream(const void *left, const void *right)
{
	const struct demand_loader *a =
	    &(*(const struct demand_stream *const *)left)->loader;
	const struct demand_loader *b =
	    &(*(const struct demand_stream *const *)right)->loader;
	const int order = compare_taker(a, b);

	return order ? order : compare_uint(a->begin_ns, b->begin_ns);
}

/*
 * Sets the takers of sorted streams, one for each process: that with the most
 * samples.  Returns how many there are.
 */
static size_t find_takers(struct taker *takers,
    const struct demand_stream *const *streams, size_t count)
{
	size_t found = 0, next;

	for (size_t i = 0; i < count; i = next) {
		struct taker taker, *last = found ? &takers[found - 1] : NULL;

		for (next = i + 1; next < count; next++)
			if (compare_taker(&streams[i]->loader,
			        &streams[next]->loader) != 0)
				break;
		count_all(&taker, &streams[i], next - i);
		if (!taker.sum.batches)
			continue;
		take_figures(&taker, &streams[i], next - i);
		if (!last || last->pid != taker.pid ||
		    last->rank != taker.rank) {
			takers[found++] = taker;
			continue;
		}
		taker.sum.others = last->sum.others + 1;
		if (taker.sum.samples > last->sum.samples)
			*last = taker;
		else
			last->sum.others = taker.sum.others;
	}
	return found;
}

static void add(struct demand *sum, const struct demand *more)
{
	const unsigned n = sum->processes;

	sum->samples_per_s += more->samples_per_s;
	sum->low += more->low;
	sum->high += more->high;
	sum->taken_per_s += more->taken_per_s;
	sum->waited = (sum->waited * n + more->waited) / (n + 1);
	sum->processes++;
	sum->batch += more->batch;
	sum->epochs = more->epochs > sum->epochs ? more->epochs : sum->epochs;
	sum->batches += more->batches;
	sum->samples += more->samples;
	sum->left_out += more->left_out;
	sum->pause_s = fmax(sum->pause_s, more->pause_s);
	sum->others += more->others;
}

/* Adds up the takers that were at work at a time. */
static struct demand at_work(
    const struct taker *takers, size_t count, uint64_t at_ns)
{
	struct demand sum = { .processes = 0 };

	for (size_t i = 0; i < count; i++)
		if (takers[i].begin_ns <= at_ns && at_ns <= takers[i].end_ns)
			add(&sum, &takers[i].sum);
	return sum;
}

int demand_of_loaders(struct demand *demand,
    const struct demand_stream *streams, size_t count, struct error *err)
{
	const struct demand_stream **sorted =
	    memory_zeroed((count + 1) * sizeof(*sorted), err);
	struct taker *takers =
	    sorted ? memory_zeroed((count + 1) * sizeof(*takers), err) : NULL;
	size_t found = 0;

	*demand = (struct demand){ .processes = 0 };
	for (size_t i = 0; takers && i < count; i++)
		sorted[i] = &streams[i];
	if (takers) {
		qsort(sorted, count, sizeof(*sorted), compare_stream);
		found = find_takers(takers, sorted, count);
	}
	for (size_t i = 0; i < found; i++) {
		const struct demand sum =
		    at_work(takers, found, takers[i].begin_ns);

		if (sum.samples_per_s > demand->samples_per_s)
			*demand = sum;
	}
	free(sorted);
	if (!takers)
		return -1;
	free(takers);
	return found > 0;
}

/* ---- from the outside ---- */

void demand_of_processes(struct demand_bounds *bounds,
    const struct process_tree_figures *figures, uint64_t samples,
    double seconds)
{
	const double all = (double)figures->time_ns;
	const double active = (double)figures->active_ns;

	*bounds = (struct demand_bounds){ .low = (double)samples / seconds,
		.high = INFINITY };
	if (figures->readers && !figures->blocked_is_unknown &&
	    active < active_most * all)
		bounds->high = 1e9 * (double)samples / (all - active);
}

/* ---- the file ---- */

void demand_print(
    double samples_per_s, uint64_t batch, unsigned processes, FILE *out)
{
	const unsigned count = processes > NODES_DEVICES ? 1 : processes;
	uint64_t each = (batch + count / 2) / count;

	if (each > NODES_BATCH / count)
		each = NODES_BATCH / count;
	if (!each)
		each = 1;
	fprintf(out,
	    "[job]\n"
	    "batch = %" PRIu64 "\n\n"
	    "[process]\n"
	    "count = %u\n"
	    "throughput = %" PRIu64 ":%.6g\n",
	    each * count, count, each, samples_per_s / count);
}
