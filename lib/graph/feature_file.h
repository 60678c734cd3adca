/*
 * feature_file.h - parses the features of a graph's nodes into a table with one
 * row per node.
 *
 * There are two forms, recognized by their beginning:
 * 	{"0": [3, 17], "1": [4], ...}   MUSAE, Twitch: the columns that are 1
 * 	# NODES COLUMNS                 LINQS: columns with their values; the
 * 	0 19:1 81:0.5 ...               first line may be missing
 *
 * Other values are 0.  A node may appear several times.
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
 * Gets the numbers of nodes and columns, from the first line or from the
 * highest ones in the text.  Errors are "line 3: ...".
 */
int feature_file_size(
    struct span text, struct feature_size *size, struct error *err);
/*
 * Sets the values that are not 0 in `table`, which has this size and is zeroed;
 * ERROR_DATA if a node or column is outside.
 */
int feature_file_read(struct span text, const struct feature_size *size,
    float *table, struct error *err);

#endif
