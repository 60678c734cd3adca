/* stop.h - work that the caller may interrupt. */
#ifndef LIB_BASE_STOP_H
#define LIB_BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

struct error;

/* Returns 0, or ERROR_INTERRUPTED if `stop` is set.  NULL is never set. */
int stop_check(const atomic_bool *stop, struct error *err);

/*
 * A wait for code of the user's, which may take as long as it likes, has no
 * argument for the flag of its caller: it asks stop_is_set.  The flags must
 * live as long as they are watched; NULL: none.
 */
void stop_watch(const atomic_bool *stop);     /* in this thread */
void stop_watch_all(const atomic_bool *stop); /* in all: for Ctrl-C */
bool stop_is_set(void);

#endif
