/* sources.c - see sources.h. */
#include "strategies/session/sources.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"
#include "strategies/plan/strategy.h"
#include "strategies/session/session.h"

static int open_source(struct session_source *source,
    const struct session_plan *plan, struct error *err)
{
	source->reader = plan->source;
	if (!source->asked || source->asked >= plan->source->samples ||
	    !plan->fewer.open)
		return 0;
	source->own = plan->fewer.open(plan->fewer.arg, source->asked, err);
	source->reader = source->own;
	return source->own ? 0 : -1;
}

struct session_source *session_sources_find(struct session_sources *sources,
    const struct session_plan *plan, const struct strategy *strategy,
    struct error *err)
{
	struct session_source *source = sources->first;

	while (source && source->asked != strategy->samples)
		source = source->next;
	if (source)
		return source;
	source = memory_zeroed(sizeof(*source), err);
	if (!source)
		return NULL;
	source->asked = strategy->samples;
	if (open_source(source, plan, err)) {
		free(source);
		return NULL;
	}
	source->next = sources->first;
	sources->first = source;
	return source;
}

void session_sources_release(struct session_sources *sources)
{
	while (sources->first) {
		struct session_source *source = sources->first;

		sources->first = source->next;
		reader_free(source->own);
		outputs_release(&source->expected);
		free(source);
	}
}
