/*
 * residency.h - how much of a file is in the page cache, and getting it out.
 *
 * Dropping needs no root: posix_fadvise per file, after its data was written
 * out.  What the kernel keeps all the same is seen by looking again (cachestat
 * where the kernel has it, else mincore).
 */
#ifndef LIB_MEASURE_RESIDENCY_H
#define LIB_MEASURE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct reader;

/*
 * Asks the kernel to forget all files of the reader, and the share that is
 * still resident goes to *percent.  When more than 1 % stays and the system
 * allows it (root), the global page cache is dropped too, and it is looked
 * again; but not for files that memory is the place of (tmpfs), nor when
 * *in_vain, which is set when that left more than half of it where it was.
 */
int residency_drop(const struct reader *reader, bool *in_vain, double *percent,
    struct error *err);
/* Only looks.  An empty reader is 0 %. */
int residency_percent(
    const struct reader *reader, double *percent, struct error *err);

/* Is the file system of the path one that memory is the place of (tmpfs)? */
bool residency_is_memory(const char *path);

/* The same of all files below a folder. */
int residency_drop_folder(const char *dir, double *percent, struct error *err);
int residency_of_folder(const char *dir, double *percent, struct error *err);

#endif
