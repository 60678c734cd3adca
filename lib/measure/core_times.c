/* core_times.c - see core_times.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "lib/measure/core_times.h"

#include <ctype.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/files/proc_text.h"

/* Parses "cpu3 ..." of a core in the set; *rest follows its number. */
static bool is_usable(const char *line, const cpu_set_t *set, char **rest)
{
	unsigned long core;

	if (!isdigit((unsigned char)line[3]))
		return false; /* the sum over all cores, in the first line */
	core = strtoul(line + 3, rest, 10);
	return **rest == ' ' && core < CPU_SETSIZE && CPU_ISSET(core, set);
}

void core_times_parse(const char *text, struct core_times *times)
{
	const long ticks = sysconf(_SC_CLK_TCK);
	const uint64_t tick_ns = ticks > 0 ? 1000000000u / (uint64_t)ticks : 0;
	cpu_set_t set;
	char *rest;

	*times = (struct core_times){ .ns = { 0 } };
	if (sched_getaffinity(0, sizeof(set), &set))
		return;
	for (const char *line = text; line && strncmp(line, "cpu", 3) == 0;
	     line = proc_text_next(line)) {
		if (!is_usable(line, &set, &rest))
			continue;
		/* Older kernels have fewer columns: stops at the line's end. */
		for (int i = 0; i < CORE_TIMES && *rest == ' '; i++)
			times->ns[i] += strtoull(rest, &rest, 10) * tick_ns;
	}
}
