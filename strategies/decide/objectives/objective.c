/* objective.c - see objective.h. */
#include "strategies/decide/objectives/objective.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"

static const struct objective_ops *const objectives[] = {
#define OBJECTIVE(name) &objective_##name,
#include "strategies/decide/objectives/objectives.def"
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

static const struct objective_ops *first_that(
    bool (*is)(const struct objective_ops *objective))
{
	size_t i = 0;

	while (i < ARRAY_LEN(objectives) && !is(objectives[i]))
		i++;
	return objective_at(i);
}

static bool is_default(const struct objective_ops *objective)
{
	return objective->is_default;
}

static bool is_by_epochs(const struct objective_ops *objective)
{
	return objective->needs_epochs && !objective->needs_prices;
}

static bool is_by_weights(const struct objective_ops *objective)
{
	return objective->uses_weights;
}

const struct objective_ops *objective_default(void)
{
	return first_that(is_default);
}

const struct objective_ops *objective_by_epochs(void)
{
	return first_that(is_by_epochs);
}

const struct objective_ops *objective_by_weights(void)
{
	return first_that(is_by_weights);
}

void objective_say_not_in_epochs(
    const struct scales *scales, char text[OBJECTIVE_TEXT])
{
	snprintf(text, OBJECTIVE_TEXT, "no stored form pays in %.6g epoch%s",
	    scales->epochs, scales->epochs > 1 ? "s" : "");
}

double range_place(const struct range *range, double value)
{
	if (!(range->high > range->low))
		return isnan(value) ? NAN : 1;
	return (value - range->low) / (range->high - range->low);
}
