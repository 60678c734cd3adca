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
 * smallest of MemAvailable, the room below each limit, and half of the address
 * space that is left where that is limited (ulimit -v).
 *
 * What other processes of the cgroup hold is no room.  Page cache is, also
 * where it is dirty: the kernel writes it out and gives it back.  Files of a
 * tmpfs are not, and swap is left out.
 */
uint64_t memory_available(const char *root);

#endif
