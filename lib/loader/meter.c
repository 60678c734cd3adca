/*
 * meter.c - times the activities of threads in the traced pass.
 *
 * A thread's CPU and wall time are read at both ends of an epoch. Some of its
 * rounds are timed, and divide these times among activities.
 */
#include "lib/loader/meter.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/loader/state.h"

/* Differs from the streams of random draws of steps and batches. */
static const uint32_t stream = UINT32_MAX - 2;

void meter_begin(
    struct meter *meter, const struct loader *loader, uint32_t thread)
{
	if (!TRACES)
		return;
	*meter = (struct meter){ .is_on = loader->tracing };
	if (!meter_is_on(meter))
		return;
	meter->wall_ns = clock_now(&clock_monotonic);
	meter->cpu_ns = clock_now(&clock_thread_cpu);
	stopwatch_init(&meter->watch, &clock_monotonic, &clock_thread_cpu,
	    random_stream(loader->plan.seed, loader->epoch, thread, stream));
	sampling_init(&meter->get);
	sampling_init(&meter->prepare);
	sampling_init(&meter->begin);
	sampling_init(&meter->make);
	sampling_init(&meter->put);
	meter->chain.watch = &meter->watch;
	meter->watch.log = recording_log(loader, thread);
	meter->for_data.log = meter->watch.log;
	meter->for_room.log = meter->watch.log;
}

void meter_end(struct meter *meter)
{
	if (!meter_is_on(meter))
		return;
	meter->cpu_ns = clock_now(&clock_thread_cpu) - meter->cpu_ns;
	meter->wall_ns = clock_now(&clock_monotonic) - meter->wall_ns;
}

uint64_t chunk_fetched(const struct chunk *chunk)
{
	uint64_t bytes = chunk->stored.len;

	if (chunk->fetched.len)
		return chunk->fetched.len;
	for (unsigned i = 0; i < FIELDS_MAX; i++)
		if (chunk->mappings[i].base)
			bytes += chunk->mappings[i].bytes;
	return bytes;
}

/* Calls `visit` for the cost of each activity of a thread. */
static void each_cost(struct meter *meter,
    void (*visit)(struct activity_cost *cost, double *value), double *value)
{
	struct activity_cost *const costs[] = { &meter->open, &meter->read,
		&meter->unpack, &meter->parse, &meter->hand,
		&meter->chain.codec, &meter->chain.copy };

	for (size_t i = 0; i < ARRAY_LEN(costs); i++)
		visit(costs[i], value);
	for (unsigned s = 0; s < PIPELINE_STEPS; s++)
		visit(&meter->chain.steps[s], value);
}

static void extrapolate(struct activity_cost *cost, double *sum)
{
	activity_cost_extrapolate(cost);
	*sum += (double)cost->cpu_ns;
}

static void scale_cpu(struct activity_cost *cost, double *scale)
{
	cost->cpu_ns = (uint64_t)((double)cost->cpu_ns * *scale);
}

static void add_cpu(struct activity_cost *cost, double *sum)
{
	*sum += (double)cost->cpu_ns;
}

/* Scales the parts to the thread's time; the loader's work gets the rest. */
static struct meter extrapolated(const struct meter *meter)
{
	struct meter all = *meter;
	double sum = 0, scale;

	each_cost(&all, extrapolate, &sum);
	scale = sum > 0 ? (double)all.cpu_ns / sum : 0;
	each_cost(&all, scale_cpu, &scale);
	sum = 0;
	each_cost(&all, add_cpu, &sum);
	if ((double)all.cpu_ns > sum)
		all.hand.cpu_ns += all.cpu_ns - (uint64_t)sum;
	return all;
}

/* Returns the wall time without waiting. */
static double active_ns(const struct meter *meter)
{
	const uint64_t waited = meter->for_data.ns + meter->for_room.ns;

	return meter->wall_ns > waited ? (double)(meter->wall_ns - waited) : 0;
}

static void add_phase(struct phase_row *row, const struct activity_cost *cost,
    uint64_t calls, uint64_t bytes)
{
	row->cpu_ns += cost->cpu_ns;
	row->wall_ns += cost->wall_ns;
	row->calls += calls;
	row->bytes += bytes;
}

static void add_waits(struct loader_trace *trace, const struct meter *meter)
{
	struct phase_row *row = &trace->phases[PHASE_WAIT];

	row->wall_ns += meter->for_data.ns + meter->for_room.ns;
	row->calls += meter->for_data.calls + meter->for_room.calls;
	trace->starved_ns += meter->for_data.ns;
	trace->cpu_ns += meter->cpu_ns;
}

/*
 * The timed laps of a worker are short and rarely interrupted, so its wall time
 * is divided in the same proportions as its CPU time.
 */
static void set_wall(struct activity_cost *cost, double *per_cpu)
{
	cost->wall_ns = (uint64_t)((double)cost->cpu_ns * *per_cpu);
}

