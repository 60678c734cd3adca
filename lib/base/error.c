/* error.c - see error.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"

enum { TEXT_MAX = sizeof(((struct error *)0)->text), SHOWN = 3 };

/*
 * Shows "?..." in place of the queries of web addresses, which may have a
 * signature that is as good as a password.  A query ends before a space, and
 * before the punctuation in front of that.
 */
static void hide_queries(char *text)
{
	for (char *at = strstr(text, "://"); at; at = strstr(at, "://")) {
		const bool is_web =
		    (at - text >= 4 && memcmp(at - 4, "http", 4) == 0) ||
		    (at - text >= 5 && memcmp(at - 5, "https", 5) == 0);
		char *end = at + strcspn(at, " "), *from;

		at += 3;
		from = is_web ? memchr(at, '?', (size_t)(end - at)) : NULL;
		if (!from)
			continue;
		from++;
		while (end > from && strchr(":,;'\")", end[-1]))
			end--;
		for (int i = 0; i < SHOWN && from < end; i++)
			*from++ = '.';
		memmove(from, end, strlen(end) + 1);
		at = from;
	}
}

/*
 * err->text is written last, since the arguments may point into it.  Control
 * characters are escaped, so that an error is always one line.
 */
__attribute__((format(printf, 2, 0))) static void put_text(
    struct error *err, const char *format, va_list args)
{
	char text[TEXT_MAX] = "";

	vsnprintf(text, sizeof(text), format, args);
	hide_queries(text);
	printable_copy(err->text, TEXT_MAX, span_text(text));
}

int error_set(struct error *err, enum error_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_text(err, format, args);
	va_end(args);
	err->code = code;
	return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
	struct error old = *err;
	va_list args;
	size_t used;

	va_start(args, format);
	put_text(err, format, args);
	va_end(args);

	used = strlen(err->text);
	if (used + 2 >= TEXT_MAX)
		return -1;
	memcpy(err->text + used, ": ", 2);
	used += 2;
	printable_copy(err->text + used, TEXT_MAX - used, span_text(old.text));
	return -1;
}

int error_advise(struct error *err, const char *advice)
{
	const size_t used = strlen(err->text);

	snprintf(err->text + used, TEXT_MAX - used, "; %s", advice);
	return -1;
}

const char *error_cause(int number, char cause[ERROR_CAUSE])
{
	if (number == EFBIG)
		snprintf(cause, ERROR_CAUSE,
		    "it would be larger than a file may be: see ulimit -f");
	else if (strerror_r(number, cause, ERROR_CAUSE))
		snprintf(cause, ERROR_CAUSE, "error %d", number);
	return cause;
}

int error_errno(struct error *err, const char *verb, const char *path)
{
	const int number = errno;
	char cause[ERROR_CAUSE];

	return error_set(err, number == ENOMEM ? ERROR_MEMORY : ERROR_SYSTEM,
	    "cannot %s %s: %s", verb, path, error_cause(number, cause));
}

int error_memory(struct error *err, unsigned long long bytes)
{
	return error_set(
	    err, ERROR_MEMORY, "out of memory (%llu bytes)", bytes);
}
