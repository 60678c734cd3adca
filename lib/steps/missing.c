/*
 * missing.c - stands for steps whose library was missing at build time
 * (Makefile, OPTIONAL): they are listed, but refused.
 */
#include "lib/steps/step.h"

#define MISSING(step, library)                \
	const struct step_ops step_##step = { \
		.name = #step,                \
		.needs = (library),           \
	}

#ifndef WITH_HDF5
MISSING(hdf5, "libhdf5");
#endif

#ifndef WITH_SNDFILE
MISSING(audio_decode, "libsndfile");
#endif

#ifndef WITH_SOXR
MISSING(resample, "soxr");
#endif

#ifndef WITH_UTF8PROC
MISSING(bpe, "libutf8proc");
#endif

#ifndef WITH_XML
MISSING(html_text, "libxml2");
#endif
