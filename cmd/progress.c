/* progress.c - see progress.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/progress.h"
#include "lib/base/clock.h"
#include "lib/base/units.h"

static const uint64_t show_every_ns = 100000000; /* on a terminal */
/* Elsewhere: of the same thing, and of another. */
static const uint64_t line_every_ns = 10000000000;
static const uint64_t new_line_every_ns = 2000000000;

/* Before that much was done in so long, what it took tells nothing. */
static const double least_share = 0.02, least_s = 1;
/* What is done now goes on, rather than what was; of that about so much. */
static const double memory_s = 30, memory_share = 0.2;

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){ .terminal = isatty(STDERR_FILENO) };
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

/* The last percent is not over before everything is. */
static double percent(double done, double all)
{
	return done < 0.99 * all ? floor(100 * done / all) : 99;
}

static void show_line(
    struct progress *progress, double done, double all, const char *what)
{
	const uint64_t now = clock_now(&clock_monotonic);
	const double left_s = progress_left(progress, now, done, all);
	char left[UNITS_TEXT];

	if (now - progress->shown_ns < show_every_ns)
		return;
	progress->shown_ns = now;
	fprintf(stderr, "\r\033[K%3.0f %%  %.60s", percent(done, all), what);
	if (left_s >= 0)
		fprintf(stderr, "  (%s left)", units_time(left_s, left));
	fflush(stderr);
}

void progress_show(
    struct progress *progress, double done, double all, const char *what)
{
	const uint64_t now = clock_now(&clock_monotonic);

	if (progress->terminal) {
		show_line(progress, done, all, what);
		return;
	}
	if (progress->shown_ns &&
	    now - progress->shown_ns < (strcmp(progress->what, what) == 0
	                                       ? line_every_ns
	                                       : new_line_every_ns))
		return;
	progress->shown_ns = now;
	snprintf(progress->what, sizeof(progress->what), "%s", what);
	fprintf(stderr, "presto: %3.0f %%: %s\n", percent(done, all), what);
}

void progress_clear(struct progress *progress)
{
	if (progress->terminal && progress->shown_ns)
		fprintf(stderr, "\r\033[K");
	progress->shown_ns = 0;
}
