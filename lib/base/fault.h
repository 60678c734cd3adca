/* fault.h - passes a signal on to the handler that was installed before. */
#ifndef LIB_BASE_FAULT_H
#define LIB_BASE_FAULT_H

#include <signal.h>

/* For a handler that does not know this fault: acts as `before` would. */
void fault_pass_on(
    const struct sigaction *before, int number, siginfo_t *info, void *context);

#endif
