/* table_columns.c - see table.h: which columns are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/tables/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/json.h"

enum { LIST_TEXT = 400 };

static const char bytes_end[] = ".bytes", path_end[] = ".path";

/* The columns of the file that is being looked at. */
struct choice {
	struct reader *reader;
	struct table *table;
	const struct table_column *columns;
	size_t count;
	unsigned *ids;
};

/* Returns the index of a column; -1: there is none. */
static int find_exactly(const struct choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->count; i++)
		if (strcmp(choice->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* The same for NAME followed by `end`. */
static int find_member(
    const struct choice *choice, const char *name, const char *end)
{
	char text[2 * TABLE_NAME];

	snprintf(text, sizeof(text), "%s%s", name, end);
	return find_exactly(choice, text);
}

/* Finds NAME, or the bytes of the struct NAME. */
static int find_column(const struct choice *choice, const char *name)
{
	const int exact = find_exactly(choice, name);

	return exact >= 0 ? exact : find_member(choice, name, bytes_end);
}

/* Returns the length of a column's name without ".bytes". */
static size_t base_len(const char *name)
{
	const size_t len = strlen(name), end = strlen(bytes_end);

	return len > end && strcmp(name + len - end, bytes_end) == 0 ? len - end
	                                                             : len;
}

/* Writes "image.bytes (binary), label (int64)". */
static void list_columns(const struct choice *choice, char text[LIST_TEXT])
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < choice->count && len < LIST_TEXT - 120; i++) {
		const struct table_column *column = &choice->columns[i];

		len += (size_t)snprintf(text + len, LIST_TEXT - len,
		    "%s%.60s (%.40s)", i ? ", " : "", column->name,
		    column->what);
	}
}

static int no_column(
    const struct choice *choice, const char *name, struct error *err)
{
	char list[LIST_TEXT];

	list_columns(choice, list);
	return error_set(err, ERROR_DATA, "no column '%.80s'; there are %s",
	    name, *list ? list : "none");
}

/* Reads a column, unless it is read already. Returns its index in `chosen`. */
static int add_chosen(struct choice *choice, int column)
{
	struct table *table = choice->table;
	const struct table_column *wanted = &choice->columns[column];

	for (unsigned i = 0; i < table->count; i++)
		if (strcmp(table->chosen[i].name, wanted->name) == 0)
			return (int)i;
	table->chosen[table->count] = *wanted;
	return (int)table->count++;
}

static int check_readable(const struct table_column *column, struct error *err)
{
	if (column->kind != TABLE_OTHER)
		return 0;
	return error_set(err, ERROR_DATA,
	    "column '%s' is %s, which is not read", column->name, column->what);
}

/* ---- fields ---- */

static int add_field(
    void *arg, const char *field, const char *name, struct error *err)
{
	const struct type unknown = { .layout = LAYOUT_ENCODED };
	struct choice *choice = arg;
	struct table *table = choice->table;
	const unsigned f = choice->reader->schema.count;
	const int column = find_column(choice, name);
	char base[TABLE_NAME];
	int path;

	if (column < 0)
		return no_column(choice, name, err);
	if (check_readable(&choice->columns[column], err))
		return -1;
	if (schema_add(&choice->reader->schema, field, &unknown, err)) {
		err->code = ERROR_USAGE;
		return -1;
	}
	table->fields[f] = add_chosen(choice, column);
	table->paths[f] = -1;
	snprintf(base, sizeof(base), "%.*s",
	    (int)base_len(choice->columns[column].name),
	    choice->columns[column].name);
	path = find_member(choice, base, path_end);
	if (path >= 0 && choice->columns[path].kind == TABLE_TEXT)
		table->paths[f] = add_chosen(choice, path);
	return 0;
}

static bool is_candidate(const struct choice *choice, size_t column)
{
	const struct table *table = choice->table;
	const struct table_column *c = &choice->columns[column];
	const size_t len = strlen(c->name), end = strlen(path_end);
	char base[TABLE_NAME];

	for (int role = 0; role < 2; role++) {
		const int taken = role ? table->key : table->label;

		if (taken >= 0 &&
		    strcmp(table->chosen[taken].name, c->name) == 0)
			return false;
	}
	if (c->kind == TABLE_OTHER)
		return false;
	if (len <= end || strcmp(c->name + len - end, path_end) != 0)
		return true;
	snprintf(base, sizeof(base), "%.*s", (int)(len - end), c->name);
	return find_member(choice, base, bytes_end) < 0;
}

