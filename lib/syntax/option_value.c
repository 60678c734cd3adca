/* option_value.c - converts option values back to text; see option.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/syntax/option.h"

/* Copies word number `i` of "nearest|bilinear|box". */
static void print_choice(
    const char *choices, unsigned i, char text[OPTION_VALUE])
{
	for (; i > 0 && *choices; i--) {
		choices += strcspn(choices, "|");
		choices += *choices == '|';
	}
	snprintf(
	    text, OPTION_VALUE, "%.*s", (int)strcspn(choices, "|"), choices);
}

const char *option_value(
    const struct option *option, const void *values, char text[OPTION_VALUE])
{
	const void *value = (const char *)values + option->offset;

	switch (option->type) {
	case OPTION_FLAG:
		return *(const bool *)value ? "yes" : "no";
	case OPTION_UINT:
	case OPTION_BYTES:
		snprintf(
		    text, OPTION_VALUE, "%" PRIu64, *(const uint64_t *)value);
		return text;
	case OPTION_REAL:
	case OPTION_RATE:
	case OPTION_TIME:
		snprintf(text, OPTION_VALUE, "%.10g", *(const double *)value);
		return text;
	case OPTION_CHOICE:
		print_choice(option->choices, *(const unsigned *)value, text);
		return text;
	case OPTION_TEXT:
	case OPTION_PATH:
		return *(const char *const *)value;
	default:
		return NULL;
	}
}
