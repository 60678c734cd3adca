/*
 * missing.c - stands for the sources whose library is not installed where
 * presto was built (Makefile, OPTIONAL): they are known, and refused.
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
