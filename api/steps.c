/* steps.c - the steps of this build. */
#include "api/presto.h"
#include "api/private.h"
#include "lib/steps/step.h"

int presto_step_at(unsigned i, struct presto_step_info *info)
{
	const struct step_ops *step = step_at(i);
	const struct presto_step_info found = {
		.size = sizeof(found),
		.name = step ? step->name : NULL,
		.summary = step ? step->summary : NULL,
		.takes = step ? step->in : NULL,
		.gives = step ? step->out : NULL,
		.random = step && step->random,
		.needs = step ? step->needs : NULL,
	};

	if (!step)
		return -1;
	sized_give(info, &found);
	return 0;
}
