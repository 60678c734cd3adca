/*
 * outside.h - CPU time that programs used which this one runs: steps of the
 * user's own.  It is a part of clock_thread_cpu of the thread that waited, and
 * of usage_read, so that such a step costs what it takes.
 */
#ifndef LIB_BASE_OUTSIDE_H
#define LIB_BASE_OUTSIDE_H

#include <stdint.h>

/* Adds to the sums of this thread and of this process. */
void outside_add(uint64_t user_ns, uint64_t system_ns);
/* Adds to the sum of this thread what another one did for it. */
void outside_lend(uint64_t ns);
/* The sum of this thread. */
uint64_t outside_thread_ns(void);
/* The sums of this process. */
void outside_read(uint64_t *user_ns, uint64_t *system_ns);

/*
 * The part that is of programs that still run: the kernel does not yet count
 * it as that of children.  It changes by `ns`.
 */
void outside_change_running(int64_t ns);
uint64_t outside_running_ns(void);

#endif
