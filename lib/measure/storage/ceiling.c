/* ceiling.c - see ceiling.h. */
#include "lib/measure/storage/ceiling.h"

static const char *const names[CEILING_PATTERNS] = {
	[CEILING_SEQUENTIAL] = "sequential",
	[CEILING_FILES] = "files",
};

const char *ceiling_name(enum ceiling_pattern pattern)
{
	return names[pattern];
}
