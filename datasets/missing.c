/*
 * missing.c - stand-ins for sources whose library was not installed when presto
 * was built (Makefile, OPTIONAL): they are known, but refused.
 */
#include "datasets/source.h"

#define MISSING(source, library)                    \
	const struct source_ops source_##source = { \
		.name = #source,                    \
		.needs = (library),                 \
	}

#ifndef WITH_HDF5
MISSING(hdf5, "libhdf5");
#endif
