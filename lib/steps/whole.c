/* whole.c - see whole.h. */
#include "lib/steps/whole.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

int whole_field(unsigned fields, unsigned *field, struct error *err)
{
	if (fields == 0 || (fields & (fields - 1)) != 0)
		return error_set(
		    err, ERROR_USAGE, "takes one field, not several");
	*field = 0;
	while (!(fields >> *field & 1))
		++*field;
	return 0;
}

void whole_pass(const struct sample *in, struct sample *out, unsigned made)
{
	for (unsigned f = 0; f < in->count; f++)
		if (!(made >> f & 1))
			tensor_borrow(&out->fields[f], &in->fields[f]);
}

int whole_begin(void *priv, struct random *random, const struct sample *in,
    uint64_t *count, struct error *err)
{
	UNUSED(priv);
	UNUSED(random);
	UNUSED(in);
	UNUSED(err);
	*count = 1;
	return 0;
}

int whole_make_same(void *priv, struct random *random, const struct sample *in,
    uint64_t i, struct sample *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(random);
	UNUSED(i);
	UNUSED(err);
	whole_pass(in, out, 0);
	return 0;
}
