/* objective.c - see objective.h. */
#include "strategies/objectives/objective.h"

#include <math.h>
#include <string.h>

#include "lib/base/array.h"

static const struct objective_ops *const objectives[] = {
#define OBJECTIVE(name) &objective_##name,
#include "strategies/objectives.def"
#undef OBJECTIVE
};

const struct objective_ops *objective_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(objectives); i++)
		if (strcmp(objectives[i]->name, name) == 0)
			return objectives[i];
	return NULL;
}

const struct objective_ops *objective_at(size_t i)
{
	return i < ARRAY_LEN(objectives) ? objectives[i] : NULL;
}

double range_place(const struct range *range, double value)
{
	if (!(range->high > range->low))
		return isnan(value) ? NAN : 1;
	return (value - range->low) / (range->high - range->low);
}
