/* next.c - see next.h. */
#include "cmd/report/next.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/program/cmd.h"
#include "cmd/program/private.h"
#include "cmd/report/session_data.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/syntax/shell.h"

/* Usually enough to settle what a short session left open. */
static const double least_minutes = 3;

/* Do both name the same file? */
static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;

	if (strcmp(a, b) == 0)
		return true;
	return stat(a, &one) == 0 && stat(b, &other) == 0 &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

int next_options(struct buf *out, struct results *results, int64_t session,
    struct error *err)
{
	const char *path = results_path(results);
	int64_t newest = 0;

	if (!is_same_file(path, cmd_database(NULL)) &&
	    (buf_printf(out, err, " --db ") ||
	        shell_word(
	            out, results_hides(results) ? PRIVATE_FILE : path, err)))
		return -1;
	if (results_pick_session(results, 0, &newest, err))
		return -1;
	return session == newest ? 0
	                         : buf_printf(out, err, " --session %lld",
	                               (long long)session);
}

int next_options_from(
    struct buf *out, const char *path, int64_t session, struct error *err)
{
	if (buf_printf(out, err, " --from ") || shell_word(out, path, err))
		return -1;
	return session
	           ? buf_printf(out, err, " --session %lld", (long long)session)
	           : 0;
}

int next_measure(
    struct buf *out, const struct session_data *data, struct error *err)
{
	const double minutes =
	    fmax(least_minutes, ceil(2 * data->elapsed_s / 60));

	if (buf_printf(out, err, "presto profile "))
		return -1;
	if (!data->is_kept && shell_operand(out, data->pipeline, err))
		return -1;
	return buf_printf(out, err, "%s --budget %.0fm%s",
	    data->is_kept ? "--resume" : "", minutes,
	    data->is_kept ? data->options : "");
}
