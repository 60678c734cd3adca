/*
 * missing.c - stand-ins for generators whose library was not installed when
 * presto was built (Makefile, OPTIONAL): they are known, but refused.
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
