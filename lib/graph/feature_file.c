/* feature_file.c - see feature_file.h. */
#include <stdbool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/graph/feature_file.h"

enum { NUMBER_TEXT = 40 };

struct cursor {
	const unsigned char *begin, *at, *end;
};

/* Receives a feature; -1 stops reading. */
typedef int feature_visit(
    void *arg, size_t node, size_t column, float value, struct error *err);
/* Receives a node, with or without features. */
typedef int node_visit(void *arg, size_t node, struct error *err);

struct visitor {
	node_visit *node;
	feature_visit *feature;
	void *arg;
	struct feature_size *told; /* sizes in the first line; may be NULL */
};

/* Puts "line 3: " before the message: 1 + the newlines so far. */
static int error_line(const struct cursor *c, struct error *err)
{
	size_t line = 1;

	for (const unsigned char *at = c->begin; at < c->at; at++)
		line += *at == '\n';
	return error_prefix(err, "line %zu", line);
}

static int error_expected(
    const struct cursor *c, const char *name, struct error *err)
{
	if (c->at == c->end)
		error_set(err, ERROR_DATA, "ends where %s should be", name);
	else
		error_set(err, ERROR_DATA,
		    "%s should be where the byte 0x%02x is", name, *c->at);
	return error_line(c, err);
}

static void skip(struct cursor *c, const char *bytes)
{
	while (c->at < c->end && *c->at && strchr(bytes, *c->at))
		c->at++;
}

static bool take(struct cursor *c, unsigned char byte)
{
	if (c->at == c->end || *c->at != byte)
		return false;
	c->at++;
	return true;
}

/* Reads an integer of at most `most`. */
static int take_index(struct cursor *c, size_t most, const char *name,
    size_t *number, struct error *err)
{
	size_t value = 0;

	if (c->at == c->end || *c->at < '0' || *c->at > '9')
		return error_expected(c, name, err);
	for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
		value = value * 10 + (size_t)(*c->at - '0');
		if (value > most) {
			error_set(
			    err, ERROR_DATA, "%s is more than %zu", name, most);
			return error_line(c, err);
		}
	}
	*number = value;
	return 0;
}

static int take_node(struct cursor *c, size_t *node, struct error *err)
{
	return take_index(
	    c, FEATURE_NODES_MAX - 1, "the number of a node", node, err);
}

static int take_column(struct cursor *c, size_t *column, struct error *err)
{
	return take_index(
	    c, FEATURE_COLUMNS_MAX - 1, "the number of a column", column, err);
}

/* ---- {"node": [column, ...], ...} ---- */

static const char json_blanks[] = " \t\r\n";

static int read_list(struct cursor *c, size_t node,
    const struct visitor *visitor, struct error *err)
{
	size_t column;

	if (!take(c, '['))
		return error_expected(c, "'['", err);
	skip(c, json_blanks);
	if (take(c, ']'))
		return 0;
	for (;;) {
		skip(c, json_blanks);
		if (take_column(c, &column, err))
			return -1;
		/* Some lists have numbers with a fraction: 3.0 */
		if (take(c, '.'))
			skip(c, "0");
		if (visitor->feature(visitor->arg, node, column, 1, err))
			return error_line(c, err);
		skip(c, json_blanks);
		if (take(c, ']'))
			return 0;
		if (!take(c, ','))
			return error_expected(c, "',' or ']'", err);
	}
}

static int read_member(
    struct cursor *c, const struct visitor *visitor, struct error *err)
{
	size_t node;

	if (!take(c, '"'))
		return error_expected(c, "'\"'", err);
	if (take_node(c, &node, err))
		return -1;
	if (!take(c, '"'))
		return error_expected(c, "'\"'", err);
	skip(c, json_blanks);
	if (!take(c, ':'))
		return error_expected(c, "':'", err);
	skip(c, json_blanks);
	if (visitor->node(visitor->arg, node, err))
		return error_line(c, err);
	return read_list(c, node, visitor, err);
}

static int read_json(
    struct cursor *c, const struct visitor *visitor, struct error *err)
{
	take(c, '{');
	skip(c, json_blanks);
	while (!take(c, '}')) {
		if (read_member(c, visitor, err))
			return -1;
		skip(c, json_blanks);
		if (take(c, ','))
			skip(c, json_blanks);
		else if (c->at == c->end || *c->at != '}')
			return error_expected(c, "',' or '}'", err);
	}
	skip(c, json_blanks);
	if (c->at < c->end)
		return error_expected(c, "the end", err);
	return 0;
}

/* ---- node column:value ... ---- */