/* Returns the only candidate of these kinds; -1: there is not just one. */
static int find_only(const struct choice *choice, unsigned kinds)
{
	int found = -1;

	for (size_t i = 0; i < choice->count; i++) {
		if (!(kinds & 1U << choice->columns[i].kind) ||
		    !is_candidate(choice, i))
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

/* Finds the column of the only field, without the option `fields`. */
static int find_data(const struct choice *choice)
{
	static const char *const usual[] = { "data", "image", "img", "jpg",
		"jpeg", "png", "audio", "text", "content" };
	static const unsigned kinds[] = { 1U << TABLE_BYTES, 1U << TABLE_TEXT,
		1U << TABLE_ARRAY | 1U << TABLE_LIST, ~(1U << TABLE_OTHER) };
	int found = -1;

	for (size_t i = 0; found < 0 && i < ARRAY_LEN(usual); i++) {
		found = find_column(choice, usual[i]);
		if (found >= 0 && !is_candidate(choice, (size_t)found))
			found = -1;
	}
	for (size_t i = 0; found < 0 && i < ARRAY_LEN(kinds); i++)
		found = find_only(choice, kinds[i]);
	return found;
}

static int choose_fields(struct choice *choice, struct error *err)
{
	const char *fields = choice->table->options->fields;
	char list[LIST_TEXT];
	int found;

	if (fields)
		return field_names_parse(fields, add_field, choice, err);
	found = find_data(choice);
	if (found >= 0)
		return add_field(
		    choice, "data", choice->columns[found].name, err);
	list_columns(choice, list);
	return error_set(err, ERROR_DATA,
	    "which column is the sample? Give 'fields = data:COLUMN'; there "
	    "are %s",
	    *list ? list : "none");
}

/* ---- key and label ---- */

static int choose_key(struct choice *choice, struct error *err)
{
	struct table *table = choice->table;
	const char *name = table->options->key;
	int column;

	if (!name)
		return 0;
	column = find_exactly(choice, name);
	if (column < 0)
		return no_column(choice, name, err);
	if (choice->columns[column].kind != TABLE_TEXT &&
	    choice->columns[column].kind != TABLE_BYTES)
		return error_set(err, ERROR_DATA,
		    "column '%s' is %s, and a key is a text", name,
		    choice->columns[column].what);
	table->key = add_chosen(choice, column);
	return 0;
}

static bool is_integer(const struct table_column *column)
{
	return column->kind == TABLE_NUMBER &&
	       column->type.dtype != DTYPE_F16 &&
	       column->type.dtype != DTYPE_F32 &&
	       column->type.dtype != DTYPE_F64;
}

static int choose_label(struct choice *choice, struct error *err)
{
	static const char *const usual[] = { "label", "labels", "class",
		"cls" };
	struct table *table = choice->table;
	const char *name = table->options->label;
	int column = -1;

	if (name && strcmp(name, "none") == 0)
		return 0;
	if (name) {
		column = find_exactly(choice, name);
		if (column < 0)
			return no_column(choice, name, err);
		if (!is_integer(&choice->columns[column]) &&
		    choice->columns[column].kind != TABLE_TEXT)
			return error_set(err, ERROR_DATA,
			    "column '%s' is %s, and a label is a whole number",
			    name, choice->columns[column].what);
	}
	for (size_t i = 0; !name && column < 0 && i < ARRAY_LEN(usual); i++) {
		column = find_exactly(choice, usual[i]);
		if (column >= 0 && !is_integer(&choice->columns[column]))
			column = -1;
	}
	if (column >= 0)
		table->label = add_chosen(choice, column);
	return 0;
}

/* ---- all of it ---- */

/* Finds the chosen columns in a later file. */
static int match(struct choice *choice, struct error *err)
{
	const struct table *table = choice->table;

	for (unsigned i = 0; i < table->count; i++) {
		const struct table_column *wanted = &table->chosen[i];
		const int column = find_exactly(choice, wanted->name);
		const struct table_column *is;

		if (column < 0)
			return no_column(choice, wanted->name, err);
		is = &choice->columns[column];
		if (is->kind != wanted->kind ||
		    !type_equal(&is->type, &wanted->type))
			return error_set(err, ERROR_DATA,
			    "column '%s' is %s, and %s in the first file",
			    wanted->name, is->what, wanted->what);
		choice->ids[i] = is->id;
	}
	return 0;
}

int table_choose(struct reader *reader, const struct table_column *columns,
    size_t count, unsigned ids[TABLE_CHOSEN], struct error *err)
{
	struct choice choice = { reader, reader->priv, columns, count, ids };

	if (choice.table->count == 0 &&
	    (choose_key(&choice, err) || choose_label(&choice, err) ||
	        choose_fields(&choice, err)))
		return -1;
	return match(&choice, err);
}

/* ---- names of classes ---- */

static int set_classes(struct table *table, const struct json_t *names)
{
	const size_t count = json_count(names);
	struct span *words = calloc(count + 1, sizeof(*words));
	struct error ignored;
	int rc = words ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		const char *text = json_item_text(names, i);

		rc = text ? 0 : -1;
		if (text)
			words[i] = span_text(text);
	}
	if (rc == 0)
		rc = classes_set(&table->classes, words, count, &ignored);
	free(words);
	return rc;
}

void table_learn_classes(struct reader *reader, struct span json)
{
	struct table *table = reader->priv;
	struct json_doc doc = { .root = NULL };
	struct error ignored = ERROR_INIT;
	struct json_t *info, *features, *label, *names;

	if (table->label < 0 || table->classes.count || json.len == 0)
		return;
	if (json_doc_parse(&doc, "", json, &ignored) == 0 &&
	    json_get_object(doc.root, "info", &info, &ignored) == 0 &&
	    json_get_object(info, "features", &features, &ignored) == 0 &&
	    json_get_object(features, table->chosen[table->label].name, &label,
	        &ignored) == 0 &&
	    json_get_array(label, "names", &names, &ignored) == 0)
		set_classes(table, names);
	json_doc_release(&doc);
}
