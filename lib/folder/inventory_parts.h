/*
 * inventory_parts.h - walks the entries of an inventory; for inventory.c and
 * inventory_compare.c only.
 */
#ifndef LIB_FOLDER_INVENTORY_PARTS_H
#define LIB_FOLDER_INVENTORY_PARTS_H

#include "lib/folder/inventory.h"

struct inventory_cursor {
	struct span rest;
	struct buf name; /* name of the current entry, terminated */
	int64_t mtime_ns;
};

#define INVENTORY_CURSOR_INIT    \
	{                        \
		.name = BUF_INIT \
	}

void inventory_cursor_begin(
    struct inventory_cursor *cursor, const struct inventory *inventory);
/* 1 and *file, 0 at the end, -1: damaged. */
int inventory_cursor_next(struct inventory_cursor *cursor,
    struct inventory_file *file, struct error *err);
int inventory_cursor_copy(struct inventory_cursor *to,
    const struct inventory_cursor *from, struct error *err);
void inventory_cursor_release(struct inventory_cursor *cursor);

#endif
