/* words.c - see words.h. */
#include "cmd/materialize/words.h"

#include <stdio.h>
#include <string.h>

#include "cmd/materialize/work.h"
#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "cmd/project/order_words.h"
#include "cmd/project/project.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/process/part.h"
#include "lib/sample/reader.h"
#include "lib/syntax/shell.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/predict.h"
#include "strategies/parts/job.h"
#include "strategies/parts/parts.h"
#include "strategies/plan/plan.h"
#include "strategies/prepare/materialize.h"

enum { SHARD_WORDS = 64, HOW_WORDS = 96 };

/* Says what the folder holds now, and `how` it was made. */
static void tell_folder(const struct materialize_work *work, const char *out,
    uint64_t samples, uint64_t bytes, unsigned shards, const char *how)
{
	const struct project *project = work->project;
	char size[UNITS_TEXT], order[ORDER_WORDS];

	terminal_print(stdout, "",
	    "%s: %llu sample%s as %s in %u shard%s, %s, %s, %s", out,
	    (unsigned long long)samples, samples == 1 ? "" : "s",
	    work->strategy.label, shards, shards == 1 ? "" : "s",
	    order_words(
	        &project->plan.strategies.order, project->source, order),
	    units_bytes((double)bytes, size), how);
}

static void tell_filtered(uint64_t samples)
{
	if (samples)
		cmd_note("filters dropped %llu samples",
		    (unsigned long long)samples);
}

void materialize_tell_mended(unsigned shards)
{
	if (shards)
		cmd_warn("%u shard%s read back damaged, and written again",
		    shards, shards == 1 ? " was" : "s were");
}

void materialize_tell(const struct materialize_args *args,
    const struct materialize_work *work, const struct materialized *done,
    unsigned shards)
{
	char how[HOW_WORDS], size[UNITS_TEXT], time[UNITS_TEXT];

	if (done->was_complete) {
		terminal_print(stdout, "",
		    "%s: complete already, %s; nothing was written", args->out,
		    units_bytes((double)done->storage_bytes, size));
		return;
	}
	snprintf(how, sizeof(how), "read back and checked; %llu written in %s",
	    (unsigned long long)done->made.samples,
	    units_time((double)done->made.wall_ns / 1e9, time));
	tell_folder(
	    work, args->out, done->samples, done->storage_bytes, shards, how);
	tell_filtered(done->made.filtered);
	if (done->mended)
		cmd_warn("%u shard%s damaged, and written again", done->mended,
		    done->mended == 1 ? " was" : "s were");
}

void materialize_tell_joined(const struct materialize_args *args,
    const struct materialize_work *work, const struct joined *joined,
    unsigned shards)
{
	char how[HOW_WORDS], size[UNITS_TEXT];

	if (joined->state == JOIN_COMPLETE) {
		terminal_print(stdout, "", "%s: complete already, %s",
		    args->out,
		    units_bytes((double)joined->storage_bytes, size));
		return;
	}
	if (joined->state != JOIN_DONE)
		return;
	snprintf(how, sizeof(how), "checked and joined from %u parts",
	    joined->parts);
	tell_folder(work, args->out, joined->samples, joined->storage_bytes,
	    shards, how);
	tell_filtered(joined->filtered);
	if (joined->skipped)
		cmd_note("the parts skipped %llu samples",
		    (unsigned long long)joined->skipped);
}

/* Says which parts are missing still, or who joins them. */
static void tell_others(
    const struct part_result *done, const char *out, const struct part *part)
{
	const struct joined *joined = &done->joined;

	if (joined->state == JOIN_ANOTHER)
		cmd_note("%s: another part is joining all %u; if that one is "
		         "killed, run any part again, or the command with "
		         "--finish",
		    out, part->count);
	else if (joined->state == JOIN_WAITS && joined->complete > 0)
		cmd_note(
		    "%s: %s%u of %u parts are complete; the last one joins "
		    "them",
		    out, part->count > JOIN_COUNTED ? "at least " : "",
		    joined->complete, part->count);
}

/* "no shards", "shard 000003" or "shards 000002 to 000003" */
static const char *shard_words(
    const struct part_result *done, char text[SHARD_WORDS])
{
	if (done->first == done->end)
		snprintf(text, SHARD_WORDS, "no shards");
	else if (done->first + 1 == done->end)
		snprintf(text, SHARD_WORDS, "shard %06u", done->first);
	else
		snprintf(text, SHARD_WORDS, "shards %06u to %06u", done->first,
		    done->end - 1);
	return text;
}

