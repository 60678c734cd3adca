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

void pace_init(struct pace *pace)
{
	*pace = (struct pace){ .every = 1, .gap = 1 };
}

void stopwatch_begin_round(struct stopwatch *watch, struct pace *pace)
{
	watch->pace = pace;
	watch->laps = 0;
	watch->checks = 0;
	watch->given_ns = 0;
	watch->spent_ns = 0;
	watch->cpu_start_ns = clock_now(watch->cpu);
	watch->at_ns = clock_now(watch->wall);
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
    const struct stopwatch *watch, struct effort *effort, uint64_t cpu_ns)
{
	effort->cpu_ns += cpu_ns * watch->pace->every;
	effort->timed += watch->pace->every;
}

void stopwatch_take(struct stopwatch *watch, struct effort *effort)
{
	stopwatch_give(watch, effort, stopwatch_read(watch));
	effort->wall_ns += watch->lap_ns * watch->pace->every;
}

/* Decides how many rounds the next timed one stands for. */
static void set_pace(struct pace *pace)
{
	const uint64_t aim = CLOCKS_SHARE * pace->clock_ns;

	pace->every = pace->round_ns ? aim / pace->round_ns + 1 : EVERY_MOST;
	if (pace->every > EVERY_MOST)
		pace->every = EVERY_MOST;
}

void stopwatch_end_round(struct stopwatch *watch)
{
	struct pace *pace = watch->pace;

	pace->timed++;
	pace->rounds++;
	pace->round_ns += watch->spent_ns;
	pace->clock_ns += (watch->laps + 1) * watch->wall_cost +
	                  (watch->checks + 1) * watch->cpu_cost;
	if (pace->timed >= FIRST_ROUNDS)
		set_pace(pace);
	if (pace->rounds == FORGET_AFTER) {
		pace->rounds /= 2;
		pace->round_ns /= 2;
		pace->clock_ns /= 2;
	}
	/* From 1 to 2 * every - 1; `every` on average. */
	pace->gap = 1;
	if (pace->every > 1)
		pace->gap += random_below(
		    &watch->random, (uint32_t)(2 * pace->every - 1));
}

/* Extrapolates `ns` from timed calls to all calls. */
static uint64_t for_all(uint64_t ns, const struct effort *effort)
{
	return (uint64_t)((double)ns * (double)effort->calls /
	                  (double)effort->timed);
}

void effort_settle(struct effort *effort)
{
	if (!effort->timed)
		return;
	effort->cpu_ns = for_all(effort->cpu_ns, effort);
	effort->wall_ns = for_all(effort->wall_ns, effort);
	effort->timed = effort->calls;
}

void effort_add(struct effort *sum, const struct effort *more)
{
	sum->calls += more->calls;
	sum->bytes_in += more->bytes_in;
	sum->bytes_out += more->bytes_out;
	sum->cpu_ns += more->cpu_ns;
	sum->wall_ns += more->wall_ns;
	sum->timed += more->timed;
}
