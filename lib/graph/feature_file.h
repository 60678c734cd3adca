/*
 * feature_file.h - the features of a graph's nodes as text, as a table: a row
 * a node.
 *
 * Two forms, told apart by how they begin:
 *	{"0": [3, 17], "1": [4], ...}	MUSAE, Twitch: the columns that are 1
 *	# NODES COLUMNS			LINQS: columns with their values; the
 *	0 19:1 81:0.5 ...		first line may be missing
 * What is not told is 0.  A node may come more than once.
 */
#ifndef LIB_GRAPH_FEATURE_FILE_H
#define LIB_GRAPH_FEATURE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum {
	FEATURE_NODES_MAX = INT32_MAX - 1,
	FEATURE_COLUMNS_MAX = 1 << 24,
};

struct feature_size {
	size_t nodes, columns;
};

/*
 * How many nodes and columns the text has, by the highest of each, or by what
 * its first line says.  Errors are "line 3: ...".
 */
int feature_file_size(
    struct span text, struct feature_size *size, struct error *err);
/*
 * Sets what is not 0 in `table`, of these rows and columns, which is all
 * zeros; ERROR_DATA when a node or column is not in it.
 */
int feature_file_read(struct span text, const struct feature_size *size,
    float *table, struct error *err);

#endif
