/*
 * pages.h - large memory straight from the kernel: it begins at a huge page,
 * and is made of huge ones where the kernel grants them, which is fewer page
 * faults and fewer TLB misses.  A page is there when it is written to, 0.
 */
#ifndef LIB_BASE_PAGES_H
#define LIB_BASE_PAGES_H

#include <stddef.h>

struct error;

enum { PAGES_HUGE = 2 << 20 }; /* bytes: less is not worth it */

struct pages {
	void *map;
	size_t len;
};

/* `bytes` bytes, good until pages_give; NULL when there is no memory. */
void *pages_take(struct pages *pages, size_t bytes, struct error *err);
void pages_give(struct pages *pages);

#endif
