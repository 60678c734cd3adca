/* progress.c - see progress.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/program/progress.h"
#include "cmd/program/terminal.h"
#include "lib/base/clock.h"
#include "lib/base/printable.h"
#include "lib/base/units.h"

/* A terminal's line is updated every 0.1 s; elsewhere lines stay. */
static const uint64_t show_every_ns = 100000000;
static const uint64_t line_least_ns = 250000000, line_most_ns = 60000000000;
static const double line_percent = 10;

/* No estimate before 2 % of the work is done and 1 s has passed. */
static const double least_share = 0.02, least_s = 1;
/*
 * The estimate follows recent work: it forgets within 30 s, or within a fifth
 * of the time since the start if that is longer.
 */
static const double memory_s = 30, memory_share = 0.2;

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){ .out = stderr,
		.clock = &clock_monotonic,
		.columns = terminal_columns(stderr) };
}

double progress_left(
    struct progress *progress, uint64_t now_ns, double done, double all)
{
	double age_s, step_s, kept;

	if (progress->start_ns == 0) {
		if (done <= 0)
			return -1;
		progress->start_ns = progress->last_ns = now_ns;
		progress->start_done = progress->last_done = done;
	}
	age_s = (double)(now_ns - progress->start_ns) / 1e9;
	step_s = (double)(now_ns - progress->last_ns) / 1e9;
	kept = exp(-step_s / fmax(memory_s, memory_share * age_s));
	progress->took_s = kept * progress->took_s + step_s;
	progress->did = kept * progress->did + done - progress->last_done;
	progress->last_ns = now_ns;
	progress->last_done = done;
	if (done >= all || age_s < least_s || progress->did <= 0 ||
	    done - progress->start_done < least_share * all)
		return -1;
	return progress->took_s * (all - done) / progress->did;
}

/* Percent done, rounded down; 100 only at the end. */
static double percent(double done, double all)
{
	return done < 0.99 * all ? floor(100 * done / all) : 99;
}

/* Rewrites the line of a terminal, cut to its width. */
static void write_again(const struct progress *progress, double done,
    double all, const char *what, const char *left)
{
	const size_t rest = 2 + strlen(left), taken = strlen("100 %  ");
	const size_t room = progress->columns > taken + rest
	                        ? progress->columns - taken - rest
	                        : 0;

	fprintf(progress->out, "\r\033[K%3.0f %%  ", percent(done, all));
	printable_write(what, printable_fits(what, room), progress->out);
	fprintf(progress->out, "%s%s", *left ? "  " : "", left);
	fflush(progress->out);
}

/* Is a new line due, where lines stay? */
static bool is_due(
    const struct progress *progress, uint64_t now_ns, double share)
{
	const uint64_t since_ns = now_ns - progress->shown_ns;

	if (!progress->shown_ns)
		return true;
	if (since_ns >= line_most_ns)
		return true;
	return since_ns >= line_least_ns &&
	       floor(share / line_percent) >
	           floor(progress->shown_percent / line_percent);
}

void progress_show(
    struct progress *progress, double done, double all, const char *what)
{
	const uint64_t now = clock_now(progress->clock);
	const double left_s = progress_left(progress, now, done, all);
	char time[UNITS_TEXT], left[UNITS_TEXT + 16] = "";

	if (left_s >= 0)
		snprintf(left, sizeof(left),
		    progress->columns ? "(%s left)" : ", about %s left",
		    units_rough_time(left_s, time));
	if (progress->columns) {
		if (now - progress->shown_ns < show_every_ns)
			return;
		write_again(progress, done, all, what, left);
	} else {
		if (!is_due(progress, now, percent(done, all)))
			return;
		terminal_line(progress->out, "presto: %3.0f %%: %s%s",
		    percent(done, all), what, left);
		progress->shown_percent = percent(done, all);
	}
	progress->shown_ns = now;
}

void progress_clear(struct progress *progress)
{
	if (!progress->columns)
		return;
	if (progress->shown_ns)
		fprintf(progress->out, "\r\033[K");
	progress->shown_ns = 0;
}
