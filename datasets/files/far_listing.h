/*
 * far_listing.h - all files below a far folder, sorted by the bytes of their
 * names, from one listing of it.  What lies in it is then known without further
 * requests.  The files of a local folder may be known in the same way, from the
 * process that has listed it.
 */
#ifndef DATASETS_FILES_FAR_LISTING_H
#define DATASETS_FILES_FAR_LISTING_H

#include <stdbool.h>

#include "datasets/files/listing.h"
#include "lib/files/path_tree.h"

struct error;
struct inventory_known;
struct medium;

struct far_listing {
	struct listing all;
};

#define FAR_LISTING_INIT            \
	{                           \
		.all = LISTING_INIT \
	}

int far_listing_take(struct far_listing *far, struct medium *medium,
    const char *dir, struct error *err);
/* The same from a known inventory: the files of samples, `each` a sample. */
int far_listing_take_known(struct far_listing *far,
    const struct inventory_known *known, unsigned each, struct error *err);
/* Visits the files as path_each_but does. */
int far_listing_each_but(const struct far_listing *far,
    path_leave_out *leave_out, path_visit *visit, void *arg, struct error *err);
/* Is this folder below the listed one presto's own (lib/folder/made.h)? */
bool far_listing_is_made(const struct far_listing *far, const char *folder);
void far_listing_release(struct far_listing *far);

#endif
