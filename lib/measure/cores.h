/*
 * cores.h - what the cores of this machine do besides the work of this
 * process: a figure that was measured beside a busy neighbour is not one of
 * this program alone.
 *
 * From /proc/stat, over the cores that this process may run on.  What the
 * kernel does not tell is 0.
 */
#ifndef LIB_MEASURE_CORES_H
#define LIB_MEASURE_CORES_H

#include <stdint.h>

/*
 * Of a span of time; summed over the cores.  The kernel counts in ticks of some
 * ms, so that of a short span `others_ns` may be too much or too little, and
 * below 0; of many spans the sum is right.
 */
struct cores {
	int64_t others_ns;  /* CPU time of other programs, and of interrupts */
	uint64_t stolen_ns; /* that the host gave to other machines */
	uint64_t waited_ns; /* idle, with I/O outstanding */
};

/* A moment. */
struct cores_mark {
	uint64_t busy_ns, own_ns, stolen_ns, waited_ns;
};

void cores_mark(struct cores_mark *mark);
/* What went on since the mark. */
void cores_since(const struct cores_mark *mark, struct cores *cores);

/* The parts of both; `root` is put in front of /proc. */
void cores_mark_in(const char *root, struct cores_mark *mark);
void cores_between(const struct cores_mark *mark, const struct cores_mark *now,
    struct cores *cores);

#endif
