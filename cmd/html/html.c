/* html.c - see html.h. */
#include "cmd/html/html.h"

#include <stdarg.h>
#include <string.h>

#include "lib/base/printable.h"

enum { LINE = 2048 };

static const char *reference(int code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* Newlines are kept: a pipeline file is shown line by line. */
void html_text(const char *text, FILE *out)
{
	const char *end = text + strlen(text);
	struct printable is;

	for (; printable_next(text, end, &is); text += is.took) {
		const char *instead = reference(is.code);

		if (instead)
			fputs(instead, out);
		else if (is.code == '\n' || is.code == '\t')
			fputc(is.code, out);
		else
			fwrite(is.text, 1, is.len, out);
	}
}

void html_textf(FILE *out, const char *format, ...)
{
	char line[LINE];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	html_text(line, out);
}

void html_element(const char *tag, const char *text, FILE *out)
{
	fprintf(out, "<%s>", tag);
	html_text(text, out);
	fprintf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

void html_term(const char *name, const char *text, FILE *out)
{
	fputs("<div data-name=\"", out);
	html_text(name, out);
	fputs("\">", out);
	html_element("dt", name, out);
	html_element("dd", text, out);
	fputs("</div>\n", out);
}
