/*
 * fanouts.h - how many neighbours of a node neighbour sampling takes, layer by
 * layer.
 */
#ifndef LIB_GRAPH_FANOUTS_H
#define LIB_GRAPH_FANOUTS_H

#include <stdint.h>

struct error;

enum {
	FANOUT_LAYERS = 8,
	FANOUT_MAX = 65535,
	FANOUT_ALL = -1, /* all neighbours */
};

struct fanouts {
	unsigned count;                  /* of layers */
	int32_t of_layer[FANOUT_LAYERS]; /* that of the seeds first */
};

/* Parses "15,10,5"; messages say what a fanout is (ERROR_USAGE). */
int fanouts_parse(struct fanouts *fanouts, const char *text, struct error *err);

#endif
