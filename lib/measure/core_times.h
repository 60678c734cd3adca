/*
 * core_times.h - /proc/stat: what the cores that this process may run on have
 * done since the machine started.
 */
#ifndef LIB_MEASURE_CORE_TIMES_H
#define LIB_MEASURE_CORE_TIMES_H

#include <stdint.h>

/* The columns of the kernel, in its order; guests are part of user and nice. */
enum core_time {
	CORE_USER,
	CORE_NICE,
	CORE_SYSTEM,
	CORE_IDLE,
	CORE_WAIT, /* idle, with I/O outstanding */
	CORE_IRQ,
	CORE_SOFTIRQ,
	CORE_STOLEN, /* by the host, for other machines */
	CORE_TIMES
};

struct core_times { /* summed over the cores */
	uint64_t ns[CORE_TIMES];
};

/* From the text of /proc/stat; all 0 when that tells nothing. */
void core_times_parse(const char *text, struct core_times *times);

/* now - before; 0 when it went backwards, as idle and wait may. */
static inline uint64_t core_times_more(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

#endif
