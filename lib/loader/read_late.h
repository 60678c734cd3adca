/*
 * read_late.h - does a loader gain where its workers read cached bytes
 * themselves (lib/files/late_read.h)?
 */
#ifndef LIB_LOADER_READ_LATE_H
#define LIB_LOADER_READ_LATE_H

#include "lib/base/cpu.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/reader.h"

/*
 * It does where a step of from .. to-1 reads its input more than once, and the
 * processor keeps it near.  A codec unpacks what was fetched.
 */
static inline bool read_late_pays(const struct reader *reader,
    const struct pipeline *pipeline, unsigned from, unsigned to)
{
	return cpu_keeps_copies() && !reader->codec[0] &&
	       pipeline_has_areas(pipeline, from, to);
}

#endif
