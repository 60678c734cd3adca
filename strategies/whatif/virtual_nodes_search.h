/*
 * virtual_nodes_search.h - the best division of a batch when the all-reduce
 * takes as long over any devices; inside virtual_nodes only.
 */
#ifndef STRATEGIES_WHATIF_VIRTUAL_NODES_SEARCH_H
#define STRATEGIES_WHATIF_VIRTUAL_NODES_SEARCH_H

struct division;
struct error;
struct nodes_bounds;
struct nodes_job;

/* A type more is as bad as so many devices more. */
enum { COST_OF_TYPE = 1 << 16 };

/* See nodes_divide; the times of the division are those of nodes_time. */
int nodes_search(const struct nodes_job *job, const struct nodes_bounds *bounds,
    struct division *division, struct error *err);

#endif
