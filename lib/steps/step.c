/* step.c - see step.h. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/steps/step.h"

static const struct step_ops *const steps[] = {
#define STEP(name) &step_##name,
#include "lib/steps/steps.def"
#undef STEP
};

bool step_draws(const struct step_ops *ops, const void *options)
{
	return ops->random && !(ops->is_certain && ops->is_certain(options));
}

const struct step_ops *step_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (strcmp(steps[i]->name, name) == 0)
			return steps[i];
	return NULL;
}

const struct step_ops *step_at(size_t i)
{
	return i < ARRAY_LEN(steps) ? steps[i] : NULL;
}
