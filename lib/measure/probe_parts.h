/*
 * probe_parts.h - what the parts of a probe share; inside lib/measure only.
 *
 * probe_files.c makes the files, probe_read.c reads them, or fio.c has fio do
 * it; probe.c says what, how often, and what it means.
 */
#ifndef LIB_MEASURE_PROBE_PARTS_H
#define LIB_MEASURE_PROBE_PARTS_H

#include "lib/files/lock.h"
#include "lib/measure/probe.h"

/*
 * Large files are "large.N"; small ones "small.LAYOUT.THREAD.N", divided among
 * LAYOUT threads: fio wants the files of a thread to be told by their names.
 */
struct probe_files {
	char *dir; /* their own_folder; owned */
	struct lock lock;
	unsigned large_count;
	uint64_t large_bytes; /* of each */
	uint64_t small_count;
	uint64_t small_bytes; /* of each */
	unsigned layout;
	bool blind; /* the page cache has them, and does not show it */
};

enum { PROBE_PATH = 4200 };
/* Paths of one: `path` has PROBE_PATH bytes. */
void probe_large_path(
    const struct probe_files *files, unsigned number, char *path);
void probe_small_path(
    const struct probe_files *files, uint64_t number, char *path);

/* Makes folder and files; `files` is to be removed also when it fails. */
int probe_files_make(const struct probe_plan *plan, struct probe_files *files,
    struct error *err);
/* Renames the small ones, for so many threads. */
int probe_files_arrange(
    struct probe_files *files, unsigned layout, struct error *err);
int probe_files_remove(struct probe_files *files, struct error *err);

struct probe_pass {
	enum ceiling_pattern pattern;
	unsigned threads;
	bool warm;
	double limit_s; /* ends then */
};

struct probe_time {
	double wall_s;
	uint64_t bytes;
	uint64_t reads; /* of PROBE_READ, or files */
};

/* Reads all files of a pattern, each once. */
int probe_read(const struct probe_plan *plan, const struct probe_files *files,
    const struct probe_pass *pass, struct probe_time *time, struct error *err);
/* The same by fio; ERROR_DATA with what is wrong with it. */
int fio_read(const struct probe_plan *plan, const struct probe_files *files,
    const struct probe_pass *pass, struct probe_time *time, struct error *err);

#endif
