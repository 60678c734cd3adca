/* terminal.c - see terminal.h. */
#include "cmd/program/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/program/wrap.h"
#include "lib/base/array.h"
#include "lib/base/units.h"

enum { USUAL_COLUMNS = 80, LEAST_COLUMNS = 20, MOST_COLUMNS = 10000 };
enum { MOST_TEXT = 4096 };

size_t terminal_columns(FILE *out)
{
	struct winsize size = { .ws_col = 0 };
	const int fd = fileno(out);
	const char *wanted = getenv("COLUMNS");
	uint64_t columns = 0;

	if (fd < 0 || !isatty(fd))
		return 0;
	if (!wanted || units_parse_uint(wanted, &columns) || columns == 0) {
		columns = USUAL_COLUMNS;
		if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
			columns = size.ws_col;
	}
	return columns < LEAST_COLUMNS  ? LEAST_COLUMNS
	       : columns > MOST_COLUMNS ? MOST_COLUMNS
	                                : (size_t)columns;
}

/*
 * Formats into `few` if the text fits, else into new memory, which the caller
 * frees.  Without memory the text is cut.
 */
__attribute__((format(printf, 2, 0))) static char *format_text(
    char few[MOST_TEXT], const char *format, va_list args)
{
	va_list again;
	char *text = few;
	int len;

	va_copy(again, args);
	len = vsnprintf(few, MOST_TEXT, format, args);
	if (len >= MOST_TEXT)
		text = malloc((size_t)len + 1);
	if (text && text != few)
		vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text ? text : few;
}

void terminal_print(FILE *out, const char *head, const char *format, ...)
{
	char few[MOST_TEXT], *text;
	va_list args;

	va_start(args, format);
	text = format_text(few, format, args);
	va_end(args);
	wrap_line(head, text, terminal_columns(out), out);
	if (text != few)
		free(text);
}

void terminal_line(FILE *out, const char *format, ...)
{
	char few[MOST_TEXT], *text;
	va_list args;

	va_start(args, format);
	text = format_text(few, format, args);
	va_end(args);
	wrap_line("", text, 0, out);
	if (text != few)
		free(text);
}

bool terminal_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);
		const char *charset = value ? strchr(value, '.') : NULL;

		if (value && *value)
			return charset &&
			       (strncasecmp(charset, ".utf-8", 6) == 0 ||
			           strncasecmp(charset, ".utf8", 5) == 0);
	}
	return false;
}
