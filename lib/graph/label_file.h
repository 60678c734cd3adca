/*
 * label_file.h - the labels of a graph's nodes as text.
 *
 * A row for each node, in the forms that collections of graphs have:
 *	0 3			a node and its label
 *	id,target		a header, which names the columns
 *	17,2
 *	5			a label alone: the rows are the nodes in order
 * Commas, semicolons, tabs or blanks are between the fields; lines that begin
 * with '#' are left out.  Labels are whole numbers, or names of classes, which
 * become numbers by their order.
 */
#ifndef LIB_GRAPH_LABEL_FILE_H
#define LIB_GRAPH_LABEL_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/syntax/csv_rows.h"

struct error;

enum { LABEL_NODES_MAX = INT32_MAX - 1 };

struct node_label {
	size_t node, line;
	size_t word_len; /* words lie one after the other in `words` */
	int64_t label;
};

/* What was read last; its memory is used again. */
struct label_file {
	struct node_label *rows;
	size_t count, capacity;
	size_t nodes; /* one more than the highest */
	size_t seen;  /* rows, also those whose label is empty: left out */
	struct csv_rows table;
	struct buf words;
	struct buf spans, numbers; /* while labels are made of words */
};

/* Columns of a header; NULL: those with the usual names. */
struct label_columns {
	const char *node, *label;
};

/* Reads a text; a zeroed `file` is fine.  ERROR_DATA, with the line. */
int label_file_read(struct label_file *file, struct span text,
    const struct label_columns *columns, struct error *err);
void label_file_release(struct label_file *file);

#endif
