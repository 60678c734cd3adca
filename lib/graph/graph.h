/* graph.h - finds the fields of a graph, and passes other fields on. */
#ifndef LIB_GRAPH_GRAPH_H
#define LIB_GRAPH_GRAPH_H

#include "lib/graph/csr.h"
#include "lib/sample/sample.h"

struct error;

/* A field that a step needs, by its name. */
struct graph_wish {
	const char *name;
	enum dtype dtype;
	unsigned dims;
	const char *maker; /* the step that makes it, for the message */
};

/* Returns its index, or -1 and "takes the field ..., not ..." (ERROR_USAGE). */
int graph_find(const struct schema *schema, const struct graph_wish *wish,
    struct error *err);

/* The fields of a graph in compressed rows. */
struct graph_fields {
	unsigned indptr, indices;
};

int graph_fields_find(struct graph_fields *fields, const struct schema *schema,
    struct error *err);
/* Makes a view of the graph; ERROR_DATA if the fields are inconsistent. */
int graph_view(const struct graph_fields *fields, const struct sample *sample,
    struct csr *graph, struct error *err);

/* Fields that are passed on unchanged: from[i] is the index in the input. */
struct graph_rest {
	unsigned count;
	unsigned from[FIELDS_MAX];
};

/* Adds the fields that are not in the set `without`. */
int graph_hand_on(struct graph_rest *rest, const struct schema *in,
    unsigned without, struct schema *out, struct error *err);
/* Makes out->fields[first] and the following views of the passed fields. */
void graph_view_rest(const struct graph_rest *rest, const struct sample *in,
    struct sample *out, unsigned first);

/* Returns a type of one dimension; count -1: not known yet. */
struct type graph_vector(enum dtype dtype, int64_t count);
struct type graph_matrix(enum dtype dtype, int64_t rows, int64_t columns);

#endif
