/*
 * cold.h - how much is known about data that was to be read cold.
 *
 * Data is cold when no memory of this machine holds it, nor any that presto can
 * name and not look at (layers.h).
 *
 *	yes	known: neither pages, nor names and inodes
 *	pages	known for the pages; names and inodes may be in memory
 *	unknown	some layer cannot be looked at
 *	no	known: more than COLD_PERCENT of the data was in memory
 *
 * Few files count as `yes` even if their names and inodes stayed.  ext4 keeps
 * the inodes of 32 files in two blocks of 4 KiB, and their names in one block
 * of the folder: three small reads more for an epoch.  doc/measuring.md has
 * what they take.  The 8 shards of a small dataset have about 24 files.
 */
#ifndef LIB_MEASURE_STORAGE_COLD_H
#define LIB_MEASURE_STORAGE_COLD_H

#include <stdbool.h>
#include <stdint.h>

/* From the best to the worst, so that the worst of several is the largest. */
enum cold { COLD_NONE, COLD_YES, COLD_PAGES, COLD_UNKNOWN, COLD_NO };

enum { COLD_FEW_FILES = 32 };
/* Another program may have read a page or two. */
#define COLD_PERCENT 1.0

/* "yes", "pages", "unknown", "no"; "" for COLD_NONE, where nothing was cold. */
const char *cold_name(enum cold cold);
/* Finds it by its name; COLD_NONE: there is none. */
enum cold cold_find(const char *name);

struct cold_facts { /* about the data, after it was dropped */
	uint64_t files, pages;
	uint64_t resident;  /* pages in memory, here or in a layer below */
	uint64_t unseen;    /* pages that could not be looked at */
	bool layer_unseen;  /* so is a layer below */
	bool memory;        /* its device is in memory */
	bool names_dropped; /* and inodes */
};

enum cold cold_judge(const struct cold_facts *facts);
/* Percentage that is resident, at most 100; -1: not known. */
double cold_percent(const struct cold_facts *facts);

#endif
