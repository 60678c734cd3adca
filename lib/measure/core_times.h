/*
 * core_times.h - /proc/stat: how the cores that this process may run on have
 * spent their time since the machine started.
 */
#ifndef LIB_MEASURE_CORE_TIMES_H
#define LIB_MEASURE_CORE_TIMES_H

#include <stdint.h>

/* Columns in the kernel's order; user and nice include guests. */
enum core_time {
	CORE_USER,
	CORE_NICE,
	CORE_SYSTEM,
	CORE_IDLE,
	CORE_WAIT, /* idle, with I/O outstanding */
	CORE_IRQ,
	CORE_SOFTIRQ,
	CORE_STOLEN, /* used by the host for other machines */
	CORE_TIMES
};

struct core_times { /* sums over the cores */
	uint64_t ns[CORE_TIMES];
};

/* Parses the text of /proc/stat; all 0 when it has no such lines. */
void core_times_parse(const char *text, struct core_times *times);

/* Returns now - before; 0 if it went backwards, as idle and wait may. */
static inline uint64_t core_times_more(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

#endif
