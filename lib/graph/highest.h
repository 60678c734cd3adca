/* highest.h - the highest of a list of nodes, to check that all exist. */
#ifndef LIB_GRAPH_HIGHEST_H
#define LIB_GRAPH_HIGHEST_H

#include <stddef.h>
#include <stdint.h>

/* Negative nodes are the highest, as unsigned numbers; 0 if count is 0. */
uint32_t nodes_highest(const int32_t *nodes, size_t count);

#endif
