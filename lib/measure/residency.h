/*
 * residency.h - how much of a file is in the page cache, and how to drop it.
 *
 * Dropping works without root: posix_fadvise for each file, after its data was
 * synced. What the kernel keeps is found by checking again (with cachestat if
 * the kernel has it, else mincore).
 */
#ifndef LIB_MEASURE_RESIDENCY_H
#define LIB_MEASURE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct reader;

/*
 * Asks the kernel to drop all files of the reader, and sets *percent to the
 * percentage that is still resident. If more than 1 % stays and the system
 * allows it (root), it drops the whole page cache and checks again. It does not
 * for files in memory (tmpfs), nor when *drop_failed, which is set when more
 * than half stayed after that.
 */
int residency_drop(const struct reader *reader, bool *drop_failed,
    double *percent, struct error *err);
/* Only checks. An empty reader has 0 %. */
int residency_percent(
    const struct reader *reader, double *percent, struct error *err);

/* Is the path on a file system in memory (tmpfs)? */
bool residency_is_memory(const char *path);

/* Do the same for all files below a folder. */
int residency_drop_folder(const char *dir, double *percent, struct error *err);
int residency_of_folder(const char *dir, double *percent, struct error *err);

#endif
