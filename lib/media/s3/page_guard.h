/*
 * page_guard.h - notices a server that repeats pages of a list, which would
 * never end.
 *
 * A page is known by its first key, and by its token for the next page; each
 * comes once in a list.  One page is remembered, and replaced after 1, 2, 4, 8
 * ... pages (Brent's way to find cycles).  So it takes no memory, and a cycle
 * is found after at most about three times its length, wherever it begins.
 */
#ifndef LIB_MEDIA_S3_PAGE_GUARD_H
#define LIB_MEDIA_S3_PAGE_GUARD_H

#include <stdint.h>

struct error;

enum { PAGE_GUARD_EMPTY = 10000 }; /* pages without a key, one behind another */

struct page_cycle {
	uint64_t known, count, limit;
};

struct page_guard { /* zero: before the first page */
	struct page_cycle keys, tokens;
	unsigned empty;
};

/*
 * Looks at a page that another one follows, by the hashes of its first key (0:
 * it has none) and of its token.  ERROR_DATA if the list goes in a circle.
 */
int page_guard_check(struct page_guard *guard, uint64_t first, uint64_t token,
    struct error *err);

#endif
