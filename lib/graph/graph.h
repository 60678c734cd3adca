/*
 * graph.h - what the steps on graphs have in common: finding the fields that
 * make up a graph, and handing on those that they leave alone.
 */
#ifndef LIB_GRAPH_GRAPH_H
#define LIB_GRAPH_GRAPH_H

#include "lib/graph/csr.h"
#include "lib/sample/sample.h"

struct error;

/* A field that a step looks for by its name. */
struct graph_wish {
	const char *name;
	enum dtype dtype;
	unsigned dims;
	const char *maker; /* the step that makes it, for the message */
};

/* Its index, or -1 and "takes the field ..., not ..." (ERROR_USAGE). */
int graph_find(const struct schema *schema, const struct graph_wish *wish,
    struct error *err);

/* The fields of a graph in compressed rows. */
struct graph_fields {
	unsigned indptr, indices;
};

int graph_fields_find(struct graph_fields *fields, const struct schema *schema,
    struct error *err);
/* Views them; ERROR_DATA when they do not go together. */
int graph_view(const struct graph_fields *fields, const struct sample *sample,
    struct csr *graph, struct error *err);

/* Fields that are handed on as they are: from[i] of the input. */
struct graph_rest {
	unsigned count;
	unsigned from[FIELDS_MAX];
};

/* Adds the fields whose bit in `without` is not set. */
int graph_hand_on(struct graph_rest *rest, const struct schema *in,
    unsigned without, struct schema *out, struct error *err);
/* Views them in out->fields[first] and those behind. */
void graph_view_rest(const struct graph_rest *rest, const struct sample *in,
    struct sample *out, unsigned first);

/* A type of plain numbers; -1: not known before the sample comes. */
struct type graph_vector(enum dtype dtype, int64_t count);
struct type graph_matrix(enum dtype dtype, int64_t rows, int64_t columns);

#endif
