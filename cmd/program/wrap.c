/* wrap.c - see wrap.h. */
#include "cmd/program/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/printable.h"

/* "%", "MB/s," and "000" stay with the number before them. */
enum { UNIT_LONGEST = 5 };
/* The least width of wrapped text; a larger indent is dropped. */
enum { ROOM_LEAST = 20 };
enum { LINE_LONGEST = 1024 };

size_t wrap_width(const char *text)
{
	return printable_width(text, strlen(text));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does the next word stay on the line of this one, a number or an option? */
static bool is_held(const char *word, const char *space)
{
	if (space == word)
		return false;
	if (strncmp(word, "--", 2) == 0)
		return is_letter(space[-1]); /* a comma ends it */
	return is_digit(space[-1]) && strcspn(space + 1, " ") <= UNIT_LONGEST;
}

/* Number of bytes up to the first place where a line may end. */
static size_t word_length(const char *text)
{
	const char *word = text, *end = text + strcspn(text, " ");

	while (*end == ' ' && is_held(word, end)) {
		word = end + 1;
		end = word + strcspn(word, " ");
	}
	return (size_t)(end - text);
}

static void begin_line(size_t indent, FILE *out)
{
	fprintf(out, "\n%*s", (int)indent, "");
}

size_t wrap_write(
    const char *text, size_t at, size_t indent, size_t width, FILE *out)
{
	bool begins = true; /* true at the start of a line */

	if (indent + ROOM_LEAST > width)
		indent = 0;
	if (width == 0) {
		printable_write(text, strlen(text), out);
		return at + wrap_width(text);
	}
	while (*text) {
		const size_t spaces = strspn(text, " ");
		const size_t len = word_length(text + spaces);
		const size_t columns =
		    spaces + printable_width(text + spaces, len);

		if (!begins && at + columns > width) {
			begin_line(indent, out);
			at = indent;
			begins = true;
			text += spaces;
			continue;
		}
		printable_write(text, spaces + len, out);
		at += columns;
		text += spaces + len;
		begins = false;
	}
	return at;
}

void wrap_line(const char *head, const char *text, size_t width, FILE *out)
{
	const size_t at = wrap_width(head);
	const bool is_command = strncmp(text, "presto ", 7) == 0;

	fputs(head, out);
	wrap_write(text, at, at, is_command ? 0 : width, out);
	fputc('\n', out);
}

/* Number of bytes before the second column of a line; 0: it has one column. */
static size_t head_length(const char *line)
{
	const char *gap = strstr(line + strspn(line, " "), "  ");

	return gap ? (size_t)(gap - line) + strspn(gap, " ") : 0;
}

void wrap_columns(const char *text, size_t width, FILE *out)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");
		char line[LINE_LONGEST], head[LINE_LONGEST];
		size_t first;

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		first = head_length(line);
		snprintf(head, sizeof(head), "%.*s", (int)first, line);
		wrap_line(head, line + first, width, out);
		text += len + (text[len] == '\n');
	}
}
