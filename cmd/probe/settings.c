/* settings.c - see settings.h. */
#include "cmd/probe/settings.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/measure/storage/probe.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/option.h"
#include "strategies/plan/plan.h"

int probe_read_threads(
    struct probe_plan *plan, const char *list, struct error *err)
{
	struct machine machine;
	char *copy, *rest = NULL;
	int rc = 0;

	if (!list) {
		machine_read(&machine);
		plan->threads[plan->thread_count++] = 1;
		if (machine.cores > 1)
			plan->threads[plan->thread_count++] =
			    machine.cores < PROBE_MOST_THREADS
			        ? machine.cores
			        : PROBE_MOST_THREADS;
		return 0;
	}
	copy = strdup(list);
	if (!copy)
		return error_memory(err, strlen(list));
	for (char *word = strtok_r(copy, ", ", &rest); word && rc == 0;
	     word = strtok_r(NULL, ", ", &rest)) {
		uint64_t n;

		if (units_parse_uint(word, &n) || n < 1 ||
		    n > PROBE_MOST_THREADS)
			rc = error_set(err, ERROR_USAGE,
			    "threads must be 1 to %d, got '%s'",
			    PROBE_MOST_THREADS, word);
		else if (plan->thread_count == PROBE_THREADS)
			rc = error_set(err, ERROR_USAGE,
			    "more than %d thread counts", PROBE_THREADS);
		else
			plan->threads[plan->thread_count++] = (unsigned)n;
	}
	free(copy);
	if (rc == 0 && plan->thread_count == 0)
		return error_set(
		    err, ERROR_USAGE, "threads: '%s' is an empty list", list);
	return rc;
}

struct medium *probe_open_medium(
    const struct option_texts *sets, struct error *err)
{
	struct ini ini = INI_INIT;
	struct plan plan;
	struct medium *medium = NULL;
	int rc = ini_parse_text(&ini, "", "", 0, err);

	for (unsigned i = 0; rc == 0 && i < sets->count; i++) {
		if (strncmp(sets->text[i], "storage.", 8) != 0)
			rc = error_set(err, ERROR_USAGE,
			    "--set must be storage.KEY=VALUE, got '%s'",
			    sets->text[i]);
		else
			rc = ini_set(&ini, sets->text[i], err);
	}
	if (rc == 0 && plan_read(&plan, &ini, err) == 0)
		medium = plan_emulates(&plan)
		             ? medium_new_emulated(&plan.limits, err)
		             : medium_new_local(err);
	ini_release(&ini);
	return medium;
}