void materialize_tell_part(const struct materialize_args *args,
    const struct materialize_work *work, const struct part *part,
    const struct part_result *done, unsigned shards)
{
	char words[PART_WORDS], mine[SHARD_WORDS], time[UNITS_TEXT];

	part_words(part, words);
	if (done->joined.state == JOIN_COMPLETE && done->was_complete) {
		materialize_tell_joined(args, work, &done->joined, shards);
		return;
	}
	if (done->was_complete)
		terminal_print(stdout, "",
		    "%s: %s: complete already, %s of %u; nothing was written",
		    args->out, words, shard_words(done, mine), shards);
	else
		terminal_print(stdout, "",
		    "%s: %s: %llu sample%s in %s of %u, read back and checked; "
		    "%llu written in %s",
		    args->out, words, (unsigned long long)done->samples,
		    done->samples == 1 ? "" : "s", shard_words(done, mine),
		    shards, (unsigned long long)done->made.samples,
		    units_time((double)done->made.wall_ns / 1e9, time));
	if (done->first == done->end)
		cmd_warn("%s has nothing to do, since there are %u shards for "
		         "%u parts; --shards N makes more",
		    words, shards, part->count);
	materialize_tell_mended(done->mended);
	tell_filtered(done->made.filtered);
	tell_others(done, args->out, part);
	materialize_tell_joined(args, work, &done->joined, shards);
}

/* " OPTION VALUE", quoted for a shell; nothing without a value. */
static int add_option(
    struct buf *out, const char *option, const char *value, struct error *err)
{
	if (!value)
		return 0;
	return buf_printf(out, err, " %s ", option) ||
	               shell_word(out, value, err)
	           ? -1
	           : 0;
}

int materialize_part_command(struct buf *out,
    const struct materialize_args *args, const char *pipeline,
    struct error *err)
{
	if (buf_printf(out, err, "presto materialize") ||
	    (pipeline && (buf_printf(out, err, " ") ||
	                     shell_operand(out, pipeline, err))) ||
	    add_option(out, "--plan", args->plan, err) ||
	    add_option(out, "--db", args->db, err) ||
	    (args->session && buf_printf(out, err, " --session %llu",
	                          (unsigned long long)args->session)))
		return -1;
	for (size_t i = 0; i < args->sets.count; i++)
		if (add_option(out, "--set", args->sets.text[i], err))
			return -1;
	return add_option(out, "--out", args->out, err);
}

/* Says which shards this part would write. */
static void tell_share(const struct part *part, unsigned shards)
{
	const struct job job = { .shards = shards, .parts = part->count };
	struct part_result share = { .was_complete = false };
	char words[PART_WORDS], mine[SHARD_WORDS];

	if (part->count == 1)
		return;
	job_range(&job, part->index, &share.first, &share.end);
	terminal_line(stdout, "  part    %s: %s",
	    part_words(part, words) + strlen("part "),
	    shard_words(&share, mine));
}

void materialize_foresee(const struct materialize_args *args,
    struct materialize_work *work, const struct part *part)
{
	const struct project *project = work->project;
	const unsigned threads = work_threads(args, work);
	const unsigned shards = work_shards(args, work);
	const double bytes = work_bytes(work);
	char size[UNITS_TEXT], each[UNITS_TEXT], time[UNITS_TEXT];
	const struct footprint footprint =
	    work_footprint(work, threads, args->out);
	char order[ORDER_WORDS], memory[UNITS_TEXT];
	struct prediction p;

	work->model->sync = sync_cost_measure(NULL, 1);
	p = model_predict(work->model, &work->strategy,
	    &(struct load){
	        .samples = project->source->samples, .threads = threads });
	terminal_print(stdout, "",
	    "%s of %llu sample%s%s%s: nothing was written",
	    work->strategy.label, (unsigned long long)project->source->samples,
	    project->source->samples == 1 ? "" : "s", args->out ? " into " : "",
	    args->out ? args->out : "");
	terminal_line(stdout, "  shards  %u, about %s each", shards,
	    units_bytes(bytes / shards, each));
	tell_share(part, shards);
	terminal_line(stdout, "  size    about %s", units_bytes(bytes, size));
	terminal_line(stdout, "  time    about %s on %u thread%s",
	    units_rough_time(p.prep_s, time), threads, threads == 1 ? "" : "s");
	terminal_line(stdout, "  memory  about %s",
	    units_bytes(footprint_bytes(&footprint), memory));
	terminal_print(stdout, "  order   ", "%s",
	    order_cost_words(work->model, threads, order));
}
