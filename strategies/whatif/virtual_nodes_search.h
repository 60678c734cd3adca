/*
 * virtual_nodes_search.h - finds the best division of a batch when the
 * all-reduce takes the same time over any devices.  For virtual_nodes.c.
 */
#ifndef STRATEGIES_WHATIF_VIRTUAL_NODES_SEARCH_H
#define STRATEGIES_WHATIF_VIRTUAL_NODES_SEARCH_H

struct division;
struct error;
struct nodes_bounds;
struct nodes_job;

/* Among equally short divisions a type costs as much as so many devices. */
enum { COST_OF_TYPE = 1 << 16 };

/* See nodes_divide; the times of the division are those of nodes_time. */
int nodes_search(const struct nodes_job *job, const struct nodes_bounds *bounds,
    struct division *division, struct error *err);

#endif
