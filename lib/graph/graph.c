/* graph.c - see graph.h. */
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/graph.h"

int graph_find(const struct schema *schema, const struct graph_wish *wish,
    struct error *err)
{
	const int index = schema_find(schema, wish->name);
	const struct type *type =
	    index < 0 ? NULL : &schema->fields[index].type;
	char text[SHAPE_TEXT];

	if (!type)
		return error_set(err, ERROR_USAGE,
		    "takes the field '%s', which the samples do not have: "
		    "step %s makes it",
		    wish->name, wish->maker);
	if (type->layout == LAYOUT_ENCODED || type->dtype != wish->dtype ||
	    type->shape.count != wish->dims)
		return error_set(err, ERROR_USAGE,
		    "takes a field '%s' of %s with %u dimension%s, not %s",
		    wish->name, dtype_name(wish->dtype), wish->dims,
		    wish->dims == 1 ? "" : "s", type_text(type, text));
	return index;
}

int graph_fields_find(
    struct graph_fields *fields, const struct schema *schema, struct error *err)
{
	static const struct graph_wish indptr = { "indptr", DTYPE_I64, 1,
		"csr" };
	static const struct graph_wish indices = { "indices", DTYPE_I32, 1,
		"csr" };
	const int first = graph_find(schema, &indptr, err);
	const int second = first < 0 ? -1 : graph_find(schema, &indices, err);

	if (second < 0)
		return -1;
	fields->indptr = (unsigned)first;
	fields->indices = (unsigned)second;
	return 0;
}

int graph_view(const struct graph_fields *fields, const struct sample *sample,
    struct csr *graph, struct error *err)
{
	const struct tensor *indptr = &sample->fields[fields->indptr];
	const struct tensor *indices = &sample->fields[fields->indices];
	const int64_t rows = indptr->shape.dims[0];

	*graph = (struct csr){
		.indptr = indptr->data,
		.indices = indices->data,
		.nodes = (size_t)rows - 1,
		.edges = (size_t)indices->shape.dims[0],
	};
	if (rows < 1 || rows > INT32_MAX)
		return error_set(err, ERROR_DATA,
		    "indptr has %lld elements, which no graph has",
		    (long long)rows);
	if (graph->indptr[0] != 0 ||
	    graph->indptr[rows - 1] != indices->shape.dims[0])
		return error_set(err, ERROR_DATA,
		    "indptr goes from %lld to %lld, of %lld indices",
		    (long long)graph->indptr[0],
		    (long long)graph->indptr[rows - 1],
		    (long long)indices->shape.dims[0]);
	return 0;
}

int graph_hand_on(struct graph_rest *rest, const struct schema *in,
    unsigned without, struct schema *out, struct error *err)
{
	rest->count = 0;
	for (unsigned f = 0; f < in->count; f++) {
		const struct field *field = &in->fields[f];

		if (without & 1u << f)
			continue;
		if (schema_add(out, field->name, &field->type, err))
			return -1;
		rest->from[rest->count++] = f;
	}
	return 0;
}

void graph_view_rest(const struct graph_rest *rest, const struct sample *in,
    struct sample *out, unsigned first)
{
	for (unsigned i = 0; i < rest->count; i++) {
		const struct tensor *from = &in->fields[rest->from[i]];
		struct tensor *to = &out->fields[first + i];

		if (to->owned)
			tensor_release(to);
		tensor_view(to, from->dtype, &from->shape, from->data);
		memcpy(to->suffix, from->suffix, SUFFIX_MAX);
	}
}

struct type graph_vector(enum dtype dtype, int64_t count)
{
	return (struct type){
		.dtype = dtype,
		.shape = { 1, { count } },
	};
}

struct type graph_matrix(enum dtype dtype, int64_t rows, int64_t columns)
{
	return (struct type){
		.dtype = dtype,
		.shape = { 2, { rows, columns } },
	};
}
