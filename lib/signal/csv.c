/* csv.c - see csv.h. */
#include <string.h>

#include "lib/base/decimal.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/signal/csv.h"

static struct span take_line(struct span *text)
{
	const unsigned char *end = memchr(text->data, '\n', text->len);
	struct span line = { text->data, text->len };

	if (end)
		line.len = (size_t)(end - text->data);
	text->data += line.len + (end != NULL);
	text->len -= line.len + (end != NULL);
	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	return line;
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t';
}

static struct span trim(struct span field)
{
	while (field.len && is_blank(field.data[0])) {
		field.data++;
		field.len--;
	}
	while (field.len && is_blank(field.data[field.len - 1]))
		field.len--;
	return field;
}

static bool is_comment(struct span line)
{
	const struct span text = trim(line);

	return text.len == 0 || text.data[0] == '#';
}

/* Takes the next field of a line, trimmed; false at the end. */
static bool take_field(struct span *line, char delimiter, struct span *field)
{
	size_t len = 0;

	if (!line->data)
		return false;
	if (delimiter == ' ') {
		*line = trim(*line);
		while (len < line->len && !is_blank(line->data[len]))
			len++;
	} else {
		const unsigned char *end =
		    line->len ? memchr(line->data, delimiter, line->len) : NULL;

		len = end ? (size_t)(end - line->data) : line->len;
	}
	*field = trim((struct span){ line->data, len });
	if (len == line->len) {
		line->data = NULL;
		line->len = 0;
	} else {
		line->data += len + 1;
		line->len -= len + 1;
	}
	if (field->len >= 2 && field->data[0] == '"' &&
	    field->data[field->len - 1] == '"') {
		field->data++;
		field->len -= 2;
	}
	return true;
}

static bool is_number(struct span field)
{
	double number;

	return field.len && decimal_parse((const char *)field.data, field.len,
	                        &number) == field.len;
}

static char find_delimiter(struct span line)
{
	static const char known[] = ";\t,";

	line = trim(line);
	for (const char *c = known; *c; c++)
		if (memchr(line.data, *c, line.len))
			return *c;
	return ' ';
}

/* ---- columns ---- */

static bool is_column(
    struct span header, char delimiter, struct span name, size_t *column)
{
	struct span field;

	for (*column = 0; take_field(&header, delimiter, &field); ++*column)
		if (span_equal(field, name))
			return true;
	return false;
}

/* Finds a column by its number from 1, or by its name in the header. */
static int find_column(const struct csv *csv, struct span header,
    struct span name, size_t *column, struct error *err)
{
	char text[32] = "";
	uint64_t number = 0;

	if (header.data && is_column(header, csv->delimiter, name, column))
		return 0;
	if (name.len < sizeof(text))
		memcpy(text, name.data, name.len);
	if (units_parse_uint(text, &number) == 0 && number > 0 &&
	    number <= csv->fields) {
		*column = (size_t)number - 1;
		return 0;
	}
	if (header.data)
		return error_set(err, ERROR_DATA,
		    "there is no column '%.*s': the header is '%.*s'",
		    (int)(name.len < 80 ? name.len : 80), name.data,
		    (int)(header.len < 400 ? header.len : 400), header.data);
	return error_set(err, ERROR_DATA,
	    "there is no column '%.*s': there are %zu, and no header",
	    (int)(name.len < 80 ? name.len : 80), name.data, csv->fields);
}

static int find_columns(struct csv *csv, const struct csv_format *format,
    struct span header, struct error *err)
{
	struct span names = span_text(format->columns ? format->columns : "");
	struct span name;

	csv->count = 0;
	if (!format->columns) {
		for (size_t i = 0; i < csv->fields && i < CSV_COLUMNS_MAX; i++)
			csv->wanted[csv->count++] = i;
		if (csv->fields <= CSV_COLUMNS_MAX)
			return 0;
		return error_set(err, ERROR_DATA,
		    "there are %zu columns: choose %d at most by columns",
		    csv->fields, CSV_COLUMNS_MAX);
	}
	while (take_field(&names, ',', &name)) {
		if (csv->count == CSV_COLUMNS_MAX)
			return error_set(err, ERROR_DATA,
			    "there can be at most %d columns", CSV_COLUMNS_MAX);
		if (find_column(
		        csv, header, name, &csv->wanted[csv->count++], err))
			return -1;
	}
	return 0;
}

