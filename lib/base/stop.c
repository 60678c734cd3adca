/* stop.c - see stop.h. */
#include "lib/base/stop.h"

#include <stddef.h>

#include "lib/base/error.h"

static _Thread_local const atomic_bool *watched;
static const atomic_bool *_Atomic watched_by_all;

void stop_watch(const atomic_bool *stop)
{
	watched = stop;
}

void stop_watch_all(const atomic_bool *stop)
{
	atomic_store(&watched_by_all, stop);
}

bool stop_is_set(void)
{
	const atomic_bool *all = atomic_load(&watched_by_all);

	return (watched && atomic_load(watched)) || (all && atomic_load(all));
}

int stop_check(const atomic_bool *stop, struct error *err)
{
	if (!stop || !atomic_load(stop))
		return 0;
	return error_set(err, ERROR_INTERRUPTED, "interrupted");
}
