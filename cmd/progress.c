/* progress.c - see progress.h. */
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

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){
		.terminal = isatty(STDERR_FILENO),
		.start_ns = clock_now(&clock_monotonic),
		.left_s = -1,
	};
}

/* By what the done part took; smoothed, so that it does not jump. */
static double time_left(struct progress *progress, double done, double all)
{
	const double elapsed_s =
	    (double)(clock_now(&clock_monotonic) - progress->start_ns) / 1e9;
	const double left_s = done > 0 ? elapsed_s * (all - done) / done : -1;

	if (progress->left_s < 0 || left_s < 0)
		progress->left_s = left_s;
	else
		progress->left_s += 0.1 * (left_s - progress->left_s);
	return progress->left_s;
}

static void show_line(
    struct progress *progress, double done, double all, const char *what)
{
	const uint64_t now = clock_now(&clock_monotonic);
	const double left_s = time_left(progress, done, all);
	const double percent = all > 0 ? 100 * done / all : 0;
	char left[UNITS_TEXT];

	if (now - progress->shown_ns < show_every_ns)
		return;
	progress->shown_ns = now;
	fprintf(stderr, "\r\033[K%3.0f %%  %.60s", percent < 100 ? percent : 99,
	    what);
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
	fprintf(stderr, "presto: %3.0f %%: %s\n",
	    all > 0 && done < all ? 100 * done / all : 99.0, what);
}

void progress_clear(struct progress *progress)
{
	if (progress->terminal && progress->shown_ns)
		fprintf(stderr, "\r\033[K");
	progress->shown_ns = 0;
}
