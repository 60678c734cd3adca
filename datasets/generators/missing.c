/*
 * missing.c - stands for the generators whose library is not installed where
 * presto was built (Makefile, OPTIONAL): they are known, and refused.
 */
#include "datasets/generator.h"

#define MISSING(kind, library)                          \
	const struct generator_ops generator_##kind = { \
		.name = #kind,                          \
		.needs = (library),                     \
	}

#ifndef WITH_HDF5
MISSING(signals, "libhdf5");
#endif

#ifndef WITH_SNDFILE
MISSING(speech, "libsndfile");
#endif
