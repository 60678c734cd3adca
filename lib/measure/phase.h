/*
 * phase.h - where the time of an epoch goes: by activity of the threads, and by
 * how far partial epochs go.
 */
#ifndef LIB_MEASURE_PHASE_H
#define LIB_MEASURE_PHASE_H

#include <stdint.h>

/* Activities of the loader's threads, from the traced pass. */
enum phase {
	PHASE_OPEN, /* files and streams */
	PHASE_READ,
	PHASE_DECOMPRESS,
	PHASE_PARSE,
	PHASE_STEPS,
	PHASE_BATCH, /* copying and handing over */
	PHASE_WAIT,  /* for data or for batches */
	PHASE_COUNT
};

struct phase_row { /* sums over the threads; calls 0: unknown */
	uint64_t wall_ns, cpu_ns, calls, bytes;
};

/* Where a partial epoch stops. */
enum epoch_extent { EXTENT_READ, EXTENT_DECODE, EXTENT_ALL, EXTENT_COUNT };

struct partial_row { /* wall_ns 0: not measured */
	uint64_t wall_ns, cpu_ns, samples, bytes;
};

#endif
