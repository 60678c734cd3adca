/*
 * missing.c - stands for the classes of characters where presto was built
 * without libutf8proc: what needs them is refused.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/tokens/unicode.h"

#ifndef WITH_UTF8PROC
const struct unicode *unicode_take(struct error *err)
{
	error_set(err, ERROR_USAGE,
	    "this presto was built without libutf8proc: install it and build "
	    "anew");
	return NULL;
}

void unicode_give(const struct unicode *unicode)
{
	UNUSED(unicode);
}
#endif
