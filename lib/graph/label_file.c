/* label_file.c - see label_file.h. */
#include "lib/graph/label_file.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/classes.h"
#include "lib/sample/labels.h"

/* Indexes of the fields to read; alone: there is no node. */
struct place {
	size_t node, label, count;
	bool is_alone;
};

static const char *const node_names[] = { "new_id", "node", "node_id", "id" };
static const char *const label_names[] = { "label", "labels", "target", "class",
	"y" };

/* Finds the delimiter in the first line that is not a comment. */
static char find_delimiter(struct span text)
{
	const unsigned char *end;

	while (text.len && text.data[0] == '#') {
		end = memchr(text.data, '\n', text.len);
		if (!end)
			break;
		text.len -= (size_t)(end + 1 - text.data);
		text.data = end + 1;
	}
	end = text.len ? memchr(text.data, '\n', text.len) : NULL;
	if (end)
		text.len = (size_t)(end - text.data);
	for (const char *c = ",;\t"; *c; c++)
		if (text.len && memchr(text.data, *c, text.len))
			return *c;
	return ' ';
}

/* Reads the next row that is not empty; several blanks count as one. */
static int next_row(struct label_file *file, struct error *err)
{
	struct csv_rows *rows = &file->table;
	int got;

	while ((got = csv_rows_next(rows, err)) > 0) {
		if (rows->delimiter == ' ')
			csv_rows_drop_empty(rows);
		if (rows->count)
			return 1;
	}
	return got;
}

static bool is_number(struct span field)
{
	int64_t number;

	return label_parse(field, &number) == 0;
}

static int find_name(const struct csv_rows *rows, const char *const *names,
    size_t count, size_t *place)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < rows->count; k++)
			if (span_equal(
			        csv_rows_field(rows, k), span_text(names[i]))) {
				*place = k;
				return 0;
			}
	return -1;
}

/* Finds a column by its name, or by one of the usual names. */
static int find_column(const struct csv_rows *rows, const char *name,
    const char *const *usual, size_t usual_count, size_t *place)
{
	return name ? find_name(rows, &name, 1, place)
	            : find_name(rows, usual, usual_count, place);
}

static int error_column(
    const struct csv_rows *rows, const char *option, struct error *err)
{
	char header[200] = "";
	size_t len = 0;

	for (size_t i = 0; i < rows->count && len < sizeof(header) - 50; i++) {
		const struct span name = csv_rows_field(rows, i);
		const size_t n = name.len < 40 ? name.len : 40;

		if (i)
			header[len++] = ',';
		memcpy(header + len, name.data, n);
		len += n;
	}
	return error_set(err, ERROR_DATA,
	    "%s:%zu: which column has the %ss? the header is '%s': give "
	    "%s=NAME",
	    rows->path, rows->line, option, header, option);
}

static int read_header(const struct csv_rows *rows,
    const struct label_columns *columns, struct place *place, struct error *err)
{
	*place = (struct place){
		.count = rows->count,
		.is_alone = rows->count == 1,
	};
	if (find_column(rows, columns->node, node_names, ARRAY_LEN(node_names),
	        &place->node) &&
	    !place->is_alone)
		return error_column(rows, "node", err);
	if (find_column(rows, columns->label, label_names,
	        ARRAY_LEN(label_names), &place->label)) {
		if (columns->label || rows->count > 2)
			return error_column(rows, "label", err);
		place->label = place->is_alone ? 0 : !place->node;
	}
	return 0;
}

/* Is the first row a header? */
static bool is_header(
    const struct csv_rows *rows, const struct label_columns *columns)
{
	size_t place;

	if (columns->node || columns->label)
		return true;
	if (rows->count == 1)
		return find_name(rows, label_names, ARRAY_LEN(label_names),
		           &place) == 0;
	return !is_number(csv_rows_field(rows, 0));
}

