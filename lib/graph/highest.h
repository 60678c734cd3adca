/* highest.h - the highest of a list of nodes, to check that all are there. */
#ifndef LIB_GRAPH_HIGHEST_H
#define LIB_GRAPH_HIGHEST_H

#include <stddef.h>
#include <stdint.h>

/* As unsigned, so that a negative one is above all others; 0 of none. */
uint32_t nodes_highest(const int32_t *nodes, size_t count);

#endif
