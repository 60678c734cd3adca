/*
 * memory.h - how much memory this process may use, by what the machine has left
 * and what its cgroups (v1 and v2) allow.
 *
 * `root` is put before /proc and /sys; "" except in tests.
 */
#ifndef LIB_MEASURE_MEMORY_H
#define LIB_MEASURE_MEMORY_H

#include <stdint.h>

/* Returns the lowest limit of its cgroups; 0: none. */
uint64_t memory_limit(const char *root);

/*
 * Returns the bytes that can be used without swapping or being killed: the
 * smallest of MemAvailable, the room below each limit, and half of the
 * remaining address space if that is limited (ulimit -v).
 *
 * Memory of other processes in the cgroup is not available. Page cache is
 * available, even dirty pages, since the kernel writes them out and frees them.
 * Files of a tmpfs are not available, and swap is ignored.
 */
uint64_t memory_available(const char *root);

#endif
