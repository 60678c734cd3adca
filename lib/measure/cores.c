/* cores.c - see cores.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "lib/measure/cores.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t to_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static uint64_t own_time(void)
{
	struct rusage own, children;

	if (getrusage(RUSAGE_SELF, &own) ||
	    getrusage(RUSAGE_CHILDREN, &children))
		return 0;
	return to_ns(own.ru_utime) + to_ns(own.ru_stime) +
	       to_ns(children.ru_utime) + to_ns(children.ru_stime);
}

/* "cpu3 ..." of a core that this process may run on. */
static bool is_usable(const char *line, const cpu_set_t *set)
{
	unsigned core;

	return sscanf(line, "cpu%u ", &core) == 1 && core < CPU_SETSIZE &&
	       CPU_ISSET(core, set);
}

/* Adds a line of /proc/stat; guests are part of user and nice. */
static void add_core(
    struct cores_mark *mark, const char *line, uint64_t tick_ns)
{
	unsigned long long t[8] = { 0 };

	sscanf(line, "%*s %llu %llu %llu %llu %llu %llu %llu %llu", &t[0],
	    &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]);
	mark->busy_ns += (t[0] + t[1] + t[2] + t[5] + t[6]) * tick_ns;
	mark->waited_ns += t[4] * tick_ns;
	mark->stolen_ns += t[7] * tick_ns;
}

void cores_mark(struct cores_mark *mark)
{
	const long ticks = sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "re");
	char line[512];
	cpu_set_t set;

	*mark = (struct cores_mark){ .own_ns = own_time() };
	if (file && ticks > 0 && sched_getaffinity(0, sizeof(set), &set) == 0)
		while (fgets(line, sizeof(line), file) &&
		       strncmp(line, "cpu", 3) == 0)
			if (is_usable(line, &set))
				add_core(
				    mark, line, 1000000000u / (uint64_t)ticks);
	if (file)
		fclose(file);
}

static uint64_t more(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

void cores_since(const struct cores_mark *mark, struct cores *cores)
{
	struct cores_mark now;

	cores_mark(&now);
	*cores = (struct cores){
		.others_ns = more(more(now.busy_ns, mark->busy_ns),
		    more(now.own_ns, mark->own_ns)),
		.stolen_ns = more(now.stolen_ns, mark->stolen_ns),
		.waited_ns = more(now.waited_ns, mark->waited_ns),
	};
}
