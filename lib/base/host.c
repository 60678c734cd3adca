/* host.c - see host.h. */
#include "lib/base/host.h"

#include <unistd.h>

void host_name(char name[HOST_NAME])
{
	/* Where it is cut, gethostname may leave out the end. */
	if (gethostname(name, HOST_NAME))
		name[0] = '\0';
	name[HOST_NAME - 1] = '\0';
}
