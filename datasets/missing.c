/*
 * missing.c - stands for the sources whose library was not installed when
 * presto was built: they are known, and refused.  The Makefile names them,
 * after libraries.txt.
 */
#include "datasets/source.h"

#define MISSING(source, library)                    \
	const struct source_ops source_##source = { \
		.name = #source,                    \
		.needs = #library,                  \
	};

#ifdef MISSING_LIBRARIES
MISSING_LIBRARIES
#endif
