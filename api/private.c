/* private.c - see private.h. */
#include "api/private.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum { SIZED_MOST = 1 << 16 }; /* bytes; more is not a size */

static enum presto_code code_of(enum error_code code)
{
	switch (code) {
	case ERROR_USAGE:
		return PRESTO_USAGE;
	case ERROR_INTERRUPTED:
		return PRESTO_INTERRUPTED;
	default:
		return PRESTO_FAILED;
	}
}

int error_tell(const struct error *err, struct presto_error *out)
{
	_Static_assert(sizeof(out->text) == sizeof(err->text),
	    "a message fits into the other");

	if (!out)
		return -1;
	out->code = code_of(err->code);
	memcpy(out->text, err->text, sizeof(out->text));
	return -1;
}

int sized_take(void *to, size_t bytes, const void *from, const char *name,
    struct error *err)
{
	const unsigned char *theirs = from;
	size_t size;

	memcpy(&size, from, sizeof(size));
	if (size < sizeof(size) || size > SIZED_MOST)
		return error_set(err, ERROR_USAGE,
		    "%s: its size is not set: begin with its _INIT", name);
	for (size_t i = bytes; i < size; i++)
		if (theirs[i])
			return error_set(err, ERROR_USAGE,
			    "%s: it has members that libpresto " PRESTO_VERSION
			    " does not know: install a later one",
			    name);
	memcpy(to, from, size < bytes ? size : bytes);
	return 0;
}

void sized_give(void *to, const void *from)
{
	size_t theirs, ours;

	memcpy(&theirs, to, sizeof(theirs));
	memcpy(&ours, from, sizeof(ours));
	if (theirs > ours)
		memset((char *)to + ours, 0, theirs - ours);
	else
		ours = theirs;
	if (ours > sizeof(ours))
		memcpy((char *)to + sizeof(ours),
		    (const char *)from + sizeof(ours), ours - sizeof(ours));
}

void type_give(const struct type *type, struct presto_type *out)
{
	_Static_assert((int)PRESTO_U8 == (int)DTYPE_U8 + 1 &&
	                   (int)PRESTO_F64 == (int)DTYPE_F64 + 1,
	    "the types have the same order");
	_Static_assert(PRESTO_DIMS_MAX > SHAPE_MAX, "a batch has one more dim");

	*out = (struct presto_type){
		.dtype = (enum presto_dtype)(type->dtype + 1),
		.rank = type->shape.count,
	};
	for (unsigned i = 0; i < out->rank; i++)
		out->dims[i] = type->shape.dims[i];
}
