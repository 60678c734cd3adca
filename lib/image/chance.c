/* chance.c - see chance.h. */
#include "lib/image/chance.h"

const struct option chance_option_table[] = {
	OPTION_RANGE(REAL, "chance", struct chance_options, chance, 0, 1,
	    "probability; 0 and 1 leave nothing to chance"),
	OPTION_TABLE_END,
};

const struct chance_options chance_defaults = {
	.chance = 0.5,
};

bool chance_is_certain(const void *options)
{
	const struct chance_options *given = options;

	return given->chance <= 0 || given->chance >= 1;
}

bool chance_draw(double chance, struct random *random)
{
	return random_unit(random) < chance;
}
