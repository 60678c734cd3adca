/* words.c - see words.h. */
#include "cmd/materialize/words.h"

#include <stdio.h>

#include "cmd/materialize/work.h"
#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "cmd/project/order_words.h"
#include "cmd/project/project.h"
#include "lib/base/units.h"
#include "lib/sample/reader.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/plan.h"
#include "strategies/prepare/materialize.h"

void materialize_tell(const struct materialize_args *args,
    const struct materialize_work *work, const struct materialized *done,
    unsigned shards)
{
	const struct project *project = work->project;
	char size[UNITS_TEXT], time[UNITS_TEXT], order[ORDER_WORDS];

	units_bytes((double)done->storage_bytes, size);
	if (done->was_complete) {
		terminal_print(stdout, "",
		    "%s: complete already, %s; nothing was written", args->out,
		    size);
		return;
	}
	terminal_print(stdout, "",
	    "%s: %llu sample%s as %s in %u shard%s, %s, %s, read back and "
	    "checked; %llu written in %s",
	    args->out, (unsigned long long)done->samples,
	    done->samples == 1 ? "" : "s", work->strategy.label, shards,
	    shards == 1 ? "" : "s",
	    order_words(
	        &project->plan.strategies.order, project->source, order),
	    size, (unsigned long long)done->made.samples,
	    units_time((double)done->made.wall_ns / 1e9, time));
	if (done->made.filtered)
		cmd_note("filters dropped %llu samples",
		    (unsigned long long)done->made.filtered);
	if (done->mended)
		cmd_warn("%u shard%s damaged, and written again", done->mended,
		    done->mended == 1 ? " was" : "s were");
}

void materialize_foresee(
    const struct materialize_args *args, struct materialize_work *work)
{
	const struct project *project = work->project;
	const unsigned threads = work_threads(args, work);
	const unsigned shards = work_shards(args, work);
	const double bytes = work_bytes(work);
	char size[UNITS_TEXT], each[UNITS_TEXT], time[UNITS_TEXT];
	const struct footprint footprint = work_footprint(args, work);
	char order[ORDER_WORDS], memory[UNITS_TEXT];
	struct prediction p;

	work->model->sync = sync_cost_measure(NULL);
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
	terminal_line(stdout, "  size    about %s", units_bytes(bytes, size));
	terminal_line(stdout, "  time    about %s on %u thread%s",
	    units_rough_time(p.prep_s, time), threads, threads == 1 ? "" : "s");
	terminal_line(stdout, "  memory  about %s",
	    units_bytes(footprint_bytes(&footprint), memory));
	terminal_print(stdout, "  order   ", "%s",
	    order_cost_words(work->model, threads, order));
}
