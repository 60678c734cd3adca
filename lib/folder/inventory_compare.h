/* inventory_compare.h - says in words how an inventory differs from another. */
#ifndef LIB_FOLDER_INVENTORY_COMPARE_H
#define LIB_FOLDER_INVENTORY_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/folder/inventory.h"

struct error;
struct medium;

struct inventory_comparison {
	const struct inventory *then, *now; /* compared in the mode of `now` */
	struct medium *medium; /* to hash changed files; may be NULL */
	bool is_part;          /* `now` may have more files */
	/* [count]: the files that matter, if names agree; NULL: all. */
	const bool *matters;
};

struct inventory_change {
	uint64_t file;   /* its number in `then`, or in `now` if it was added */
	bool only_time;  /* the bytes may be the same, as in a copy */
	bool is_listing; /* files were added or removed */
	char text[512];  /* "a/b.jpg has 12 bytes, it had 10" */
};

/* Advice where only the time of a file changed. */
#define INVENTORY_ONLY_TIME                                             \
	"if its bytes are the same, as in a copy, give --set "          \
	"dataset.fingerprint=sizes (work that is begun with =contents " \
	"compares bytes)"

/* Compares: 1 and *change when they differ; 0: equal; -1: cannot compare. */
int inventory_compare(const struct inventory_comparison *comparison,
    struct inventory_change *change, struct error *err);
/*
 * Compares two versions of one file, by `now`, mode and medium of the
 * comparison: 1 and *change when they differ; else 0.
 */
int inventory_compare_file(const struct inventory_comparison *comparison,
    const struct inventory_file *then, const struct inventory_file *now,
    struct inventory_change *change);

#endif
