/*
 * limits.h - the section [limits] of the pipeline file, which bounds what the
 * data can make presto do.
 */
#ifndef LIB_PIPELINE_LIMITS_H
#define LIB_PIPELINE_LIMITS_H

#include <stdint.h>

struct error;
struct ini;

struct limits {
	/*
	 * Bytes of one sample at most: as the source has it, and of each of its
	 * fields after every step (lib/base/room.h). 0: no limit.
	 */
	uint64_t sample;
};

/* Reads the limits, with defaults. Errors name file and line. */
int limits_read(
    struct limits *limits, const struct ini *ini, struct error *err);

#endif
