/* command.c - the command that writes the winner; see findings.h. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/session_data.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/syntax/shell.h"

/* Keeps letters that need no quotes; each run of others becomes a '-'. */
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
static int append_folder(struct buf *out, const struct session_data *data,
    const char *strategy, struct error *err)
{
	static const char plainly[] = "/none";
	const struct grid *trials = &data->trials;
	const char *pipeline =
	    trials->row_count ? grid_text(trials, 0, "pipeline") : "";
	size_t len = strlen(strategy);
	char label[RESULTS_LABEL];

	if (span_ends_with(span_text(strategy), plainly))
		len -= strlen(plainly);
	snprintf(label, sizeof(label), "%.*s", (int)len, strategy);
	while (*pipeline && !isalnum((unsigned char)*pipeline))
		pipeline++;
	if (append_name(out, *pipeline ? pipeline : "dataset", err) ||
	    buf_printf(out, err, "-"))
		return -1;
	return append_name(out, label, err);
}

unsigned recommend_shards(const struct figures *trial)
{
	const struct load_figures *load = &trial->load;
	const double shards = load->numbers[LOAD_NUMBER_SHARDS];

	return (load->differs & (1U << LOAD_NUMBER_SHARDS)) && shards > 0
	           ? (unsigned)shards
	           : 0;
}

/* Is it what presto materialize writes without being told? */
static bool is_default(
    const struct session_data *data, const struct figures *trial)
{
	struct error ignored = ERROR_INIT;
	struct recommend_choice choice;

	return data->is_kept &&
	       recommend_default(data, &choice, &ignored) == 0 &&
	       strcmp(choice.label, trial->strategy) == 0 &&
	       choice.shards == recommend_shards(trial);
}

/* " --strategy raw/tar/none --shards 8" */
static int append_strategy(
    struct buf *out, const struct figures *trial, struct error *err)
{
	const unsigned shards = recommend_shards(trial);

	if (buf_printf(out, err, " --strategy ") ||
	    shell_word(out, trial->strategy, err))
		return -1;
	return shards ? buf_printf(out, err, " --shards %u", shards) : 0;
}

int recommend_next(struct buf *out, const struct session_data *data,
    const struct figures *trial, struct error *err)
{
	if (buf_printf(out, err, "presto materialize"))
		return -1;
	if (data->is_kept && buf_printf(out, err, "%s", data->options))
		return -1;
	if (!data->is_kept && (buf_printf(out, err, " ") ||
	                          shell_operand(out, data->pipeline, err)))
		return -1;
	if (!is_default(data, trial) && append_strategy(out, trial, err))
		return -1;
	if (buf_printf(out, err, " --out "))
		return -1;
	return append_folder(out, data, trial->strategy, err);
}
