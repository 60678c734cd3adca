/*
 * memory.h - how much memory this process may take: what the machine has left,
 * and what its cgroups (v1 and v2) let it have.
 *
 * `root` is put in front of /proc and /sys: "" but in tests.
 */
#ifndef LIB_MEASURE_MEMORY_H
#define LIB_MEASURE_MEMORY_H

#include <stdint.h>

/* The lowest limit of its cgroups; 0: none. */
uint64_t memory_limit(const char *root);

/*
 * Bytes that can be taken now without swapping and without being killed: the
 * smaller of MemAvailable and the room below each limit.  Page cache counts as
 * room: the kernel gives it back.
 */
uint64_t memory_available(const char *root);

#endif