static int begin(const struct csv_rows *rows,
    const struct label_columns *columns, struct place *place, struct error *err)
{
	if (is_header(rows, columns))
		return read_header(rows, columns, place, err);
	*place = (struct place){
		.label = rows->count > 1,
		.count = rows->count,
		.is_alone = rows->count == 1,
	};
	if (rows->count <= 2)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s:%zu: %zu columns, and no header that names them", rows->path,
	    rows->line, rows->count);
}

static int take_node(const struct label_file *file, const struct place *place,
    size_t *node, struct error *err)
{
	const struct csv_rows *rows = &file->table;
	const struct span field = csv_rows_field(rows, place->node);
	int64_t number = (int64_t)file->seen;

	if (!place->is_alone && label_parse(field, &number))
		return error_set(err, ERROR_DATA,
		    "%s:%zu: the node '%.40s' is not a whole number",
		    rows->path, rows->line, (const char *)field.data);
	if (number < 0 || number > LABEL_NODES_MAX - 1)
		return error_set(err, ERROR_DATA,
		    "%s:%zu: the node %lld is not 0 to %d", rows->path,
		    rows->line, (long long)number, LABEL_NODES_MAX - 1);
	*node = (size_t)number;
	return 0;
}

static int add_row(
    struct label_file *file, const struct place *place, struct error *err)
{
	const struct csv_rows *rows = &file->table;
	struct node_label *grown;
	struct span word;
	size_t node = 0;

	if (csv_rows_expect(rows, place->count, err) ||
	    take_node(file, place, &node, err))
		return -1;
	word = csv_rows_field(rows, place->label);
	file->seen++;
	if (node >= file->nodes)
		file->nodes = node + 1;
	if (word.len == 0)
		return 0;
	grown = array_grow(
	    file->rows, &file->capacity, file->count + 1, sizeof(*grown), err);
	if (!grown || buf_append(&file->words, word.data, word.len, err))
		return -1;
	file->rows = grown;
	grown[file->count++] = (struct node_label){
		.node = node,
		.line = rows->line,
		.word_len = word.len,
	};
	return 0;
}

/* Turns words into numbers, once all are known. */
static int number_rows(struct label_file *file, struct error *err)
{
	struct classes classes = CLASSES_INIT;
	const unsigned char *at = file->words.data;
	struct span *spans;
	int64_t *numbers;
	size_t bytes;

	if (size_mul(file->count, sizeof(*spans), &bytes))
		return error_memory(err, SIZE_MAX);
	if (buf_reserve(&file->spans, bytes, err) ||
	    buf_reserve(&file->numbers, bytes, err))
		return -1;
	spans = (struct span *)(void *)file->spans.data;
	numbers = (int64_t *)(void *)file->numbers.data;
	for (size_t i = 0; i < file->count; i++) {
		spans[i] = (struct span){ at, file->rows[i].word_len };
		at += spans[i].len;
	}
	if (labels_from_words(spans, file->count, true, numbers, &classes, err))
		return -1;
	classes_release(&classes);
	for (size_t i = 0; i < file->count; i++)
		file->rows[i].label = numbers[i];
	return 0;
}

int label_file_read(struct label_file *file, struct span text,
    const struct label_columns *columns, struct error *err)
{
	struct place place = { .count = 0 };
	int got;

	file->count = file->seen = 0;
	file->nodes = 0;
	file->words.len = 0;
	csv_rows_begin(&file->table, "labels", text, find_delimiter(text));
	file->table.comment = '#';
	got = next_row(file, err);
	if (got > 0 && begin(&file->table, columns, &place, err))
		return -1;
	if (got > 0 && is_header(&file->table, columns))
		got = next_row(file, err);
	while (got > 0) {
		if (add_row(file, &place, err))
			return -1;
		got = next_row(file, err);
	}
	if (got == 0 && !file->count)
		return error_set(err, ERROR_DATA, "holds no labels");
	return got ? -1 : number_rows(file, err);
}

void label_file_release(struct label_file *file)
{
	free(file->rows);
	csv_rows_release(&file->table);
	buf_release(&file->words);
	buf_release(&file->spans);
	buf_release(&file->numbers);
	*file = (struct label_file){ .rows = NULL };
}
