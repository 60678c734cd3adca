/* page_guard.c - see page_guard.h. */
#include "lib/media/s3/page_guard.h"

#include <stdbool.h>

#include "lib/base/error.h"

static bool repeats(struct page_cycle *cycle, uint64_t page)
{
	if (cycle->count && page == cycle->known)
		return true;
	if (cycle->count == cycle->limit) {
		cycle->known = page;
		cycle->limit = cycle->limit ? 2 * cycle->limit : 1;
		cycle->count = 0;
	}
	cycle->count++;
	return false;
}

int page_guard_check(
    struct page_guard *guard, uint64_t first, uint64_t token, struct error *err)
{
	guard->empty = first ? 0 : guard->empty + 1;
	if (guard->empty > PAGE_GUARD_EMPTY)
		return error_set(err, ERROR_DATA,
		    "the server sent %u pages of a list without a key",
		    guard->empty);
	if (repeats(&guard->tokens, token) ||
	    (first && repeats(&guard->keys, first)))
		return error_set(
		    err, ERROR_DATA, "the server repeats a page of a list");
	return 0;
}
