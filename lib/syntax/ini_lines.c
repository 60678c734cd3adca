/* ini_lines.c - see ini_lines.h. */
#define _GNU_SOURCE /* memmem */
#include "lib/syntax/ini_lines.h"

#include <stdbool.h>
#include <string.h>

struct ini_lines ini_lines_begin(struct span text, const unsigned char *at)
{
	struct ini_lines lines = { .rest = { .data = at } };

	lines.rest.len = text.len - (size_t)(at - text.data);
	for (const unsigned char *c = text.data; c < at; c++)
		lines.line += *c == '\n';
	return lines;
}

int ini_lines_next(struct ini_lines *lines, struct span *line)
{
	struct span *rest = &lines->rest;

	while (rest->len) {
		const unsigned char *end = memchr(rest->data, '\n', rest->len);
		const size_t len = end ? (size_t)(end - rest->data) : rest->len;

		*line = (struct span){ rest->data, len };
		rest->data += len + (end != NULL);
		rest->len -= len + (end != NULL);
		lines->line++;
		if (len && line->data[0] != ';' && line->data[0] != '#')
			return 1;
	}
	return 0;
}

int ini_lines_split(struct span line, struct span *key, struct span *value)
{
	static const char sign[] = " = ";
	const size_t len = strlen(sign);
	const unsigned char *at = memchr(line.data, ' ', line.len);
	const size_t left = at ? line.len - (size_t)(at - line.data) : 0;

	if (left < len || memcmp(at, sign, len) != 0)
		return -1;
	*key = (struct span){ line.data, line.len - left };
	*value = (struct span){ at + len, left - len };
	return 0;
}

const unsigned char *ini_lines_find(struct span text, const char *section)
{
	const size_t len = strlen(section);
	const unsigned char *at = text.data;
	const unsigned char *end = at + text.len;

	while (
	    text.len && (at = memmem(at, (size_t)(end - at), section, len))) {
		const bool begins = at == text.data || at[-1] == '\n';
		const bool ends = at + len == end || at[len] == '\n';

		if (begins && ends)
			return at;
		at += len;
	}
	return NULL;
}
