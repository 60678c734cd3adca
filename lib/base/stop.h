/* stop.h - work that the caller may interrupt. */
#ifndef LIB_BASE_STOP_H
#define LIB_BASE_STOP_H

#include <stdatomic.h>

struct error;

/* Returns 0, or ERROR_INTERRUPTED if `stop` is set.  NULL is never set. */
int stop_check(const atomic_bool *stop, struct error *err);

#endif
