/*
 * fault_guard.h - calls a library that may crash on damaged data.
 *
 * If an instruction of the calling thread raises SIGFPE, SIGSEGV or SIGBUS
 * while `work` runs, `work` is abandoned with its stack and everything it
 * holds.  So it must hold nothing but locks and memory of the library, and the
 * library must not be used again.  Signals of other threads and of kill go to
 * the handlers that were there before; these are restored afterwards.
 *
 * Limits: a library that overwrites foreign memory does not always fault, and
 * the C library aborts when it finds its heap damaged.  One call at a time per
 * process: callers hold a lock.  In a build with a sanitizer, which has such
 * handlers itself, nothing is guarded.
 */
#ifndef LIB_SIGNAL_FAULT_GUARD_H
#define LIB_SIGNAL_FAULT_GUARD_H

#include <stdbool.h>

/* Returns the number of the signal that stopped it, or 0. */
int fault_guard(void (*work)(void *arg), void *arg);
/* Returns false in a build with a sanitizer. */
bool fault_guard_works(void);
/* Returns a name such as "SIGFPE". */
const char *fault_name(int number);

#endif
