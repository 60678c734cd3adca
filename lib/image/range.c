/* range.c - see range.h. */
#include "lib/image/range.h"

#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"

enum { NUMBER_MAX = 64 };

int range_parse(
    const char *text, const char *name, struct range *range, struct error *err)
{
	const size_t len = strcspn(text, ",");
	char low[NUMBER_MAX] = "";

	range->is_pair = text[len] == ',';
	if (len < sizeof(low))
		memcpy(low, text, len);
	if (units_parse_real(low, &range->low) ||
	    (range->is_pair && units_parse_real(text + len + 1, &range->high)))
		return error_set(err, ERROR_USAGE,
		    "%s must be a number, or two as LOW,HIGH, got '%s'", name,
		    text);
	if (!range->is_pair)
		range->high = range->low;
	return 0;
}

int range_check(const struct range *range, const char *name, double least,
    double most, struct error *err)
{
	if (range->low >= least && range->low <= range->high &&
	    range->high <= most)
		return 0;
	if (!range->is_pair)
		return error_set(err, ERROR_USAGE,
		    "%s must be %g to %g, got %g", name, least, most,
		    range->low);
	return error_set(err, ERROR_USAGE,
	    "%s must be two increasing numbers from %g to %g, got %g,%g", name,
	    least, most, range->low, range->high);
}

int range_parse_rising(const char *text, const char *name, double most,
    struct range *range, struct error *err)
{
	if (range_parse(text, name, range, err))
		return -1;
	if (!range->is_pair)
		return error_set(err, ERROR_USAGE,
		    "%s must be two numbers, LOW,HIGH, got '%s'", name, text);
	if (!(range->low > 0) || range->low > range->high || range->high > most)
		return error_set(err, ERROR_USAGE,
		    "%s must be two increasing numbers above 0 and up to %g, "
		    "got '%s'",
		    name, most, text);
	return 0;
}

double range_draw(const struct range *range, struct random *random)
{
	return range->low + random_unit(random) * (range->high - range->low);
}
