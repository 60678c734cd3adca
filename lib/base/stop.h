/* stop.h - work that its caller may end early. */
#ifndef LIB_BASE_STOP_H
#define LIB_BASE_STOP_H

#include <stdatomic.h>

struct error;

/* 0, or ERROR_INTERRUPTED where `stop` is set; NULL: nobody sets it. */
int stop_check(const atomic_bool *stop, struct error *err);

#endif
