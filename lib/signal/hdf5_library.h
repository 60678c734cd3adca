/*
 * hdf5_library.h - libhdf5, one call at a time: inside lib/signal only.
 *
 * Everything between hdf5_enter and hdf5_leave is alone with the library,
 * whether it was built for threads or not.  It is begun with the first call
 * and ends with the process.
 */
#ifndef LIB_SIGNAL_HDF5_LIBRARY_H
#define LIB_SIGNAL_HDF5_LIBRARY_H

#include <hdf5.h>

#include "lib/signal/hdf5.h"

struct hdf5_library {
	hid_t driver;    /* reads files as struct hdf5_file has them */
	hid_t dapl;      /* how datasets are opened: without other files */
	hid_t half;      /* float16, which has no native type */
	struct buf room; /* for chunks that are located; never read */
};

struct hdf5_library *hdf5_enter(void);
void hdf5_leave(void);
/* "WHAT: the library's innermost message"; before hdf5_leave. */
int hdf5_fail(struct hdf5_file *file, const char *what, struct error *err);
/* Was it this function of the library that found the last error? */
bool hdf5_failed_in(const char *function);
/* The library's type of elements in memory. */
hid_t hdf5_memory_type(const struct hdf5_library *library, enum dtype dtype);

#endif
