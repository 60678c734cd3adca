/* cache_list.c - see cache_list.h. */
#include "strategies/plan/cache_list.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/nearest.h"
#include "strategies/plan/plan.h"

static int refuse(const char *word, struct error *err)
{
	struct nearest nearest = nearest_to(word);
	char hint[NEAREST_HINT];

	for (unsigned i = 0; i < CACHE_COUNT; i++)
		nearest_try(&nearest, cache_name((enum cache_mode)i));
	return error_set(err, ERROR_USAGE, "unknown cache '%s'%s", word,
	    nearest_hint(&nearest, hint));
}

/* Splits "application:resized": returns the mode's word, and the place. */
static int split(const char *word, enum cache_mode *mode, const char **place,
    struct error *err)
{
	const char *colon = strchr(word, ':');
	char name[PLACE_NAME] = "";

	*place = colon ? colon + 1 : "";
	if (colon && (size_t)(colon - word) < sizeof(name))
		memcpy(name, word, (size_t)(colon - word));
	if (cache_parse(colon ? name : word, mode))
		return refuse(word, err);
	if (!colon)
		return 0;
	if (*mode != CACHE_APPLICATION)
		return error_set(err, ERROR_USAGE,
		    "cache '%s': only the application cache keeps a "
		    "representation by name, as in application:NAME",
		    word);
	if (!**place || strlen(*place) >= PLACE_NAME)
		return error_set(err, ERROR_USAGE,
		    "cache '%s': the name of a representation must follow "
		    "application:",
		    word);
	return 0;
}

int cache_list_add(struct plan_load *load, const char *word, struct error *err)
{
	enum cache_mode mode = CACHE_NONE;
	const char *place;

	if (split(word, &mode, &place, err))
		return -1;
	for (unsigned i = 0; i < load->cache_count; i++)
		if (load->caches[i] == mode &&
		    strcmp(load->place_names[i], place) == 0)
			return 0;
	if (load->cache_count == PLAN_LIST)
		return error_set(
		    err, ERROR_USAGE, "more than %d caches", PLAN_LIST);
	memcpy(load->place_names[load->cache_count], place, strlen(place) + 1);
	load->caches[load->cache_count++] = mode;
	return 0;
}

/*
 * Does this step make it differ in each epoch?  In other orders, a step that is
 * not random itself may run in front of those that are.
 */
static bool is_drawn(
    const struct pipeline *pipeline, unsigned found, bool reordered)
{
	return found > pipeline_last_split(pipeline) &&
	       (!reordered || pipeline->steps[found - 1].random);
}

static int find_place(const struct pipeline *pipeline, bool reordered,
    const char *name, unsigned *place, struct error *err)
{
	const unsigned last = pipeline_last_split(pipeline);
	const int found = pipeline_find(pipeline, name);
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	if (found > 0 && is_drawn(pipeline, (unsigned)found, reordered))
		return error_set(err, ERROR_USAGE,
		    "application:%s cannot be cached: step '%s' is random, so "
		    "%s differs in each epoch; presto show lists the places "
		    "of the cache",
		    name, pipeline_name(pipeline, last + 1), name);
	for (unsigned k = 0; k <= last; k++)
		nearest_try(&nearest, pipeline_name(pipeline, k));
	if (found < 0)
		return error_set(err, ERROR_USAGE,
		    "application:%s: no representation '%s'%s", name, name,
		    nearest_hint(&nearest, hint));
	*place = found > 0 ? (unsigned)found : PLACE_RAW;
	return 0;
}

int cache_list_find_places(
    struct plan *plan, const struct pipeline *pipeline, struct error *err)
{
	struct plan_load *load = &plan->load;
	const char *orders = plan->strategies.orders;
	const bool reordered = orders && strcmp(orders, "given") != 0;
	const struct ini_section *section = ini_section(pipeline->ini, "load");
	const struct ini_entry *entry =
	    section ? ini_entry(section, "cache") : NULL;

	for (unsigned i = 0; i < load->cache_count; i++)
		if (*load->place_names[i] &&
		    find_place(pipeline, reordered, load->place_names[i],
		        &load->places[i], err))
			return entry ? ini_error_at(pipeline->ini, entry, err)
			             : -1;
	return 0;
}
