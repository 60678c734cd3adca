/* chain_run.c - see chain.h. */
#include "lib/base/error.h"
#include "lib/pipeline/chain.h"

int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err)
{
	int got;

	if (chain_begin(chain, in, err))
		return -1;
	got = chain_next(chain, out, err);
	if (got == 0)
		return error_set(
		    err, ERROR_DATA, "the steps made no sample of it");
	return got < 0 ? -1 : 0;
}
