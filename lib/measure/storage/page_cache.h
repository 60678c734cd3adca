/*
 * page_cache.h - the pages that one open file has in the page cache.
 *
 * The kernel shows them by cachestat (Linux 6.5), or by mincore.  It shows them
 * only to the owner of a file, to those who may write to it, and to root.  Some
 * file systems read past the page cache: there nothing is ever resident, which
 * says nothing.
 *
 * `stacked`: the file system has no pages of its own (layer_type_is_stacked).
 * cachestat would see none; a mapping shows those of the file behind.
 */
#ifndef LIB_MEASURE_STORAGE_PAGE_CACHE_H
#define LIB_MEASURE_STORAGE_PAGE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

uint64_t page_cache_page(void); /* bytes of a page */

/*
 * Counts the resident pages of a file of so many bytes; -1: cannot be seen.
 * 0 bytes: a device of any size, which only cachestat can look at.
 */
int64_t page_cache_count(int fd, uint64_t bytes, bool stacked);
/*
 * Reads the first page, and returns whether it is seen in the page cache then.
 * A file that this is true for can be trusted when it shows no pages.
 */
bool page_cache_shows(int fd, bool stacked);

/* Writes out its data, which could not be dropped otherwise. */
void page_cache_sync(int fd, bool stacked);
/* Drops its clean pages, except those that programs have mapped. */
void page_cache_drop(int fd);

/* Drop clean pages, and unused names and inodes, of all files: root only. */
bool page_cache_drop_all(void);
bool page_cache_drop_names(void);

#endif
