/*
 * hdf5_library.h - libhdf5, one call at a time: inside lib/signal only.
 *
 * Everything between hdf5_enter and hdf5_leave, and in hdf5_call, is alone
 * with the library, whether it was built for threads or not.  It is begun with
 * the first call and ends with the process.
 *
 * Damaged metadata can crash libhdf5 (1.10.8 divides by 0 where chunks have
 * fewer dimensions than their dataset).  hdf5_call turns that into an error;
 * fault_guard.h has the limits.  From then on nothing of the library is used,
 * closed or freed, as it stopped half-way and may hold a lock of its own: all
 * later calls fail, and say so.  So these are no ERROR_DATA, which on_error =
 * skip would pass over.
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

/* What is done alone with the library. */
typedef int hdf5_work(
    struct hdf5_library *library, void *arg, struct error *err);

/*
 * Does it, and returns what it does; ERROR_SYSTEM "damaged HDF5 metadata
 * (libhdf5 stopped with SIGFPE)".  For all that reads files.
 */
int hdf5_call(hdf5_work *work, void *arg, struct error *err);
/* The same without a guard, for files of our own; NULL when it is broken. */
struct hdf5_library *hdf5_enter(struct error *err);
void hdf5_leave(void);
/* "WHAT: the library's innermost message"; alone with the library. */
int hdf5_fail(struct hdf5_file *file, const char *what, struct error *err);
/* Was it this function of the library that found the last error? */
bool hdf5_failed_in(const char *function);
/* The library's type of elements in memory. */
hid_t hdf5_memory_type(const struct hdf5_library *library, enum dtype dtype);

#endif