static void add_worker(struct loader_trace *trace, const struct meter *own)
{
	struct meter all = extrapolated(own);
	struct phase_row *phases = trace->phases;
	double per_cpu = all.cpu_ns ? active_ns(own) / (double)all.cpu_ns : 0;

	each_cost(&all, set_wall, &per_cpu);
	for (unsigned s = 0; s < PIPELINE_STEPS; s++) {
		struct activity_cost *step = &all.chain.steps[s];

		activity_cost_add(&trace->chain.steps[s], step);
		add_phase(
		    &phases[PHASE_STEPS], step, step->calls, step->bytes_out);
	}
	activity_cost_add(&trace->chain.codec, &all.chain.codec);
	activity_cost_add(&trace->chain.copy, &all.chain.copy);
	activity_cost_add(&trace->unpack, &all.unpack);
	activity_cost_add(&trace->parse, &all.parse);
	trace->chain.samples += all.chain.samples;
	trace->chain.again += all.chain.again;
	add_phase(&phases[PHASE_DECOMPRESS], &all.unpack, all.unpack.calls,
	    all.unpack.bytes_out);
	add_phase(&phases[PHASE_DECOMPRESS], &all.chain.codec,
	    all.chain.codec.calls, all.chain.codec.bytes_out);
	add_phase(&phases[PHASE_PARSE], &all.parse, all.parse.calls,
	    all.parse.bytes_out);
	add_phase(&phases[PHASE_BATCH], &all.chain.copy, 0, 0);
	add_phase(
	    &phases[PHASE_BATCH], &all.hand, all.chain.samples, all.delivered);
	add_waits(trace, own);
}

/* Adds a fetcher: only opening and reading may wait for the storage. */
static void add_fetcher(struct loader_trace *trace, const struct meter *own)
{
	struct meter all = extrapolated(own);
	struct phase_row *phases = trace->phases;
	const double active = active_ns(own);
	const double known = (double)(all.open.wall_ns + all.read.wall_ns);
	const double scale = known > active ? active / known : 1;

	all.open.wall_ns = (uint64_t)((double)all.open.wall_ns * scale);
	all.read.wall_ns = (uint64_t)((double)all.read.wall_ns * scale);
	all.hand.wall_ns = (uint64_t)(active - known * scale);
	add_phase(&phases[PHASE_OPEN], &all.open, all.open.calls, 0);
	add_phase(
	    &phases[PHASE_READ], &all.read, all.read.calls, all.read.bytes_out);
	add_phase(&phases[PHASE_BATCH], &all.hand, 0, 0);
	add_waits(trace, own);
}

/*
 * Where samples are files, fetching opens files, too: moves the medium's
 * opening time, less that of opening streams, from reading to opening.
 */
static void split_reading(
    struct phase_row *phases, const struct medium_times *times)
{
	struct phase_row *open = &phases[PHASE_OPEN],
	                 *read = &phases[PHASE_READ];
	double opening, share;
	uint64_t wall_ns, cpu_ns;

	if (times->requests)
		read->calls = times->requests;
	if (times->open_ns <= open->wall_ns)
		return;
	opening = (double)(times->open_ns - open->wall_ns);
	share = opening / (opening + (double)times->read_ns);
	wall_ns = (uint64_t)((double)read->wall_ns * share);
	cpu_ns = (uint64_t)((double)read->cpu_ns * share);
	open->wall_ns += wall_ns;
	open->cpu_ns += cpu_ns;
	open->calls = times->opened;
	read->wall_ns -= wall_ns;
	read->cpu_ns -= cpu_ns;
}

void loader_get_trace(const struct loader *loader, struct loader_trace *trace)
{
	*trace = (struct loader_trace){ .wall_ns = loader->wall_ns };
	for (unsigned i = 0; i < loader->plan.fetchers; i++)
		add_fetcher(trace, &loader->fetchers[i].meter);
	for (unsigned i = 0; i < loader->plan.threads; i++)
		add_worker(trace, &loader->workers[i].meter);
	split_reading(trace->phases, &loader->times);
	trace->phases[PHASE_WAIT].wall_ns += loader->waits.ns;
	trace->phases[PHASE_WAIT].calls += loader->waits.calls;
}

void loader_add_trace(struct loader_trace *sum, const struct loader_trace *more)
{
	for (unsigned i = 0; i < PIPELINE_STEPS; i++)
		activity_cost_add(&sum->chain.steps[i], &more->chain.steps[i]);
	activity_cost_add(&sum->chain.codec, &more->chain.codec);
	activity_cost_add(&sum->chain.copy, &more->chain.copy);
	activity_cost_add(&sum->unpack, &more->unpack);
	activity_cost_add(&sum->parse, &more->parse);
	sum->chain.samples += more->chain.samples;
	sum->chain.again += more->chain.again;
	for (unsigned p = 0; p < PHASE_COUNT; p++) {
		sum->phases[p].wall_ns += more->phases[p].wall_ns;
		sum->phases[p].cpu_ns += more->phases[p].cpu_ns;
		sum->phases[p].calls += more->phases[p].calls;
		sum->phases[p].bytes += more->phases[p].bytes;
	}
	sum->wall_ns += more->wall_ns;
	sum->cpu_ns += more->cpu_ns;
	sum->starved_ns += more->starved_ns;
}