static int take_value(struct cursor *c, float *value, struct error *err)
{
	char text[NUMBER_TEXT];
	double number = 0;
	size_t len = 0;

	while (c->at + len < c->end && len < sizeof(text) &&
	       !strchr(" \t\r\n", c->at[len]) && c->at[len])
		len++;
	if (len == 1 && *c->at >= '0' && *c->at <= '9') {
		*value = (float)(*c->at++ - '0');
		return 0;
	}
	if (len < sizeof(text)) {
		memcpy(text, c->at, len);
		text[len] = '\0';
	}
	if (len == sizeof(text) || units_parse_real(text, &number))
		return error_expected(c, "a number", err);
	*value = (float)number;
	c->at += len;
	return 0;
}

static int read_row(
    struct cursor *c, const struct visitor *visitor, struct error *err)
{
	size_t node, column;
	float value = 0;

	if (take_node(c, &node, err))
		return -1;
	if (visitor->node(visitor->arg, node, err))
		return error_line(c, err);
	for (;;) {
		skip(c, " \t\r");
		if (c->at == c->end || *c->at == '\n')
			return 0;
		if (take_column(c, &column, err))
			return -1;
		if (!take(c, ':'))
			return error_expected(c, "':'", err);
		if (take_value(c, &value, err))
			return -1;
		if (visitor->feature(visitor->arg, node, column, value, err))
			return error_line(c, err);
	}
}

/* Reads "# NODES COLUMNS"; anything else after '#' is a comment. */
static void read_sizes(struct cursor *c, struct feature_size *told)
{
	struct feature_size size;
	struct error ignored;

	take(c, '#');
	skip(c, " \t");
	if (take_index(c, FEATURE_NODES_MAX, "", &size.nodes, &ignored))
		return;
	skip(c, " \t");
	if (take_index(c, FEATURE_COLUMNS_MAX, "", &size.columns, &ignored))
		return;
	skip(c, " \t\r");
	if (told && (c->at == c->end || *c->at == '\n'))
		*told = size;
}

static int read_rows(
    struct cursor *c, const struct visitor *visitor, struct error *err)
{
	for (;;) {
		const unsigned char *newline;

		skip(c, " \t\r\n");
		if (c->at == c->end)
			return 0;
		if (*c->at != '#') {
			if (read_row(c, visitor, err))
				return -1;
			continue;
		}
		read_sizes(c, visitor->told);
		newline = memchr(c->at, '\n', (size_t)(c->end - c->at));
		c->at = newline ? newline : c->end;
	}
}

static int read_text(
    struct span text, const struct visitor *visitor, struct error *err)
{
	struct cursor c = { text.data, text.data, text.data };

	if (text.len)
		c.end += text.len;
	skip(&c, json_blanks);
	if (c.at < c.end && *c.at == '{')
		return read_json(&c, visitor, err);
	return read_rows(&c, visitor, err);
}

/* ---- size and table ---- */

static int grow_nodes(void *arg, size_t node, struct error *err)
{
	struct feature_size *size = arg;

	UNUSED(err);
	size->nodes = node >= size->nodes ? node + 1 : size->nodes;
	return 0;
}

static int grow_columns(
    void *arg, size_t node, size_t column, float value, struct error *err)
{
	struct feature_size *size = arg;

	UNUSED(node);
	UNUSED(value);
	UNUSED(err);
	size->columns = column >= size->columns ? column + 1 : size->columns;
	return 0;
}

int feature_file_size(
    struct span text, struct feature_size *size, struct error *err)
{
	struct feature_size told = { .nodes = 0 };
	const struct visitor visitor = {
		.node = grow_nodes,
		.feature = grow_columns,
		.arg = size,
		.told = &told,
	};

	*size = (struct feature_size){ .nodes = 0 };
	if (read_text(text, &visitor, err))
		return -1;
	if (size->nodes == 0)
		return error_set(err, ERROR_DATA, "holds no features");
	if (told.nodes > size->nodes)
		size->nodes = told.nodes;
	if (told.columns > size->columns)
		size->columns = told.columns;
	return 0;
}

struct filling {
	const struct feature_size *size;
	float *table;
};

static int check_node(void *arg, size_t node, struct error *err)
{
	const struct filling *filling = arg;

	if (node < filling->size->nodes)
		return 0;
	return error_set(err, ERROR_DATA, "node %zu is not one of %zu", node,
	    filling->size->nodes);
}

static int set_feature(
    void *arg, size_t node, size_t column, float value, struct error *err)
{
	const struct filling *filling = arg;
	const size_t columns = filling->size->columns;

	if (column >= columns)
		return error_set(err, ERROR_DATA,
		    "column %zu is not one of %zu", column, columns);
	filling->table[node * columns + column] = value;
	return 0;
}

int feature_file_read(struct span text, const struct feature_size *size,
    float *table, struct error *err)
{
	struct filling filling = { size, table };
	const struct visitor visitor = {
		.node = check_node,
		.feature = set_feature,
		.arg = &filling,
	};

	return read_text(text, &visitor, err);
}
