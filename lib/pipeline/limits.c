/* limits.c - see limits.h. */
#include "lib/pipeline/limits.h"

#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(BYTES, "sample", 0, struct limits, sample, "SIZE",
	    "bytes of one sample, before and after every step (0: any)"),
	OPTION_TABLE_END,
};

int limits_read(struct limits *limits, const struct ini *ini, struct error *err)
{
	*limits = (struct limits){ .sample = UINT64_C(1000000000) };
	return ini_options(
	    ini, ini_section(ini, "limits"), options, limits, err);
}
