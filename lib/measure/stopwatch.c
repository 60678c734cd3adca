/* stopwatch.c - see stopwatch.h. */
#include "lib/measure/stopwatch.h"

enum {
	FIRST_ROUNDS = 16,    /* rounds at the beginning that are all timed */
	FORGET_AFTER = 256,   /* rounds; then older ones count half */
	EVERY_MOST = 1 << 16, /* a timed round stands for at most this many */
	CLOCKS_SHARE = 50,    /* clocks take 1/50 of the time */
	CALIBRATIONS = 4,
	READINGS = 8,
	LONG_NS = 20000, /* longer laps are checked against the CPU clock */
};

/* Returns the time of one reading without disturbance. */
static uint64_t reading_cost(
    const struct clock *clock, const struct clock *wall)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < CALIBRATIONS; i++) {
		const uint64_t start = clock_now(wall);
		uint64_t each;

		for (unsigned k = 1; k < READINGS; k++)
			clock_now(clock);
		each = (clock_now(wall) - start) / READINGS;
		if (each < best)
			best = each;
	}
	return best;
}

void stopwatch_init(struct stopwatch *watch, const struct clock *wall,
    const struct clock *cpu, struct random random)
{
	*watch = (struct stopwatch){
		.wall = wall,
		.cpu = cpu,
		.wall_cost = reading_cost(wall, wall),
		.cpu_cost = reading_cost(cpu, wall),
		.random = random,
	};
}

void sampling_init(struct sampling *sampling)
{
	*sampling = (struct sampling){ .every = 1, .gap = 1 };
}

void stopwatch_begin_round(struct stopwatch *watch, struct sampling *sampling)
{
	watch->sampling = sampling;
	watch->laps = 0;
	watch->checks = 0;
	watch->given_ns = 0;
	watch->spent_ns = 0;
	watch->cpu_start_ns = clock_now(watch->cpu);
	watch->at_ns = clock_now(watch->wall);
	watch->shown_ns = watch->at_ns;
}

/* Returns the CPU time of this thread in a lap of `wall_ns`. */
static uint64_t check_lap(struct stopwatch *watch, uint64_t wall_ns)
{
	const uint64_t used = clock_now(watch->cpu) - watch->cpu_start_ns;
	const uint64_t before = watch->given_ns;

	watch->checks++;
	if (used < before)
		return 0;
	return used - before < wall_ns ? used - before : wall_ns;
}

uint64_t stopwatch_read(struct stopwatch *watch)
{
	const uint64_t now = clock_now(watch->wall);
	uint64_t ns;

	watch->lap_at_ns = watch->at_ns;
	watch->lap_ns = now - watch->at_ns;
	watch->at_ns = now;
	ns = watch->lap_ns;
	if (ns >= LONG_NS) {
		ns = check_lap(watch, ns);
		watch->at_ns = clock_now(watch->wall);
	}
	watch->given_ns += ns;
	ns = ns > watch->wall_cost ? ns - watch->wall_cost : 0;
	watch->spent_ns += ns;
	watch->laps++;
	return ns;
}

void stopwatch_give(
    const struct stopwatch *watch, struct activity_cost *cost, uint64_t cpu_ns)
{
	cost->cpu_ns += cpu_ns * watch->sampling->every;
	cost->timed += watch->sampling->every;
}

void stopwatch_give_part(struct stopwatch *watch, struct activity_cost *cost,
    uint64_t cpu_ns, uint64_t left_ns)
{
	const double share = left_ns > 0 ? (double)cpu_ns / (double)left_ns : 0;
	const uint64_t wall_ns =
	    (uint64_t)((double)(watch->at_ns - watch->shown_ns) * share);

	stopwatch_give(watch, cost, cpu_ns);
	event_log_add(
	    watch->log, cost, watch->shown_ns, watch->shown_ns + wall_ns);
	watch->shown_ns += wall_ns;
}

void stopwatch_show(struct stopwatch *watch, const struct activity_cost *cost)
{
	event_log_add(watch->log, cost, watch->lap_at_ns,
	    watch->lap_at_ns + watch->lap_ns);
	watch->shown_ns = watch->at_ns;
}

void stopwatch_take(struct stopwatch *watch, struct activity_cost *cost)
{
	stopwatch_give(watch, cost, stopwatch_read(watch));
	cost->wall_ns += watch->lap_ns * watch->sampling->every;
	stopwatch_show(watch, cost);
}

void stopwatch_take_begun(struct stopwatch *watch, struct activity_cost *cost)
{
	cost->cpu_ns += stopwatch_read(watch) * watch->sampling->every;
	stopwatch_show(watch, cost);
}

/* Decides how many rounds the next timed one stands for. */
static void set_pace(struct sampling *sampling)
{
	const uint64_t aim = CLOCKS_SHARE * sampling->clock_ns;

	sampling->every =
	    sampling->round_ns ? aim / sampling->round_ns + 1 : EVERY_MOST;
	if (sampling->every > EVERY_MOST)
		sampling->every = EVERY_MOST;
}

void stopwatch_end_round(struct stopwatch *watch)
{
	struct sampling *sampling = watch->sampling;

	sampling->timed++;
	sampling->rounds++;
	sampling->round_ns += watch->spent_ns;
	sampling->clock_ns += (watch->laps + 1) * watch->wall_cost +
	                      (watch->checks + 1) * watch->cpu_cost;
	if (sampling->timed >= FIRST_ROUNDS && !event_log_is_open(watch->log))
		set_pace(sampling);
	if (sampling->rounds == FORGET_AFTER) {
		sampling->rounds /= 2;
		sampling->round_ns /= 2;
		sampling->clock_ns /= 2;
	}
	/* From 1 to 2 * every - 1; `every` on average. */
	sampling->gap = 1;
	if (sampling->every > 1)
		sampling->gap += random_below(
		    &watch->random, (uint32_t)(2 * sampling->every - 1));
}

/* Extrapolates `ns` from timed calls to all calls. */
static uint64_t for_all(uint64_t ns, const struct activity_cost *cost)
{
	return (
	    uint64_t)((double)ns * (double)cost->calls / (double)cost->timed);
}

void activity_cost_extrapolate(struct activity_cost *cost)
{
	if (!cost->timed)
		return;
	cost->cpu_ns = for_all(cost->cpu_ns, cost);
	cost->wall_ns = for_all(cost->wall_ns, cost);
	cost->timed = cost->calls;
}

void activity_cost_add(
    struct activity_cost *sum, const struct activity_cost *more)
{
	sum->calls += more->calls;
	sum->bytes_in += more->bytes_in;
	sum->bytes_out += more->bytes_out;
	sum->cpu_ns += more->cpu_ns;
	sum->wall_ns += more->wall_ns;
	sum->timed += more->timed;
}
