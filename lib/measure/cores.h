/*
 * cores.h - work on the cores of this machine that is not this process's: a
 * measurement beside a busy neighbour is not that of this program alone.
 *
 * From /proc/stat, for the cores that this process may run on. What the kernel
 * does not report is 0.
 */
#ifndef LIB_MEASURE_CORES_H
#define LIB_MEASURE_CORES_H

#include <stdint.h>

/*
 * Sums over the cores in an interval. The kernel counts in ticks of some ms. So
 * in a short interval `others_ns` may be too high, too low, or negative; the
 * sum over many intervals is right.
 */
struct cores {
	int64_t others_ns;  /* CPU time of other programs, and of interrupts */
	uint64_t stolen_ns; /* time that the host gave to other machines */
	uint64_t waited_ns; /* idle, with I/O outstanding */
};

/* Counters at one moment. */
struct cores_mark {
	uint64_t busy_ns, own_ns, stolen_ns, waited_ns;
};

void cores_mark(struct cores_mark *mark);
/* Computes the sums since the mark. */
void cores_since(const struct cores_mark *mark, struct cores *cores);

/* The two halves of these functions, for tests; `root` is put before /proc. */
void cores_mark_in(const char *root, struct cores_mark *mark);
void cores_between(const struct cores_mark *mark, const struct cores_mark *now,
    struct cores *cores);

#endif
