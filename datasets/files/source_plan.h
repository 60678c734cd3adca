/* source_plan.h - the dataset that a source is to open. */
#ifndef DATASETS_FILES_SOURCE_PLAN_H
#define DATASETS_FILES_SOURCE_PLAN_H

#include <stdint.h>

struct inventory_known;
struct medium;

/* Options and medium outlive the reader; the rest does not. */
struct source_plan {
	const char *path;    /* as in the file system; NULL: not given */
	const void *options; /* the source's own */
	uint64_t limit;      /* evenly spaced samples; 0: all */
	struct medium *medium;
	/* Files that another process has listed; NULL: none. */
	const struct inventory_known *known;
	const void *format; /* that of the source, see struct source_ops */
};

#endif
