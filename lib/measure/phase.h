/*
 * phase.h - what the time of an epoch goes to: by what its threads do, and by
 * how far an epoch goes.
 */
#ifndef LIB_MEASURE_PHASE_H
#define LIB_MEASURE_PHASE_H

#include <stdint.h>

/* What threads of a loader do; from the traced pass. */
enum phase {
	PHASE_OPEN, /* files and streams */
	PHASE_READ,
	PHASE_DECOMPRESS,
	PHASE_PARSE,
	PHASE_STEPS,
	PHASE_BATCH, /* copies, and handing over */
	PHASE_WAIT,  /* for data, for batches */
	PHASE_COUNT
};

struct phase_row { /* summed over the threads; calls 0: not known */
	uint64_t wall_ns, cpu_ns, calls, bytes;
};

/* The differential check: an epoch that stops after... */
enum level { LEVEL_READ, LEVEL_DECODE, LEVEL_ALL, LEVEL_COUNT };

struct level_row { /* wall_ns 0: not measured */
	uint64_t wall_ns, cpu_ns, samples, bytes;
};

#endif
