/* png_missing.c - stands for png.c where presto is built without librsvg. */
#include "cmd/page/png.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

int png_check(struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "a PNG needs librsvg, which this presto was built without: name "
	    "the file .svg, or install librsvg2-dev and build presto again");
}

int png_write(struct span svg, FILE *out, struct error *err)
{
	UNUSED(svg);
	UNUSED(out);
	return png_check(err);
}
