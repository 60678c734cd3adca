/*
 * mapping.c - see mapping.h.
 *
 * The signal handler must not take a lock.  So the mappings are in an array
 * whose places are taken and freed by an atomic address; when it is full, files
 * are read instead.
 *
 * The first thread that faults on a mapping handles its loss: it notes the
 * name, then maps zeros there.  Only then do other threads stop faulting.
 */
#define _GNU_SOURCE /* preadv2, madvise, MAP_ANONYMOUS */
#include "lib/files/mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/base/error.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14, the same on all architectures */
#endif

enum {
	MAPPED_MOST = 4096,
	NAME = 256, /* bytes of a path kept for messages: its end */
	NAMES = 16, /* lost names that are remembered */
};

enum { FREE, TAKEN }; /* values in place of an address */

struct mapped {
	atomic_uintptr_t base; /* the address, FREE, or TAKEN while it is set */
	size_t bytes;
	atomic_int state; /* an enum mapped_state */
	char name[NAME];
};

enum mapped_state { WHOLE, LOSING, LOST };

static struct mapped list[MAPPED_MOST];
static atomic_uint next_place;
/* `loss` times all losses so far, plus the number that are still mapped. */
static atomic_uint_fast64_t losses;
static const uint64_t loss = (uint64_t)1 << 32;
static atomic_flag noting = ATOMIC_FLAG_INIT; /* held within the handler only */
static char lost_names[NAMES][NAME];
static struct sigaction before;

/* ---- in the handler ---- */

static struct mapped *find(uintptr_t at)
{
	for (size_t i = 0; i < MAPPED_MOST; i++) {
		const uintptr_t base =
		    atomic_load_explicit(&list[i].base, memory_order_acquire);

		if (base > TAKEN && at >= base && at - base < list[i].bytes)
			return &list[i];
	}
	return NULL;
}

/* One thread at a time writes a name; the lock is held for one copy. */
static void note_loss(const struct mapped *mapped)
{
	while (atomic_flag_test_and_set(&noting))
		continue;
	memcpy(lost_names[atomic_load(&losses) / loss % NAMES], mapped->name,
	    NAME);
	atomic_fetch_add(&losses, loss + 1);
	atomic_flag_clear(&noting);
}

/* Calls the kernel directly: a sanitizer takes mmap for a write. */
static bool put_zeros(void *base, size_t bytes)
{
	return syscall(SYS_mmap, base, bytes, PROT_READ | PROT_WRITE,
	           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
	           0L) == (long)base;
}

/* Returns false when zeros cannot be mapped. */
static bool lose(struct mapped *mapped)
{
	const uintptr_t base = atomic_load(&mapped->base);
	int state = WHOLE;

	/* Another thread handles the loss, or has done so: retry the access. */
	if (!atomic_compare_exchange_strong(&mapped->state, &state, LOSING))
		return true;
	note_loss(mapped);
	if (!put_zeros((void *)base, mapped->bytes))
		return false;
	atomic_store(&mapped->state, LOST);
	return true;
}

/* A page of a file is missing; other codes mean broken memory. */
static bool is_of_a_file(const siginfo_t *info)
{
#ifdef BUS_MCEERR_AR
	if (info->si_code == BUS_MCEERR_AR || info->si_code == BUS_MCEERR_AO)
		return false;
#endif
	return info->si_code > 0;
}

/* Does as the handler that was there before would do. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(number, info, context);
	} else if (before.sa_handler == SIG_DFL ||
	           before.sa_handler == SIG_IGN) {
		/* A fault happens again, now without us. */
		sigaction(number, &before, NULL);
		if (info->si_code <= 0)
			raise(number);
	} else {
		before.sa_handler(number);
	}
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	const int kept = errno;
	struct mapped *mapped =
	    is_of_a_file(info) ? find((uintptr_t)info->si_addr) : NULL;

	if (!mapped || !lose(mapped))
		pass_on(number, info, context);
	errno = kept;
}

static void install(void)
{
	struct sigaction action = { .sa_sigaction = on_fault };

	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &before);
}

/* ---- the list ---- */

