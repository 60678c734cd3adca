/* fanouts.h - how many neighbours each layer of neighbour sampling takes. */
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
	unsigned count; /* number of layers */
	/* the first layer is that of the seeds */
	int32_t of_layer[FANOUT_LAYERS];
};

/* Parses "15,10,5"; the message explains fanouts (ERROR_USAGE). */
int fanouts_parse(struct fanouts *fanouts, const char *text, struct error *err);

#endif