static size_t count_fields(struct span line, char delimiter)
{
	struct span field;
	size_t count = 0;

	while (take_field(&line, delimiter, &field))
		count++;
	return count;
}

static size_t count_lines(struct span text)
{
	size_t count = 0;

	while (text.len) {
		take_line(&text);
		count++;
	}
	return count;
}

static int check_text(struct span text, struct error *err)
{
	const unsigned char *zero =
	    text.len ? memchr(text.data, 0, text.len) : NULL;

	if (zero)
		return error_set(err, ERROR_DATA,
		    "byte %zu is 0x00: this is not text of single bytes",
		    (size_t)(zero - text.data));
	return 0;
}

int csv_text_open(struct csv *csv, const struct csv_format *format,
    struct span text, struct error *err)
{
	struct span line = { NULL, 0 }, first, field = { NULL, 0 };
	struct span header = { NULL, 0 };
	bool has_header = format->header == CSV_HEADER_YES;

	*csv = (struct csv){ .rows = text, .first_line = 1 };
	if (check_text(text, err))
		return -1;
	while (csv->rows.len) {
		line = take_line(&csv->rows);
		if (!is_comment(line))
			break;
		csv->first_line++;
		line.len = 0;
	}
	if (!line.len)
		return error_set(err, ERROR_DATA, "the text has no rows");
	line = trim(line);
	csv->delimiter =
	    format->delimiter ? format->delimiter : find_delimiter(line);
	csv->fields = count_fields(line, csv->delimiter);
	first = line;
	take_field(&first, csv->delimiter, &field);
	if (format->header == CSV_HEADER_AUTO)
		has_header = !is_number(field);
	if (has_header) {
		header = line;
		csv->first_line++;
	} else {
		csv->rows.len += (size_t)(csv->rows.data - line.data);
		csv->rows.data = line.data;
	}
	/* A row has a delimiter or newline for each field, and a digit. */
	csv->lines = count_lines(csv->rows);
	if (csv->lines > csv->rows.len / csv->fields + 1)
		csv->lines = csv->rows.len / csv->fields + 1;
	csv->all = !format->columns;
	return find_columns(csv, format, header, err);
}

/* ---- rows ---- */

/* The destination of each field: its column, or none. */
struct target {
	enum dtype dtype;
	void *out;
	size_t stride;
};

static int error_field(struct span field, size_t line, struct error *err)
{
	return error_set(err, ERROR_DATA, "line %zu: '%.*s' is not a number",
	    line, (int)(field.len < 60 ? field.len : 60), field.data);
}

static void put(
    const struct target *target, size_t column, size_t row, double value)
{
	const size_t at = column * target->stride + row;

	if (target->dtype == DTYPE_F32)
		((float *)target->out)[at] = (float)value;
	else
		((double *)target->out)[at] = value;
}

static int read_line(const struct csv *csv, const struct target *target,
    struct span text, size_t row, size_t line, struct error *err)
{
	double values[CSV_COLUMNS_MAX];
	struct span rest = text, field;
	size_t n = 0, found = 0;

	for (; take_field(&rest, csv->delimiter, &field); n++)
		for (size_t k = csv->all ? n : 0; k < csv->count; k++) {
			if (csv->wanted[k] != n && csv->all)
				break;
			if (csv->wanted[k] != n)
				continue;
			if (decimal_parse((const char *)field.data, field.len,
			        &values[k]) != field.len ||
			    !field.len)
				return error_field(field, line, err);
			found++;
		}
	if (n != csv->fields || found != csv->count)
		return error_set(err, ERROR_DATA,
		    "line %zu: expected %zu fields, got %zu", line, csv->fields,
		    n);
	for (size_t k = 0; k < csv->count; k++)
		put(target, k, row, values[k]);
	return 0;
}

int csv_text_read(const struct csv *csv, enum dtype dtype, void *out,
    size_t *rows, struct error *err)
{
	const struct target target = {
		.dtype = dtype,
		.out = out,
		.stride = csv->lines,
	};
	struct span text = csv->rows;
	size_t number = csv->first_line;

	*rows = 0;
	for (; text.len; number++) {
		struct span line = take_line(&text);

		if (is_comment(line))
			continue;
		if (csv->delimiter != '\t')
			line = trim(line);
		if (*rows == csv->lines)
			return error_set(err, ERROR_DATA,
			    "line %zu: expected %zu fields", number,
			    csv->fields);
		if (read_line(csv, &target, line, *rows, number, err))
			return -1;
		++*rows;
	}
	return 0;
}
