/* stop.c - see stop.h. */
#include "lib/base/stop.h"

#include "lib/base/error.h"

int stop_check(const atomic_bool *stop, struct error *err)
{
	if (!stop || !atomic_load(stop))
		return 0;
	return error_set(err, ERROR_INTERRUPTED, "interrupted");
}
