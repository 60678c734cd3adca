/* frequency.c - see frequency.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "lib/measure/frequency.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "lib/files/proc_text.h"

enum { LINE = 64, NAME = 128 };

static void get_core(
    const char *root, unsigned core, const char *what, char line[LINE])
{
	char name[NAME];

	snprintf(
	    name, sizeof(name), "sys/devices/system/cpu/cpu%u/%s", core, what);
	proc_text_get(root, name, line, LINE);
	line[strcspn(line, "\n")] = '\0';
}

static void add_core(
    const char *root, unsigned core, struct frequency *frequency)
{
	char line[LINE];
	uint64_t times;

	get_core(root, core, "cpufreq/scaling_governor", line);
	if (*line) {
		frequency->cores++;
		if (strcmp(line, "performance") != 0 && !frequency->scaled++)
			snprintf(frequency->governor,
			    sizeof(frequency->governor), "%.31s", line);
	}
	get_core(root, core, "thermal_throttle/core_throttle_count", line);
	if (proc_text_number(line, "", &times))
		frequency->throttled += times;
}

static enum turbo read_turbo(const char *root)
{
	char line[LINE];
	uint64_t flag;

	proc_text_get(root, "sys/devices/system/cpu/intel_pstate/no_turbo",
	    line, sizeof(line));
	if (proc_text_number(line, "", &flag))
		return flag ? TURBO_OFF : TURBO_ON;
	proc_text_get(
	    root, "sys/devices/system/cpu/cpufreq/boost", line, sizeof(line));
	if (proc_text_number(line, "", &flag))
		return flag ? TURBO_ON : TURBO_OFF;
	return TURBO_UNKNOWN;
}

void frequency_read(const char *root, struct frequency *frequency)
{
	cpu_set_t set;

	*frequency = (struct frequency){ .turbo = read_turbo(root) };
	if (sched_getaffinity(0, sizeof(set), &set))
		return;
	for (unsigned core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &set))
			add_core(root, core, frequency);
}
