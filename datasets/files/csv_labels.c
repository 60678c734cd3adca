/* csv_labels.c - see csv_labels.h. */
#include "datasets/files/csv_labels.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/whole.h"
#include "lib/sample/key.h"
#include "lib/sample/labels.h"
#include "lib/syntax/csv_rows.h"

enum { FILE_MOST = 1 << 30 };

/* The file that is being read. */
struct table {
	struct csv_rows rows;
	size_t columns, key, label;
	size_t capacity; /* rows allocated in the labels */
};

/* Lists "a, b and more", for messages. */
static void list_header(const struct csv_rows *rows, struct buf *text)
{
	struct error none = ERROR_INIT;

	for (size_t i = 0; i < rows->count && text->len < 200; i++)
		buf_printf(text, &none, "%s'%.40s'", i ? ", " : "",
		    (const char *)csv_rows_field(rows, i).data);
}

static int find_column(const struct csv_rows *rows, const char *name,
    const char *option, size_t *column, struct error *err)
{
	struct buf header = BUF_INIT;

	for (*column = 0; *column < rows->count; ++*column)
		if (span_equal(csv_rows_field(rows, *column), span_text(name)))
			return 0;
	list_header(rows, &header);
	error_set(err, ERROR_DATA,
	    "%s:%zu: there is no column '%s'; the header has %s: choose one "
	    "by %s = NAME",
	    rows->path, rows->line, name,
	    header.data ? (const char *)header.data : "none", option);
	buf_release(&header);
	return -1;
}

static int read_header(struct table *table,
    const struct csv_labels_options *options, struct error *err)
{
	const int got = csv_rows_next(&table->rows, err);

	if (got < 0)
		return -1;
	if (got == 0)
		return error_set(err, ERROR_DATA,
		    "%s: is empty; it must begin with a header such as "
		    "key,label",
		    options->path);
	table->columns = table->rows.count;
	return find_column(
	           &table->rows, options->key, "label_key", &table->key, err) ||
	               find_column(&table->rows, options->label, "label_column",
	                   &table->label, err)
	           ? -1
	           : 0;
}

/* Texts move while rows are added, so only their lengths are kept here. */
static int add_row(
    struct table *table, struct csv_labels *labels, struct error *err)
{
	const struct span key = csv_rows_field(&table->rows, table->key);
	const struct span word = csv_rows_field(&table->rows, table->label);
	struct csv_label *rows;

	if (word.len == 0)
		return 0;
	rows = array_grow(labels->rows, &table->capacity, labels->count + 1,
	    sizeof(*rows), err);
	if (!rows)
		return -1;
	labels->rows = rows;
	rows[labels->count++] = (struct csv_label){
		.key = { NULL, key.len },
		.word = { NULL, word.len },
		.line = table->rows.line,
	};
	return buf_append(&labels->texts, key.data, key.len, err) ||
	               buf_append(&labels->texts, word.data, word.len, err)
	           ? -1
	           : 0;
}

static void place_texts(struct csv_labels *labels)
{
	const unsigned char *at = labels->texts.data;

	for (size_t i = 0; i < labels->count; i++) {
		labels->rows[i].key.data = at;
		at += labels->rows[i].key.len;
		labels->rows[i].word.data = at;
		at += labels->rows[i].word.len;
	}
}

static int read_rows(
    struct table *table, struct csv_labels *labels, struct error *err)
{
	int got;

	while ((got = csv_rows_next(&table->rows, err)) > 0)
		if (csv_rows_expect(&table->rows, table->columns, err) ||
		    add_row(table, labels, err))
			return -1;
	if (got == 0 && labels->count == 0)
		return error_set(err, ERROR_DATA,
		    "%s: has no labels below its header", table->rows.path);
	place_texts(labels);
	return got;
}

static int compare_keys(struct span a, struct span b)
{
	const size_t len = a.len < b.len ? a.len : b.len;
	const int order = len ? memcmp(a.data, b.data, len) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_rows(const void *a, const void *b)
{
	const struct csv_label *x = a, *y = b;
	const int order = compare_keys(x->key, y->key);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Checks that all rows of a key have the same label. */
static int check_keys(
    const struct csv_labels *labels, const char *path, struct error *err)
{
	char name[KEY_TEXT];

	for (size_t i = 1; i < labels->count; i++) {
		const struct csv_label *a = &labels->rows[i - 1], *b = a + 1;

		if (span_equal(a->key, b->key) && a->label != b->label)
			return error_set(err, ERROR_DATA,
			    "%s:%zu: '%s' has another label in line %zu", path,
			    b->line, key_text(b->key, name), a->line);
	}
	for (size_t i = 0; i < labels->count; i++) {
		const struct csv_label *row = &labels->rows[i];

		if (row->label < -1)
			return error_set(err, ERROR_DATA,
			    "%s:%zu: '%s' has the label %lld: labels are 0 and "
			    "more, or -1",
			    path, row->line, key_text(row->key, name),
			    (long long)row->label);
	}
	return 0;
}

static int number_rows(
    struct csv_labels *labels, struct classes *classes, struct error *err)
{
	struct span *words = calloc(labels->count, sizeof(*words));
	int64_t *numbers = calloc(labels->count, sizeof(*numbers));
	int rc;

	for (size_t i = 0; words && i < labels->count; i++)
		words[i] = labels->rows[i].word;
	rc = words && numbers
	         ? labels_from_words(
	               words, labels->count, true, numbers, classes, err)
	         : error_memory(err, labels->count * sizeof(*words));
	for (size_t i = 0; rc == 0 && i < labels->count; i++)
		labels->rows[i].label = numbers[i];
	free(numbers);
	free(words);
	return rc;
}

int csv_labels_read(struct csv_labels *labels,
    const struct csv_labels_options *options, struct classes *classes,
    struct error *err)
{
	struct table table = { .columns = 0 };
	struct buf text = BUF_INIT;
	int rc = medium_read_whole(
	    options->medium, options->path, FILE_MOST, &text, err);

	if (rc == 0) {
		csv_rows_begin(&table.rows, options->path, buf_span(&text), 0);
		rc = read_header(&table, options, err);
	}
	if (rc == 0)
		rc = read_rows(&table, labels, err);
	if (rc == 0)
		rc = number_rows(labels, classes, err);
	if (rc == 0) {
		qsort(labels->rows, labels->count, sizeof(*labels->rows),
		    compare_rows);
		rc = check_keys(labels, options->path, err);
	}
	csv_rows_release(&table.rows);
	buf_release(&text);
	return rc;
}

const struct csv_label *csv_labels_find(
    struct csv_labels *labels, struct span key)
{
	size_t low = 0, high = labels->count;
	const struct csv_label *found = NULL;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_keys(labels->rows[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	/* The table may repeat a key. */
	for (; low < labels->count && span_equal(labels->rows[low].key, key);
	     low++) {
		labels->rows[low].used = true;
		found = &labels->rows[low];
	}
	return found;
}

size_t csv_labels_unused(
    const struct csv_labels *labels, const struct csv_label **first)
{
	size_t unused = 0;

	*first = NULL;
	for (size_t i = 0; i < labels->count; i++) {
		const struct csv_label *row = &labels->rows[i];

		if (row->used)
			continue;
		if (!*first || row->line < (*first)->line)
			*first = row;
		unused++;
	}
	return unused;
}

void csv_labels_release(struct csv_labels *labels)
{
	free(labels->rows);
	buf_release(&labels->texts);
	*labels = (struct csv_labels)CSV_LABELS_INIT;
}
