/* room.c - see room.h. */
#include "lib/base/room.h"

#include "lib/base/error.h"
#include "lib/base/units.h"

_Thread_local size_t room_most;

int room_error_over(
    const char *name, uint64_t bytes, uint64_t most, struct error *err)
{
	char is[UNITS_TEXT], may[UNITS_TEXT];

	return error_set(err, ERROR_DATA,
	    "%s takes %s, and a sample may take %s: raise limits.sample", name,
	    units_bytes((double)bytes, is), units_bytes((double)most, may));
}

int room_error(const char *name, uint64_t bytes, struct error *err)
{
	return room_error_over(name, bytes, room_most, err);
}
