/*
 * label_file.h - parses the labels of a graph's nodes.
 *
 * There is one row per node, in a form that collections of graphs use:
 * 	0 3                     a node and its label
 * 	id,target               a header, which names the columns
 * 	17,2
 * 	5                       labels alone, in the order of the nodes
 *
 * Fields are separated by commas, semicolons, tabs or blanks.  Lines that begin
 * with '#' are skipped.  Labels are integers, or names of classes, which are
 * numbered in sorted order.
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
	size_t word_len; /* length of its word; the words are in `words` */
	int64_t label;
};

/* The last file read; its memory is reused. */
struct label_file {
	struct node_label *rows;
	size_t count, capacity;
	size_t nodes; /* highest node + 1 */
	size_t seen;  /* rows, including skipped ones with an empty label */
	struct csv_rows table;
	struct buf words;
	struct buf spans, numbers; /* used while labels are made from words */
};

/* Names of columns; NULL: the usual names. */
struct label_columns {
	const char *node, *label;
};

/* Parses a text into `file`, zeroed at first.  ERROR_DATA names the line. */
int label_file_read(struct label_file *file, struct span text,
    const struct label_columns *columns, struct error *err);
void label_file_release(struct label_file *file);

#endif
