/*
 * limits.h - the section [limits] of the pipeline file: what the data may make
 * presto do.
 */
#ifndef LIB_PIPELINE_LIMITS_H
#define LIB_PIPELINE_LIMITS_H

#include <stdint.h>

struct error;
struct ini;

struct limits {
	/*
	 * Bytes of one sample: as the source has it, and of each of its fields
	 * after every step (lib/base/room.h).  0: any.
	 */
	uint64_t sample;
};

/* Defaults where the file says nothing; mistakes with file and line. */
int limits_read(
    struct limits *limits, const struct ini *ini, struct error *err);

#endif
