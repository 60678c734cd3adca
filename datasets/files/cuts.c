/* cuts.c - see cuts.h. */
#include "datasets/files/cuts.h"

#include <stdlib.h>

#include "lib/base/array.h"

int cuts_add(struct cuts *cuts, size_t item, struct error *err)
{
	size_t *at = array_grow(
	    cuts->at, &cuts->capacity, cuts->count + 1, sizeof(*at), err);

	if (!at)
		return -1;
	cuts->at = at;
	at[cuts->count++] = item;
	return 0;
}

void cuts_release(struct cuts *cuts)
{
	free(cuts->at);
	*cuts = (struct cuts){ .at = NULL };
}
