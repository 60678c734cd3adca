/*
 * memory_files.h - files of a medium in memory (medium_new_memory); for use in
 * lib/media/backends only.
 *
 * All contents lie one after the other in one file without a name that the
 * kernel keeps in memory (memfd_create).  So reading and mapping them takes the
 * same calls as for a file that is in the page cache.  Space of a replaced file
 * is not used again.  Many threads may use it at once.
 */
#ifndef LIB_MEDIA_BACKENDS_MEMORY_FILES_H
#define LIB_MEDIA_BACKENDS_MEMORY_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct memory_files;

/*
 * With a folder, its file system gives the file without a name (O_TMPFILE), so
 * that the contents are in the page cache like those of other files.  Nothing
 * is synced, and nothing is left.  Without one (NULL), or where that is not
 * possible, it is the kernel's; ERROR_SYSTEM where it has no such files.
 */
struct memory_files *memory_files_new(const char *dir, struct error *err);
void memory_files_free(struct memory_files *files); /* NULL is fine */

/* A part of the file that has all contents. */
struct memory_part {
	uint64_t offset, bytes;
};

/* Stores a file; one of the same path is replaced. */
int memory_files_put(struct memory_files *files, const char *path,
    struct span bytes, struct error *err);
/* The same if there is none of this path: 1; 0: there is one. */
int memory_files_put_new(struct memory_files *files, const char *path,
    struct span bytes, struct error *err);
/* Forgets a file; 0 if there is none. */
int memory_files_remove(
    struct memory_files *files, const char *path, struct error *err);
/* Is there such a file?  Sets *part (NULL is fine). */
bool memory_files_find(
    struct memory_files *files, const char *path, struct memory_part *part);
/* Is there a file below this folder? */
bool memory_files_has_folder(struct memory_files *files, const char *folder);

/* The files below a folder: names relative to it, in any order. */
struct memory_names {
	char **names; /* owned */
	uint64_t *bytes;
	size_t count;
};

int memory_files_list(struct memory_files *files, const char *folder,
    struct memory_names *names, struct error *err);
void memory_names_release(struct memory_names *names);
/* Renames a file, or all files in a folder, which may be empty. */
int memory_files_rename(struct memory_files *files, const char *from,
    const char *to, struct error *err);
/* Returns the bytes of all files that have a path. */
uint64_t memory_files_bytes(struct memory_files *files);
/*
 * Writes the contents out and drops them from the page cache, so that the next
 * reading waits for the storage.  False: they stayed, as they do where the
 * folder is in memory.
 */
bool memory_files_drop(struct memory_files *files);
/* Returns a descriptor of the contents, which the caller closes; or -1. */
int memory_files_open(const struct memory_files *files, struct error *err);

#endif
