/* made_lmdb.c - see made_lmdb.h. */
#include "test/unit/made_lmdb.h"

#include <stdlib.h>

#include "test/unit/lmdb_maker.h"
#include "test/unit/test.h"

void made_begin(struct made *made, uint32_t page_bytes, unsigned flags)
{
	*made = (struct made){ .dir = test_scratch() };
	made->path = test_path(made->dir, "data.mdb");
	made->maker = lmdb_maker_new(made->path, page_bytes, flags, &made->err);
	test_ok(made->maker ? 0 : -1, &made->err);
}

void made_add(struct made *made, const char *key, struct span value)
{
	test_ok(lmdb_maker_add(made->maker, span_text(key), value, &made->err),
	    &made->err);
}

int made_end(struct made *made)
{
	const int depth = lmdb_maker_end(made->maker, &made->err);

	test_ok(depth < 0 ? -1 : 0, &made->err);
	lmdb_maker_free(made->maker);
	made->maker = NULL;
	return depth;
}

void made_remove(struct made *made)
{
	free(made->path);
	test_scratch_remove(made->dir);
}
