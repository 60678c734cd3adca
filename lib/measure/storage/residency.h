/*
 * residency.h - how much of some data is in memory, how to drop it, and what is
 * known then.
 *
 * Dropping works without root.  Each file is written out and dropped by
 * posix_fadvise, and so are the images and devices behind the files (layers.h).
 * What the kernel kept is found by looking again (page_cache.h).
 *
 * Files of a server have no pages here: they are cold by nature.
 *
 * If more than COLD_PERCENT stays and the system allows it (root), the whole
 * page cache is dropped.  Of more than COLD_FEW_FILES files, the names and
 * inodes are dropped as well: there the system drops the unused names and
 * inodes of all files, after the file systems of these files were synced.
 */
#ifndef LIB_MEASURE_STORAGE_RESIDENCY_H
#define LIB_MEASURE_STORAGE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/storage/cold.h"
#include "lib/measure/storage/layers.h"

struct error;
struct reader;

struct residency {
	enum cold cold;
	double percent; /* share of the data in memory; -1: not known */
	/* The layer that cannot be seen, as in layers.h; "": all are seen. */
	char unseen[LAYERS_TEXT];
};

/*
 * Drops all files of the reader, and looks what is left.  An empty reader is
 * cold.  *drop_failed is set when dropping the whole page cache left more than
 * half of the data; it is not tried again then, nor for files in memory.
 */
int residency_drop(const struct reader *reader, bool *drop_failed,
    struct residency *found, struct error *err);
/* Returns the percentage whose pages are seen in the page cache. */
int residency_percent(
    const struct reader *reader, double *percent, struct error *err);

/* Is the path on a file system in memory (tmpfs)? */
bool residency_is_memory(const char *path);

/* Do the same for all files below a folder; names and inodes stay. */
int residency_drop_folder(
    const char *dir, struct residency *found, struct error *err);
int residency_of_folder(const char *dir, double *percent, struct error *err);

#endif
