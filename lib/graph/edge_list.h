/*
 * edge_list.h - graphs as text: a line an edge, its two nodes apart by blanks,
 * a tab, a comma or a semicolon.
 *
 * This is what SNAP ("# FromNodeId<TAB>ToNodeId" above), MUSAE and Twitch
 * (CSV with a line of titles) and LINQS (names of papers) publish.  What
 * stands behind the second node, such as a weight, is left out; lines that
 * are blank or begin with '#' or '%' are, too.  A first line that is no pair
 * of numbers, above one that is, is a line of titles.
 */
#ifndef LIB_GRAPH_EDGE_LIST_H
#define LIB_GRAPH_EDGE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/names.h"

struct error;

enum { NODE_MAX = INT32_MAX - 1 }; /* so that their number is an int32, too */

enum edge_ids {
	EDGE_IDS_AUTO,   /* names if one of the first lines has one */
	EDGE_IDS_NUMBER, /* nodes are numbered from 0 on */
	EDGE_IDS_NAME,   /* any words: numbered in the order they come */
};

enum edge_titles { EDGE_TITLES_AUTO, EDGE_TITLES_YES, EDGE_TITLES_NO };

struct edge_list {
	enum edge_ids ids;
	enum edge_titles titles;
	struct names names; /* of the last text, where it has names */
};

/* At least as many edges as the text has. */
size_t edge_list_most(struct span text);
/*
 * Reads the text: two node numbers an edge go to `pairs`, which has room; NULL:
 * they are only counted.  Errors are "line 7: ..."; no edge at all is one.
 */
int edge_list_read(struct edge_list *list, struct span text, int32_t *pairs,
    size_t *count, struct error *err);
void edge_list_release(struct edge_list *list);

#endif
