/* words.c - see words.h. */
#include "cmd/demand/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd/demand/job.h"
#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/units.h"

/* If all parts together are slower than this part of the demand, say so. */
static const double uneven = 0.9;

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- from the loaders ---- */

static void say_counted(const struct demand *demand)
{
	char pause[UNITS_TEXT];

	cmd_note("counted: %" PRIu64 " samples in %" PRIu64 " batches, %" PRIu64
	         " epoch%s, %u process%s; without the first %" PRIu64
	         " batch%s, and %s between epochs",
	    demand->samples, demand->batches, demand->epochs,
	    plural(demand->epochs), demand->processes,
	    demand->processes == 1 ? "" : "es", demand->left_out,
	    demand->left_out == 1 ? "" : "es",
	    units_time(demand->pause_s, pause));
	if (demand->others)
		cmd_note(
		    "not counted: %u dataset%s of which the job took fewer "
		    "samples",
		    demand->others, plural(demand->others));
}

static void say_exact(const struct demand *demand)
{
	char wanted[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];
	char taken[UNITS_TEXT];

	cmd_note("demand: %s samples/s (%s to %s) if the job never waited for "
	         "data",
	    units_number(demand->samples_per_s, wanted),
	    units_number(demand->low, low), units_number(demand->high, high));
	cmd_note(
	    "it took %s samples/s, and waited for data %.0f %% of the time",
	    units_number(demand->taken_per_s, taken), 100 * demand->waited);
	say_counted(demand);
	if (demand->taken_per_s <
	    uneven * (1 - demand->waited) * demand->samples_per_s)
		cmd_note("its batches take unlike times, in the mean longer: "
		         "pauses, or a job that was too short to tell");
}

/* ---- from the outside ---- */

static void say_processes(const struct process_tree_figures *figures)
{
	const double seconds = 1e-9 * (double)figures->time_ns;
	char time[UNITS_TEXT], read[UNITS_TEXT], storage[UNITS_TEXT];

	if (!figures->time_ns) {
		cmd_note("it was too short to be looked at");
		return;
	}
	cmd_note("in its last %s, %u process%s used %.2f cores, read %s/s, and "
	         "%s/s of it from a storage",
	    units_time(seconds, time), figures->processes,
	    figures->processes == 1 ? "" : "es",
	    (double)figures->sum.cpu_ns / (double)figures->time_ns,
	    units_bytes((double)figures->sum.read_bytes / seconds, read),
	    units_bytes((double)figures->sum.storage_bytes / seconds, storage));
	if (figures->readers)
		cmd_note("processes that read: %u, active for %.0f %% of the "
		         "time together",
		    figures->readers,
		    100 * (double)figures->active_ns /
		        (double)figures->time_ns);
}

static void say_bounds(const struct demand_bounds *bounds)
{
	char low[UNITS_TEXT], high[UNITS_TEXT];

	units_number(bounds->low, low);
	if (isinf(bounds->high))
		cmd_note(
		    "demand: at least %s samples/s, at most unknown: the job "
		    "may have waited for data all the time",
		    low);
	else
		cmd_note("demand: %s to %s samples/s, if it reads files, and "
		         "neither maps them nor has them from a network",
		    low, units_number(bounds->high, high));
}

static void say_outside(const struct finding *finding)
{
	cmd_note("no batch of presto.Loader was seen, so the job is known from "
	         "the outside only");
	say_processes(&finding->processes);
	if (finding->samples)
		say_bounds(&finding->bounds);
	else
		cmd_note(
		    "demand: unknown; --samples N tells how many samples the "
		    "job takes, and gives bounds");
}

void finding_say(const struct finding *finding)
{
	if (finding->is_exact)
		say_exact(&finding->demand);
	else
		say_outside(finding);
}

/* ---- the end ---- */

int job_end_say(const struct job_end *end, struct error *err)
{
	char time[UNITS_TEXT];

	units_time(end->seconds, time);
	if (end->was_interrupted)
		return error_set(err, ERROR_INTERRUPTED,
		    "interrupted after %s; the demand is that until then",
		    time);
	if (end->was_over_budget) {
		cmd_note("the job was ended after %s, its --budget", time);
		return 0;
	}
	if (WIFSIGNALED(end->status))
		return error_set(err, ERROR_DATA,
		    "the job was ended by signal %d (%s) after %s",
		    WTERMSIG(end->status), strsignal(WTERMSIG(end->status)),
		    time);
	if (WEXITSTATUS(end->status))
		return error_set(err, ERROR_DATA,
		    "the job ended with status %d after %s",
		    WEXITSTATUS(end->status), time);
	cmd_note("the job ended with status 0 after %s", time);
	return 0;
}

/* ---- the file ---- */

bool finding_has_demand(const struct finding *finding)
{
	return finding->is_exact || finding->samples > 0;
}

static void print_exact(const struct demand *demand, FILE *out)
{
	terminal_line(out,
	    "# %.6g samples/s (%.6g to %.6g) if it never waited for data",
	    demand->samples_per_s, demand->low, demand->high);
	terminal_line(out, "# it took %.6g, and waited %.3g %% of the time",
	    demand->taken_per_s, 100 * demand->waited);
	fputc('\n', out);
	demand_print(
	    demand->samples_per_s, demand->batch, demand->processes, out);
}

static void print_bounds(const struct demand_bounds *bounds, FILE *out)
{
	const bool is_bounded = !isinf(bounds->high);

	if (is_bounded)
		terminal_line(out,
		    "# from the outside: %.6g to %.6g samples/s; below is the "
		    "upper bound",
		    bounds->low, bounds->high);
	else
		terminal_line(out,
		    "# from the outside: at least %.6g samples/s, which is "
		    "below; the upper bound is unknown",
		    bounds->low);
	terminal_line(out, "# batches are not known, and do not matter for it");
	fputc('\n', out);
	demand_print(is_bounded ? bounds->high : bounds->low, 1, 1, out);
}

int finding_print(const void *arg, FILE *out, struct error *err)
{
	const struct finding *finding = arg;
	char now[CLOCK_TEXT];

	UNUSED(err);
	clock_utc(now);
	terminal_line(out, "# the demand of a job, by presto demand, %s", now);
	if (finding->is_exact)
		print_exact(&finding->demand, out);
	else
		print_bounds(&finding->bounds, out);
	return 0;
}
