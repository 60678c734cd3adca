/*
 * damage.h - a file, damaged copies of it, and a decoder that must refuse them.
 */
#ifndef TEST_UNIT_DAMAGE_H
#define TEST_UNIT_DAMAGE_H

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/sample/tensor.h"

struct damage {
	struct buf file; /* whole */
	struct buf odd;  /* a changed copy */
	/* Decodes `odd` into `out`; set by the test, as is the decoder. */
	int (*decode)(struct damage *damage);
	void *decoder;
	struct tensor out;
	struct error err;
};

/* Makes `odd` the file with `bytes` inserted at `at`; none: a plain copy. */
void damage_insert(struct damage *damage, size_t at, struct span bytes);
void damage_copy(struct damage *damage);
/* Makes `odd` the file with zeros from .. to-1, which must be refused. */
void damage_fill(struct damage *damage, size_t from, size_t to);
/* Fails the test unless `odd`, changed at `at`, is refused as ERROR_DATA. */
void damage_is_refused(struct damage *damage, const char *what, size_t at);
void damage_is_accepted(struct damage *damage);
/* Releases all but the decoder. */
void damage_release(struct damage *damage);

#endif
