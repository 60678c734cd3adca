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
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "lib/files/mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/cached.h"

enum {
	MAPPED_MOST = 4096,
	NAME = 256,        /* bytes of a path kept for messages: its end */
	NAMES = 16,        /* lost names that are remembered */
	AROUND = 64 << 10, /* bytes that one fault maps, if they are cached */
};

enum { FREE, TAKEN }; /* values in place of an address */

struct mapped {
	atomic_uintptr_t base; /* the address, FREE, or TAKEN while it is set */
	size_t bytes;
	atomic_uint users;
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
	atomic_store_explicit(&mapped->users, 1, memory_order_relaxed);
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

static int say_lost(const char *name, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "%s: another program cut it short, or its disk cannot be read any "
	    "more, while presto read it; leave the file alone, or check the "
	    "disk, and run the command again",
	    name);
}

int mapping_judge(uint64_t was, int rc, struct error *err)
{
	if (atomic_load_explicit(&losses, memory_order_acquire) / loss == was)
		return rc;
	return say_lost(lost_names[was % NAMES], err);
}

int mapping_check(const struct mapping *mapping, int rc, struct error *err)
{
	const struct mapped *entry = mapping->entry;

	if (!entry ||
	    atomic_load_explicit(&entry->state, memory_order_acquire) == WHOLE)
		return rc;
	return say_lost(entry->name, err);
}

/* ---- mappings ---- */

static bool set(
    struct mapping *mapping, void *base, size_t bytes, const char *path)
{
	*mapping = (struct mapping){ .base = base, .bytes = bytes };
	if (add(mapping, path))
		return true;
	munmap(base, bytes);
	*mapping = (struct mapping){ .base = NULL };
	return false;
}

/*
 * Has the kernel map the pages: a fault maps its cached neighbours, too.  This
 * takes less than half of the time of MADV_POPULATE_READ, which looks at each
 * page.
 */
static void touch(const unsigned char *data, size_t bytes)
{
	size_t at = 0;

	while (at < bytes) {
		*(const volatile unsigned char *)(data + at);
		at += AROUND - ((uintptr_t)data + at) % AROUND;
	}
}

/* Is the part in the window? */
static bool contains(
    const struct mapping_file *file, uint64_t offset, size_t bytes)
{
	return file->window.base && offset >= file->window_offset &&
	       offset + bytes <= file->window_offset + file->window.bytes;
}

/* Maps bytes from the beginning of a page on. */
static bool map(struct mapping *mapping, const struct mapping_file *file,
    uint64_t offset, size_t bytes)
{
	void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_NORESERVE, file->fd, (off_t)offset);

	return base != MAP_FAILED && set(mapping, base, bytes, file->path);
}

static void move_window(
    struct mapping_file *file, uint64_t offset, size_t bytes)
{
	const uint64_t left = file->size - offset;
	const size_t window =
	    file->window_bytes ? file->window_bytes : MAPPING_WINDOW;

	if (bytes < window)
		bytes = left < window ? (size_t)left : window;
	mapping_release(&file->window);
	file->window_offset = offset;
	map(&file->window, file, offset, bytes);
}

/*
 * Takes the part from the window, which moves forward only: threads do not come
 * in the order of the parts.  False: it is behind.
 */
static bool take(struct mapping *mapping, struct mapping_file *file,
    uint64_t offset, size_t bytes)
{
	bool is_there;

	pthread_mutex_lock(&file->lock);
	if (!contains(file, offset, bytes) &&
	    (!file->window.base || offset >= file->window_offset))
		move_window(file, offset, bytes);
	is_there = contains(file, offset, bytes);
	if (is_there) {
		*mapping = (struct mapping){
			.base = (unsigned char *)file->window.base +
			        (offset - file->window_offset),
			.bytes = bytes,
			.entry = file->window.entry,
		};
		atomic_fetch_add(&mapping->entry->users, 1);
	}
	pthread_mutex_unlock(&file->lock);
	return is_there;
}

bool mapping_make(struct mapping *mapping, struct mapping_file *file,
    uint64_t offset, size_t len, unsigned char **data)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t skipped = (size_t)(offset % page);
	const uint64_t begin = offset - skipped;

	if (len < MAPPING_LEAST || len > SIZE_MAX - page ||
	    offset > file->size || len > file->size - offset ||
	    !cached_ends(file->fd, offset, len))
		return false;
	if (!take(mapping, file, begin, skipped + len) &&
	    !map(mapping, file, begin, skipped + len))
		return false;
	*data = (unsigned char *)mapping->base + skipped;
	touch(*data, len); /* others may write to the rest of the first page */
	return true;
}

void mapping_file_widen(struct mapping_file *file, size_t bytes)
{
	pthread_mutex_lock(&file->lock);
	if (bytes > MAPPING_WINDOW && bytes > file->window_bytes)
		file->window_bytes = bytes;
	pthread_mutex_unlock(&file->lock);
}

void mapping_file_release(struct mapping_file *file)
{
	mapping_release(&file->window);
	pthread_mutex_destroy(&file->lock);
}

bool mapping_make_whole(
    struct mapping *mapping, int fd, const char *path, size_t len)
{
	void *base =
	    len ? mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;

	return base != MAP_FAILED && set(mapping, base, len, path);
}

/* Nobody uses it any more. */
static void unmap(struct mapped *entry)
{
	void *base = (void *)atomic_load(&entry->base);
	const size_t bytes = entry->bytes;

	if (atomic_load(&entry->state) != WHOLE)
		atomic_fetch_sub(&losses, 1);
	/* First: after munmap another mapping may get the address. */
	atomic_store_explicit(&entry->base, FREE, memory_order_release);
	munmap(base, bytes);
}

struct mapping mapping_share(const struct mapping *mapping)
{
	if (mapping->entry)
		atomic_fetch_add(&mapping->entry->users, 1);
	return *mapping;
}

void mapping_release(struct mapping *mapping)
{
	struct mapped *entry = mapping->entry;

	if (entry && atomic_fetch_sub(&entry->users, 1) == 1)
		unmap(entry);
	*mapping = (struct mapping){ .base = NULL };
}
