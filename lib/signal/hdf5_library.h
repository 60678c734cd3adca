/*
 * hdf5_library.h - libhdf5, one call at a time; for use in lib/signal only.
 *
 * The library is loaded when it is first needed, and not linked: with the
 * thirty libraries that it needs, it would take more than half of the time that
 * a start of presto takes.  It stays loaded until the process ends.
 *
 * Code between hdf5_enter and hdf5_leave, and in hdf5_call, has the library
 * alone, whether libhdf5 was built thread-safe or not.
 */
#ifndef LIB_SIGNAL_HDF5_LIBRARY_H
#define LIB_SIGNAL_HDF5_LIBRARY_H

#include <hdf5.h>

#include "lib/signal/hdf5.h"

/* Constants of its headers would call the library itself before their value. */
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

struct hdf5_library {
/* Its functions and variables, by the library's names. */
#define SYMBOL(name) __typeof__(name) *name;
#include "lib/signal/hdf5_symbols.def"
#undef SYMBOL
	hid_t driver;    /* reads the files of struct hdf5_file */
	hid_t dapl;      /* opens datasets without other files */
	hid_t half;      /* float16: there is no native type */
	struct buf room; /* for chunks that are located; never read */
};

/* A task that has the library alone. */
typedef int hdf5_work(
    struct hdf5_library *library, void *arg, struct error *err);

/* Loads and initializes the library, once; NULL: it cannot be loaded. */
struct hdf5_library *hdf5_load(struct error *err);
/* Loads it if need be, runs the task, and returns its result. */
int hdf5_call(hdf5_work *work, void *arg, struct error *err);
/* The same in two parts, for a library that is loaded. */
void hdf5_enter(const struct hdf5_library *library);
void hdf5_leave(const struct hdf5_library *library);
/* Reports "NAME: the library's innermost message". */
int hdf5_fail(struct hdf5_file *file, const char *name, struct error *err);
/* Did this function of the library detect the last error? */
bool hdf5_failed_in(const char *function);
/* Returns the library's type of elements in memory. */
hid_t hdf5_memory_type(const struct hdf5_library *library, enum dtype dtype);

#endif
