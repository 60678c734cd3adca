/* made_lmdb.h - an LMDB file in a folder of its own, for tests of its source.
 */
#ifndef TEST_UNIT_MADE_LMDB_H
#define TEST_UNIT_MADE_LMDB_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"

struct lmdb_maker;

struct made {
	char *dir, *path; /* the path of its data.mdb */
	struct lmdb_maker *maker;
	struct error err;
};

/* What fails fails the test; see lmdb_maker.h. */
void made_begin(struct made *made, uint32_t page_bytes, unsigned flags);
void made_add(struct made *made, const char *key, struct span value);
/* Makes the file whole; returns the levels of its tree. */
int made_end(struct made *made);
void made_remove(struct made *made);

/* The bytes of a constant text, which may have zeros. */
#define BYTES(text) ((struct span){ (const void *)(text), sizeof(text) - 1 })

#endif
