/*
 * fault.h - a signal that an instruction raised, for whoever had it before us.
 */
#ifndef LIB_BASE_FAULT_H
#define LIB_BASE_FAULT_H

#include <signal.h>

/* In a handler that is no part of it: as if `before` were there still. */
void fault_pass_on(
    const struct sigaction *before, int number, siginfo_t *info, void *context);

#endif
