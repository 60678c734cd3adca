/* unicode.c - see unicode.h; wraps utf8proc. */
#include <stdio.h>
#include <stdlib.h>

#include <utf8proc.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/shared.h"
#include "lib/tokens/unicode.h"

static enum unicode_class class_of(utf8proc_int32_t code)
{
	switch (utf8proc_category(code)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
		return UNICODE_LETTER;
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
		return UNICODE_NUMBER;
	case UTF8PROC_CATEGORY_ZS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return UNICODE_SPACE;
	default: /* tab to carriage return, and next line, are controls */
		return (code >= 0x09 && code <= 0x0d) || code == 0x85
		           ? UNICODE_SPACE
		           : UNICODE_OTHER;
	}
}

static void *make(const void *arg, struct error *err)
{
	struct unicode *unicode = malloc(sizeof(*unicode));

	UNUSED(arg);
	if (!unicode) {
		error_memory(err, sizeof(*unicode));
		return NULL;
	}
	for (utf8proc_int32_t code = 0; code < UNICODE_CODES; code++)
		unicode->classes[code] = (unsigned char)class_of(code);
	return unicode;
}

static const struct shared_kind kind = {
	.name = "character classes",
	.make = make,
	.free = free,
};

const struct unicode *unicode_take(struct error *err)
{
	return shared_take(&kind, "", NULL, err);
}

void unicode_give(const struct unicode *unicode)
{
	shared_give(&kind, unicode);
}

void unicode_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "utf8proc %s", utf8proc_version());
}
