/* inventory_take.h - lists the files that a dataset is read from. */
#ifndef LIB_FOLDER_INVENTORY_TAKE_H
#define LIB_FOLDER_INVENTORY_TAKE_H

#include <stdatomic.h>

#include "lib/folder/inventory.h"

struct error;
struct medium;
struct reader;

struct inventory_plan {
	const struct reader *reader;
	const char *path; /* path of the dataset; NULL: it has none */
	enum inventory_mode mode;
	struct medium *medium;   /* to read contents */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
	struct inventory_known known;
};

/* Lists all files of the reader. */
int inventory_take(struct inventory *inventory,
    const struct inventory_plan *plan, struct error *err);
/*
 * Adds an extra file that is read, or the files of such a folder. Their names
 * are relative to the folder that the path is in.
 */
int inventory_take_besides(struct inventory *inventory,
    const struct inventory_plan *plan, const char *path, struct error *err);

#endif
