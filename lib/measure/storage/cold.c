/* cold.c - see cold.h. */
#include "lib/measure/storage/cold.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/array.h"

static const char *const names[] = {
	[COLD_NONE] = "",
	[COLD_YES] = "yes",
	[COLD_PAGES] = "pages",
	[COLD_UNKNOWN] = "unknown",
	[COLD_NO] = "no",
};

const char *cold_name(enum cold cold)
{
	return names[cold];
}

enum cold cold_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], name) == 0)
			return (enum cold)i;
	return COLD_NONE;
}

static double percent_of(uint64_t part, const struct cold_facts *facts)
{
	if (part >= facts->pages)
		return facts->pages ? 100 : 0;
	return 100.0 * (double)part / (double)facts->pages;
}

enum cold cold_judge(const struct cold_facts *facts)
{
	if (facts->pages == 0)
		return COLD_YES;
	if (facts->memory || percent_of(facts->resident, facts) > COLD_PERCENT)
		return COLD_NO;
	if (facts->layer_unseen ||
	    percent_of(facts->unseen, facts) > COLD_PERCENT)
		return COLD_UNKNOWN;
	if (facts->files > COLD_FEW_FILES && !facts->names_dropped)
		return COLD_PAGES;
	return COLD_YES;
}

double cold_percent(const struct cold_facts *facts)
{
	if (cold_judge(facts) == COLD_UNKNOWN)
		return -1;
	return percent_of(
	    facts->memory ? facts->pages : facts->resident, facts);
}
