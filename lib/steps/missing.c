/*
 * missing.c - stands for the steps whose library was not installed when presto
 * was built: they are known, and refused.  The Makefile names them, after
 * libraries.txt.
 */
#include "lib/steps/step.h"

#define MISSING(step, library)                \
	const struct step_ops step_##step = { \
		.name = #step,                \
		.needs = #library,            \
	};

#ifdef MISSING_LIBRARIES
MISSING_LIBRARIES
#endif
