/*
 * mapping.h - a part of a file as it lies in the page cache: its bytes without
 * a copy.
 *
 * Only what is cached is mapped: for the rest a plain read is faster, and it
 * reports errors in words.  The pages are there when mapping_make returns.
 *
 * Another program may cut the file short while it is mapped, or its disk may
 * fail when a page is read anew: then the kernel sends SIGBUS to whoever
 * touches the page.  A handler finds the mapping by the address, notes that it
 * is lost, and puts zeros in its place, so that the program goes on.  Whoever
 * makes something of mapped bytes asks mapping_judge before it hands that on;
 * so nothing that was made of these zeros is taken for good.  That costs one
 * load, and nothing while the bytes are read.  A SIGBUS elsewhere is left to
 * the handler that was there before: it ends the program.
 */
#ifndef LIB_FILES_MAPPING_H
#define LIB_FILES_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct mapped;

enum { MAPPING_LEAST = 64 << 10 }; /* fewer bytes are better read */

struct mapping {
	void *base; /* NULL: nothing is mapped */
	size_t bytes;
	struct mapped *entry; /* in the list of all */
};

/*
 * True: *data is bytes `offset` until `offset + len` of the file, until
 * mapping_release; they may be written to, for this process only.  False:
 * not cached, too few, or not possible here: read them.  `path` is for
 * messages.
 */
bool mapping_make(struct mapping *mapping, int fd, const char *path,
    uint64_t offset, size_t len, unsigned char **data);
/* The whole of a file, to be read only, cached or not. */
bool mapping_make_whole(
    struct mapping *mapping, int fd, const char *path, size_t len);
void mapping_release(struct mapping *mapping); /* empty, usable again */

/* The handler, from now on: the first mapping does the same. */
void mapping_guard(void);

/* The mappings that were lost and are released: for mapping_judge. */
uint64_t mapping_losses(void);
/*
 * `rc`, unless any mapping was lost since mapping_losses gave `losses`, or was
 * lost before and is still there: then -1, with ERROR_DATA and the file's name
 * in place of what was in `err`.
 */
int mapping_judge(uint64_t losses, int rc, struct error *err);

#endif