/* Takes a free place of the list; NULL: none. */
static struct mapped *take_place(void)
{
	for (size_t tries = 0; tries < MAPPED_MOST; tries++) {
		const unsigned i = atomic_fetch_add_explicit(
		    &next_place, 1, memory_order_relaxed);
		struct mapped *mapped = &list[i % MAPPED_MOST];
		uintptr_t is = FREE;

		if (atomic_compare_exchange_strong_explicit(&mapped->base, &is,
		        TAKEN, memory_order_acquire, memory_order_relaxed))
			return mapped;
	}
	return NULL;
}

static void set_name(struct mapped *mapped, const char *path)
{
	size_t len = strlen(path);

	if (len >= NAME) {
		path += len - (NAME - 1);
		len = NAME - 1;
	}
	memcpy(mapped->name, path, len);
	mapped->name[len] = '\0';
}

void mapping_guard(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
}

static bool add(struct mapping *mapping, const char *path)
{
	struct mapped *mapped = take_place();

	mapping_guard();
	if (!mapped)
		return false;
	set_name(mapped, path);
	mapped->bytes = mapping->bytes;
	atomic_store_explicit(&mapped->state, WHOLE, memory_order_relaxed);
	atomic_store_explicit(
	    &mapped->base, (uintptr_t)mapping->base, memory_order_release);
	mapping->entry = mapped;
	return true;
}

uint64_t mapping_losses(void)
{
	const uint64_t now =
	    atomic_load_explicit(&losses, memory_order_relaxed);

	return now / loss - now % loss;
}

int mapping_judge(uint64_t was, int rc, struct error *err)
{
	if (atomic_load_explicit(&losses, memory_order_acquire) / loss == was)
		return rc;
	return error_set(err, ERROR_DATA,
	    "%s: another program cut it short, or its disk cannot be read any "
	    "more, while presto read it; leave the file alone, or check the "
	    "disk, and run the command again",
	    lost_names[was % NAMES]);
}

/* ---- mappings ---- */

/* Can this byte be read without waiting? */
static bool is_cached(int fd, uint64_t offset)
{
#ifdef RWF_NOWAIT
	char byte;
	const struct iovec to = { .iov_base = &byte, .iov_len = 1 };

	return preadv2(fd, &to, 1, (off_t)offset, RWF_NOWAIT) == 1;
#else
	(void)fd;
	(void)offset;
	return false;
#endif
}

static bool set(
    struct mapping *mapping, void *base, size_t bytes, const char *path)
{
	*mapping = (struct mapping){ .base = base, .bytes = bytes };
	if (add(mapping, path))
		return true;
	mapping_release(mapping);
	return false;
}

bool mapping_make(struct mapping *mapping, int fd, const char *path,
    uint64_t offset, size_t len, unsigned char **data)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t skipped = (size_t)(offset % page);
	void *base;

	if (len < MAPPING_LEAST || len > SIZE_MAX - page ||
	    !is_cached(fd, offset) || !is_cached(fd, offset + len - 1))
		return false;
	base = mmap(NULL, skipped + len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_NORESERVE, fd, (off_t)(offset - skipped));
	if (base == MAP_FAILED)
		return false;
	/* Faults in all pages at once; fails where an access would fault. */
	if (madvise(base, skipped + len, MADV_POPULATE_READ)) {
		munmap(base, skipped + len);
		return false;
	}
	*data = (unsigned char *)base + skipped;
	return set(mapping, base, skipped + len, path);
}

bool mapping_make_whole(
    struct mapping *mapping, int fd, const char *path, size_t len)
{
	void *base =
	    len ? mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;

	return base != MAP_FAILED && set(mapping, base, len, path);
}

void mapping_release(struct mapping *mapping)
{
	struct mapped *entry = mapping->entry;

	if (entry) {
		if (atomic_load(&entry->state) != WHOLE)
			atomic_fetch_sub(&losses, 1);
		/* First: after munmap another mapping may get the address. */
		atomic_store_explicit(&entry->base, FREE, memory_order_release);
	}
	if (mapping->base)
		munmap(mapping->base, mapping->bytes);
	*mapping = (struct mapping){ .base = NULL };
}
