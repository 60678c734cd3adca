/*
 * memory.c - a library to preload that lets allocations fail; see
 * fault.h.
 *
 * It stands in front of malloc and its kin for all libraries; glibc keeps the
 * real ones under names of their own.  A program under AddressSanitizer has
 * other ones, and must not be run with it.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "test/faults/fault.h"

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

__attribute__((constructor)) static void start(void)
{
	fault_init();
}

static bool fails(void)
{
	if (!fault_is_due(FAULT_MALLOC))
		return false;
	if (fault.kills)
		kill(getpid(), SIGKILL);
	errno = ENOMEM;
	return true;
}

FAULT_EXPORTED
void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

FAULT_EXPORTED
void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

FAULT_EXPORTED
void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

FAULT_EXPORTED
void *aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

FAULT_EXPORTED
int posix_memalign(void **memory, size_t alignment, size_t size)
{
	void *made = fails() ? NULL : __libc_memalign(alignment, size);

	if (!made)
		return ENOMEM;
	*memory = made;
	return 0;
}
