/* csv_rows.c - see csv_rows.h. */
#include "lib/syntax/csv_rows.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

static bool is_line_end(unsigned char c)
{
	return c == '\n' || c == '\r';
}

static void skip(struct csv_rows *rows, size_t bytes)
{
	rows->rest.data += bytes;
	rows->rest.len -= bytes;
}

/* Finds the delimiter by the header, outside of quotes; a comma if unclear. */
static char find_delimiter(struct span text)
{
	char found = ',';
	bool quoted = false;

	for (size_t i = 0; i < text.len; i++) {
		const unsigned char c = text.data[i];

		if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == ',' || is_line_end(c)))
			return c == ',' ? ',' : found;
		else if (!quoted && (c == ';' || c == '\t'))
			found = (char)c;
	}
	return found;
}

void csv_rows_begin(
    struct csv_rows *rows, const char *path, struct span text, char delimiter)
{
	rows->path = path;
	rows->rest = text;
	rows->next_line = 1;
	rows->line = rows->count = 0;
	rows->comment = 0;
	if (text.len >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0)
		skip(rows, 3); /* byte order mark, as spreadsheets write it */
	rows->delimiter = delimiter ? delimiter : find_delimiter(rows->rest);
}

static int begin_field(struct csv_rows *rows, struct error *err)
{
	struct csv_field *fields = array_grow(rows->fields, &rows->capacity,
	    rows->count + 1, sizeof(*fields), err);

	if (!fields)
		return -1;
	rows->fields = fields;
	fields[rows->count++].at = rows->texts.len;
	return 0;
}

static void end_field(struct csv_rows *rows)
{
	struct csv_field *field = &rows->fields[rows->count - 1];

	field->len = rows->texts.len - field->at;
}

/* Reads up to the closing quote; two quotes stand for one. */
static int read_quoted(struct csv_rows *rows, struct error *err)
{
	const size_t begun = rows->next_line;

	skip(rows, 1);
	while (rows->rest.len) {
		const unsigned char *end =
		    memchr(rows->rest.data, '"', rows->rest.len);
		const size_t len =
		    end ? (size_t)(end - rows->rest.data) : rows->rest.len;

		for (size_t i = 0; i < len; i++)
			rows->next_line += rows->rest.data[i] == '\n';
		if (buf_append(&rows->texts, rows->rest.data, len, err))
			return -1;
		skip(rows, len);
		if (!end)
			break;
		skip(rows, 1);
		if (!rows->rest.len || rows->rest.data[0] != '"')
			return 0;
		if (buf_append(&rows->texts, "\"", 1, err))
			return -1;
		skip(rows, 1);
	}
	return error_set(err, ERROR_DATA,
	    "%s:%zu: the quotation mark is never closed", rows->path, begun);
}

static int read_plain(struct csv_rows *rows, struct error *err)
{
	size_t len = 0;

	while (len < rows->rest.len &&
	       rows->rest.data[len] != (unsigned char)rows->delimiter &&
	       !is_line_end(rows->rest.data[len]))
		len++;
	if (buf_append(&rows->texts, rows->rest.data, len, err))
		return -1;
	skip(rows, len);
	return 0;
}

/* Returns 1 when another field follows in the row, 0 after the last one. */
static int read_field(struct csv_rows *rows, struct error *err)
{
	const bool quoted = rows->rest.len && rows->rest.data[0] == '"';

	if (begin_field(rows, err) ||
	    (quoted ? read_quoted(rows, err) : read_plain(rows, err)))
		return -1;
	end_field(rows);
	if (buf_append(&rows->texts, "", 1, err))
		return -1;
	if (!rows->rest.len || is_line_end(rows->rest.data[0]))
		return 0;
	if (rows->rest.data[0] != (unsigned char)rows->delimiter)
		return error_set(err, ERROR_DATA,
		    "%s:%zu: text behind a closing quotation mark", rows->path,
		    rows->next_line);
	skip(rows, 1);
	return 1;
}

static void skip_line_end(struct csv_rows *rows)
{
	const size_t before = rows->rest.len;

	if (rows->rest.len && rows->rest.data[0] == '\r')
		skip(rows, 1);
	if (rows->rest.len && rows->rest.data[0] == '\n')
		skip(rows, 1);
	rows->next_line += rows->rest.len < before;
}

static bool is_comment(const struct csv_rows *rows)
{
	return rows->comment &&
	       rows->rest.data[0] == (unsigned char)rows->comment;
}

static void skip_line(struct csv_rows *rows)
{
	while (rows->rest.len && !is_line_end(rows->rest.data[0]))
		skip(rows, 1);
	skip_line_end(rows);
}

int csv_rows_next(struct csv_rows *rows, struct error *err)
{
	int more;

	while (rows->rest.len &&
	       (is_line_end(rows->rest.data[0]) || is_comment(rows)))
		skip_line(rows);
	if (!rows->rest.len)
		return 0;
	rows->line = rows->next_line;
	rows->count = 0;
	rows->texts.len = 0;
	do {
		more = read_field(rows, err);
	} while (more > 0);
	skip_line_end(rows);
	return more ? -1 : 1;
}

struct span csv_rows_field(const struct csv_rows *rows, size_t i)
{
	return (struct span){
		.data = rows->texts.data + rows->fields[i].at,
		.len = rows->fields[i].len,
	};
}

void csv_rows_drop_empty(struct csv_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->fields[i].len)
			rows->fields[kept++] = rows->fields[i];
	rows->count = kept;
}

int csv_rows_expect(
    const struct csv_rows *rows, size_t count, struct error *err)
{
	if (rows->count == count)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s:%zu: %zu fields where the header has %zu", rows->path,
	    rows->line, rows->count, count);
}

void csv_rows_release(struct csv_rows *rows)
{
	buf_release(&rows->texts);
	free(rows->fields);
	*rows = (struct csv_rows)CSV_ROWS_INIT;
}
