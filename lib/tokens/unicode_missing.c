/*
 * unicode_missing.c - stands for unicode.c where presto is built without
 * libutf8proc: steps that need the classes of characters are refused.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/tokens/unicode.h"

const struct unicode *unicode_take(struct error *err)
{
	error_set(err, ERROR_USAGE,
	    "this presto was built without libutf8proc: install it and "
	    "rebuild");
	return NULL;
}

void unicode_give(const struct unicode *unicode)
{
	UNUSED(unicode);
}
