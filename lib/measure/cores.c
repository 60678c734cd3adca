/* cores.c - see cores.h. */
#include "lib/measure/cores.h"

#include <sys/resource.h>

#include "lib/base/outside.h"
#include "lib/files/proc_text.h"
#include "lib/measure/core_times.h"

enum { STAT_BYTES = 64 * 1024 }; /* enough for some 600 cores */

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
	       to_ns(children.ru_utime) + to_ns(children.ru_stime) +
	       outside_running_ns();
}

void cores_mark_in(const char *root, struct cores_mark *mark)
{
	char text[STAT_BYTES];
	struct core_times t;

	*mark = (struct cores_mark){ .own_ns = own_time() };
	proc_text_get(root, "proc/stat", text, sizeof(text));
	core_times_parse(text, &t);
	mark->busy_ns = t.ns[CORE_USER] + t.ns[CORE_NICE] + t.ns[CORE_SYSTEM] +
	                t.ns[CORE_IRQ] + t.ns[CORE_SOFTIRQ];
	mark->waited_ns = t.ns[CORE_WAIT];
	mark->stolen_ns = t.ns[CORE_STOLEN];
}

void cores_between(const struct cores_mark *mark, const struct cores_mark *now,
    struct cores *cores)
{
	const uint64_t busy_ns = core_times_more(now->busy_ns, mark->busy_ns);
	const uint64_t own_ns = core_times_more(now->own_ns, mark->own_ns);

	*cores = (struct cores){
		.others_ns =
		    now->busy_ns ? (int64_t)busy_ns - (int64_t)own_ns : 0,
		.stolen_ns = core_times_more(now->stolen_ns, mark->stolen_ns),
		.waited_ns = core_times_more(now->waited_ns, mark->waited_ns),
	};
}

void cores_mark(struct cores_mark *mark)
{
	cores_mark_in("", mark);
}

void cores_since(const struct cores_mark *mark, struct cores *cores)
{
	struct cores_mark now;

	cores_mark(&now);
	cores_between(mark, &now, cores);
}
