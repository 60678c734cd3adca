/*
 * missing.c - stands for the generators whose library was not installed when
 * presto was built: they are known, and refused.  The Makefile names them,
 * after libraries.txt.
 */
#include "datasets/generator.h"

#define MISSING(kind, library)                          \
	const struct generator_ops generator_##kind = { \
		.name = #kind,                          \
		.needs = #library,                      \
	};

#ifdef MISSING_LIBRARIES
MISSING_LIBRARIES
#endif
