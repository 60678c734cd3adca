/*
 * edge_list.h - parses graphs in text: one edge per line, two nodes separated
 * by blanks, a tab, a comma or a semicolon.
 *
 * SNAP ("# FromNodeId<TAB>ToNodeId" first), MUSAE and Twitch (CSV with titles)
 * and LINQS (names of papers) publish this form.  Anything after the second
 * node, such as a weight, is ignored, and so are empty lines and lines that
 * begin with '#' or '%'.  The first line has titles if it is not a pair of
 * numbers but the next one is.
 */
#ifndef LIB_GRAPH_EDGE_LIST_H
#define LIB_GRAPH_EDGE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/names.h"

struct error;

enum { NODE_MAX = INT32_MAX - 1 }; /* so that their number fits in an int32 */

enum edge_ids {
	EDGE_IDS_AUTO,   /* names, if one of the first lines has one */
	EDGE_IDS_NUMBER, /* nodes are numbers from 0 */
	EDGE_IDS_NAME,   /* nodes are words, numbered in order of appearance */
};

enum edge_titles { EDGE_TITLES_AUTO, EDGE_TITLES_YES, EDGE_TITLES_NO };

struct edge_list {
	enum edge_ids ids;
	enum edge_titles titles;
	struct names names; /* names in the last text, if it has names */
};

/* Returns an upper bound of the number of edges. */
size_t edge_list_most(struct span text);
/*
 * Parses the text into `pairs`, two node numbers per edge, which must have
 * room; NULL: only counts.  Errors are "line 7: ..."; no edge at all is one.
 */
int edge_list_read(struct edge_list *list, struct span text, int32_t *pairs,
    size_t *count, struct error *err);
void edge_list_release(struct edge_list *list);

#endif
