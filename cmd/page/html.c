/* html.c - see html.h. */
#include "cmd/page/html.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/text/utf8.h"

enum { LINE = 2048 };

static const char *reference(int32_t code)
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

static bool is_forbidden(int32_t code)
{
	return code == UTF8_BAD || code == 0xfffe || code == 0xffff ||
	       (code < ' ' && code != '\t' && code != '\n' && code != '\r');
}

void html_text(const char *text, FILE *out)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + strlen(text);
	unsigned bytes;

	for (; at < end; at += bytes) {
		const int32_t code = utf8_decode(at, end, &bytes);
		const char *instead = reference(code);

		if (is_forbidden(code))
			fputs("\xef\xbf\xbd", out);
		else if (instead)
			fputs(instead, out);
		else
			fwrite(at, 1, bytes, out);
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
