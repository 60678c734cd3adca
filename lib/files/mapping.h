/*
 * mapping.h - maps cached parts of files, so that their bytes need no copy.
 *
 * Only bytes in the page cache are mapped: for others a plain read is faster,
 * and it reports errors in words.  mapping_make has the kernel map the cached
 * pages, so that other threads meet no page faults.
 *
 * While a file is mapped, another program may truncate it, or the disk may fail
 * when a page is read again.  The kernel then sends SIGBUS to the thread that
 * accesses the page.  A handler finds the mapping by the address, marks it as
 * lost, and maps zeros in its place, so that the program continues.
 *
 * Code that derives data from mapped bytes must call mapping_check, or
 * mapping_judge, before it passes that data on: so results made from these
 * zeros are never used.  This costs one load, and nothing while bytes are read.
 * A SIGBUS elsewhere goes to the handler that was there before, and ends the
 * program.
 */
#ifndef LIB_FILES_MAPPING_H
#define LIB_FILES_MAPPING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct mapped;

enum {
	MAPPING_LEAST = 64 << 10, /* bytes; reading is faster below */
	MAPPING_WINDOW = 8 << 20, /* bytes */
};

struct mapping {
	void *base; /* NULL: not mapped */
	size_t bytes;
	struct mapped *entry; /* its place in the list of all mappings */
};

/*
 * An open file whose neighbouring parts are mapped one after the other.  They
 * share a mapping of MAPPING_WINDOW bytes, which lasts until the last of them
 * is released: each time that memory is unmapped, the processors forget all
 * addresses (TLB).  Several threads may use it at once.
 */
struct mapping_file {
	int fd;           /* borrowed, as is the path, which is for messages */
	const char *path; /* NULL: none yet */
	uint64_t size;
	pthread_mutex_t lock; /* protects what follows */
	struct mapping window;
	uint64_t window_offset; /* in the file */
	size_t window_bytes;    /* at least so many; 0: MAPPING_WINDOW */
};

#define MAPPING_FILE_INIT                                    \
	{                                                    \
		.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Lets further windows have at least so many bytes. */
void mapping_file_widen(struct mapping_file *file, size_t bytes);
/* Gives up the window; parts that are still mapped stay so. */
void mapping_file_release(struct mapping_file *file);

/*
 * Maps bytes `offset` to `offset + len` and returns true; *data is valid until
 * mapping_release.  Writes to it are private to this process, and a part that
 * was written to must not be mapped again from the same window.  False: not
 * cached, too few bytes, or not possible here; read them instead.
 */
bool mapping_make(struct mapping *mapping, struct mapping_file *file,
    uint64_t offset, size_t len, unsigned char **data);
/* Maps a whole file for reading only, cached or not. */
bool mapping_make_whole(
    struct mapping *mapping, int fd, const char *path, size_t len);
void mapping_release(struct mapping *mapping); /* empty, usable again */
/* Returns another mapping of the same bytes, to be released as well. */
struct mapping mapping_share(const struct mapping *mapping);

/* Installs the handler, if no mapping has done so yet. */
void mapping_guard(void);

/*
 * Returns `rc` if this mapping is whole, or empty.  Else returns -1 and
 * replaces `err` by ERROR_DATA with the name of the file.  Several threads that
 * hold it may ask.
 */
int mapping_check(const struct mapping *mapping, int rc, struct error *err);

/*
 * For those who derive data from mappings that they do not hold any more: as
 * mapping_check for all mappings of this process at once, also those of others.
 *
 * Counts the mappings that were lost and released so far, for mapping_judge. */
uint64_t mapping_losses(void);
/*
 * Returns `rc` if no mapping was lost since mapping_losses returned `losses`
 * and none that was lost before is still mapped.  Else returns -1 and replaces
 * `err` by ERROR_DATA with the name of the file.
 */
int mapping_judge(uint64_t losses, int rc, struct error *err);

#endif
