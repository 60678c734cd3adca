/* probe_files.h - makes and removes the files that a probe reads. */
#ifndef LIB_MEASURE_STORAGE_PROBE_FILES_H
#define LIB_MEASURE_STORAGE_PROBE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/files/lock.h"
#include "lib/measure/storage/probe.h"

struct error;

/*
 * Large files are called "large.N". Small files are called
 * "small.LAYOUT.THREAD.N" and divided among LAYOUT threads: fio selects the
 * files of a thread by name.
 */
struct probe_files {
	char *dir; /* an own folder (own_folder.h); owned */
	struct lock lock;
	unsigned large_count;
	uint64_t large_bytes; /* size of each */
	uint64_t small_count;
	uint64_t small_bytes; /* size of each */
	unsigned layout;
	bool blind; /* the page cache has them, and does not show it */
};

enum { PROBE_PATH = 4200 };
/* Write the path of a file; `path` has PROBE_PATH bytes. */
void probe_large_path(
    const struct probe_files *files, unsigned number, char *path);
void probe_small_path(
    const struct probe_files *files, uint64_t number, char *path);

/* Makes the folder and the files. Remove `files` also after a failure. */
int probe_files_make(const struct probe_plan *plan, struct probe_files *files,
    struct error *err);
/* Renames the small files for this number of threads. */
int probe_files_arrange(
    struct probe_files *files, unsigned layout, struct error *err);
int probe_files_remove(struct probe_files *files, struct error *err);

#endif
