/*
 * pages.h - large memory from the kernel.  It begins at the boundary of a huge
 * page and uses huge pages if the kernel grants them: fewer page faults, fewer
 * TLB misses.  It is zeroed, and a page takes memory once it is written to.
 *
 * Two processes can share it: one makes it, and the other one borrows it by a
 * descriptor.  Its size is sealed, so that no access to it can fail (SIGBUS),
 * and it lives until both have given it back, in whatever order, or are dead.
 */
#ifndef LIB_BASE_PAGES_H
#define LIB_BASE_PAGES_H

#include <stdbool.h>
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

/*
 * The same for memory that others may borrow.  Sets *fd, which the caller
 * closes once it was passed on.
 */
void *pages_share(
    struct pages *pages, size_t bytes, int *fd, struct error *err);
/*
 * Takes memory for a part of it, which begins where pages_round says: false:
 * there is none.  Without this call, a write might find none (SIGBUS).
 */
bool pages_fill(void *part, size_t bytes);
/* Rounds up to whole pages, or to whole huge pages if there is one at least. */
size_t pages_round(size_t bytes);

/*
 * Borrows the first bytes of what a process shares, to read and to write.
 * ERROR_DATA if the memory is smaller, or if it might be cut short.
 */
void *pages_borrow(
    struct pages *pages, int fd, size_t bytes, struct error *err);
/*
 * Makes a part of that private as it is: what is written there afterwards, here
 * or elsewhere, changes it on the writer's side only.  `offset`: of the part.
 * false: it could not.
 */
bool pages_part(void *part, size_t bytes, int fd, size_t offset);
/* Lets the part show again what both processes have there. */
bool pages_rejoin(void *part, size_t bytes, int fd, size_t offset);

#endif
