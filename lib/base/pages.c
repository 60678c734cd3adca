/* pages.c - see pages.h. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include <stdint.h>
#include <sys/mman.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"

void *pages_take(struct pages *pages, size_t bytes, struct error *err)
{
	unsigned char *map, *start;
	size_t len;

	if (size_add(bytes, PAGES_HUGE, &len)) {
		error_memory(err, bytes);
		return NULL;
	}
	map = mmap(NULL, len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED) {
		error_memory(err, len);
		return NULL;
	}
	*pages = (struct pages){ .map = map, .len = len };
	start = map + (PAGES_HUGE - (uintptr_t)map % PAGES_HUGE) % PAGES_HUGE;
	/* Asks for huge pages; if the kernel refuses, small ones serve. */
	madvise(start, bytes - bytes % PAGES_HUGE, MADV_HUGEPAGE);
	return start;
}

void pages_give(struct pages *pages)
{
	if (pages->map)
		munmap(pages->map, pages->len);
	*pages = (struct pages){ .map = NULL };
}
