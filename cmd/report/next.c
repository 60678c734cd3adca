/* next.c - see next.h. */
#include "cmd/report/next.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/program/cmd.h"
#include "cmd/program/private.h"
#include "cmd/recommend/parts.h"
#include "cmd/report/evidence.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/syntax/shell.h"

/* That settle what a short session left open, as a rule. */
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
    struct buf *out, const struct evidence *evidence, struct error *err)
{
	const double minutes =
	    fmax(least_minutes, ceil(2 * evidence->elapsed_s / 60));

	if (buf_printf(out, err, "presto profile "))
		return -1;
	if (!evidence->is_kept && shell_operand(out, evidence->pipeline, err))
		return -1;
	return buf_printf(out, err, "%s --budget %.0fm%s",
	    evidence->is_kept ? "--resume" : "", minutes,
	    evidence->is_kept ? evidence->options : "");
}

/* Letters that need no quotes, each run of others as one '-'. */
static int append_name(struct buf *out, const char *text, struct error *err)
{
	bool dash = false;

	for (; *text; text++) {
		const bool plain =
		    isalnum((unsigned char)*text) || strchr("._+", *text);

		if (!plain && dash)
			continue;
		dash = !plain;
		if (buf_printf(out, err, "%c", plain ? *text : '-'))
			return -1;
	}
	return 0;
}

/* "photos-resized-tar-zstd-1", for "resized/tar/zstd:1" of photos. */
static int append_folder(struct buf *out, const struct evidence *evidence,
    const char *strategy, struct error *err)
{
	static const char plainly[] = "/none";
	const struct grid *trials = &evidence->trials;
	const char *pipeline =
	    trials->row_count ? grid_text(trials, 0, "pipeline") : "";
	size_t len = strlen(strategy);
	char label[RESULTS_LABEL];

	if (len >= strlen(plainly) &&
	    strcmp(strategy + len - strlen(plainly), plainly) == 0)
		len -= strlen(plainly);
	snprintf(label, sizeof(label), "%.*s", (int)len, strategy);
	while (*pipeline && !isalnum((unsigned char)*pipeline))
		pipeline++;
	if (append_name(out, *pipeline ? pipeline : "dataset", err) ||
	    buf_printf(out, err, "-"))
		return -1;
	return append_name(out, label, err);
}

int next_materialize(struct buf *out, const struct evidence *evidence,
    const char *strategy, struct error *err)
{
	struct error ignored = ERROR_INIT;
	char label[RESULTS_LABEL];
	const bool is_default =
	    evidence->is_kept &&
	    recommend_default(evidence, label, &ignored) == 0 &&
	    strcmp(label, strategy) == 0;

	if (buf_printf(out, err, "presto materialize"))
		return -1;
	if (evidence->is_kept && buf_printf(out, err, "%s", evidence->options))
		return -1;
	if (!evidence->is_kept &&
	    (buf_printf(out, err, " ") ||
	        shell_operand(out, evidence->pipeline, err)))
		return -1;
	if (!is_default && (buf_printf(out, err, " --strategy ") ||
	                       shell_word(out, strategy, err)))
		return -1;
	if (buf_printf(out, err, " --out "))
		return -1;
	return append_folder(out, evidence, strategy, err);
}
