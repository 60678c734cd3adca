/*
 * hdf5_library.h - libhdf5, one call at a time; for use in lib/signal only.
 *
 * Code between hdf5_enter and hdf5_leave, and in hdf5_call, has the library
 * alone, whether libhdf5 was built thread-safe or not.  It is initialized by
 * the first call, until the process ends.
 */
#ifndef LIB_SIGNAL_HDF5_LIBRARY_H
#define LIB_SIGNAL_HDF5_LIBRARY_H

#include <hdf5.h>

#include "lib/signal/hdf5.h"

struct hdf5_library {
	hid_t driver;    /* reads the files of struct hdf5_file */
	hid_t dapl;      /* opens datasets without other files */
	hid_t half;      /* float16: there is no native type */
	struct buf room; /* for chunks that are located; never read */
};

/* A task that has the library alone. */
typedef int hdf5_work(
    struct hdf5_library *library, void *arg, struct error *err);

/* Runs the task and returns its result. */
int hdf5_call(hdf5_work *work, void *arg, struct error *err);
/* The same in two parts. */
struct hdf5_library *hdf5_enter(void);
void hdf5_leave(void);
/* Reports "NAME: the library's innermost message". */
int hdf5_fail(struct hdf5_file *file, const char *name, struct error *err);
/* Did this function of the library detect the last error? */
bool hdf5_failed_in(const char *function);
/* Returns the library's type of elements in memory. */
hid_t hdf5_memory_type(const struct hdf5_library *library, enum dtype dtype);

#endif
