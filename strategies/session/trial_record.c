/* trial_record.c - see trial_record.h. */
#include "strategies/session/trial_record.h"

#include "lib/steps/step.h"

static struct step_row step_row(const char *name, const char *step,
    const struct effort *effort, uint64_t samples)
{
	return (struct step_row){
		.name = name,
		.step = step,
		.cpu_ns = effort->cpu_ns,
		.samples = samples,
		.calls = effort->calls,
		.bytes_in = effort->bytes_in,
		.bytes_out = effort->bytes_out,
	};
}

size_t trial_step_rows(const struct trial_plan *trial,
    const struct trial_result *result, struct step_row rows[TRIAL_STEP_ROWS])
{
	const struct pipeline *pipeline = trial->loading.pipeline;
	const struct loader_trace *trace = &result->trace;
	const uint64_t n = trace->chain.samples;
	struct effort unpack = trace->unpack;
	size_t count = 0;

	unpack.cpu_ns += trace->chain.codec.cpu_ns;
	rows[count++] = step_row("unpack", trial->reader->codec, &unpack, n);
	rows[count++] = step_row("parse", "", &trace->parse, n);
	for (unsigned i = loading_from(&trial->loading); i < pipeline->count;
	     i++)
		rows[count++] = step_row(pipeline->steps[i].name,
		    pipeline->steps[i].ops->name, &trace->chain.steps[i], n);
	rows[count++] = step_row("copy", "", &trace->chain.copy, n);
	return count;
}
