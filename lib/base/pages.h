/*
 * pages.h - large memory from the kernel.  It begins at the boundary of a huge
 * page and uses huge pages if the kernel grants them: fewer page faults, fewer
 * TLB misses.  It is zeroed, and a page takes memory once it is written to.
 */
#ifndef LIB_BASE_PAGES_H
#define LIB_BASE_PAGES_H

#include <stddef.h>

struct error;

enum { PAGES_HUGE = 2 << 20 }; /* bytes; not useful below */

struct pages {
	void *map;
	size_t len;
};

/* Returns `bytes` bytes, valid until pages_give; NULL when out of memory. */
void *pages_take(struct pages *pages, size_t bytes, struct error *err);
void pages_give(struct pages *pages);

#endif
