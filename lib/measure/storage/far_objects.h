/* far_objects.h - the objects that a far probe reads. */
#ifndef LIB_MEASURE_STORAGE_FAR_OBJECTS_H
#define LIB_MEASURE_STORAGE_FAR_OBJECTS_H

#include "lib/measure/storage/far.h"

enum { FAR_OPEN_MOST = 64 }; /* large objects that are kept open */

struct far_object {
	char *url; /* owned */
	uint64_t bytes;
	struct medium_file *file; /* open, if it is large; NULL: not yet */
};

struct far_objects {
	struct far_object *small, *large; /* up to FAR_WHOLE bytes, and more */
	size_t small_count, small_capacity;
	size_t large_count, large_capacity;
};

/* Lists the objects, in random order; opens large ones. */
int far_objects_find(const struct far_plan *plan, struct far_objects *objects,
    struct far_probe *probe, struct error *err);
void far_objects_release(struct far_objects *objects);

#endif
