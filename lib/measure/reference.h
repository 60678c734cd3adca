/*
 * reference.h - the reference workload: a small piece of work that never
 * changes. Its time shows how fast the machine is at the moment.
 *
 * The speed of a core changes by some percent within minutes, with its clock
 * frequency and with the load of a virtual machine's host. A session in a slow
 * minute looks like a slower program. Decoding and this workload slow down
 * nearly alike: it inflates bytes, by table look-ups, unpredictable branches
 * and copies. The system's zlib does it, so that changes of presto do not
 * affect it. The bytes must never change either, since their times would not be
 * comparable.
 */
#ifndef LIB_MEASURE_REFERENCE_H
#define LIB_MEASURE_REFERENCE_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct clock;
struct error;
struct reference;

/* `wall` decides when it runs; borrowed. */
struct reference *reference_new(const struct clock *wall, struct error *err);
void reference_free(struct reference *reference); /* NULL is fine */

/*
 * Runs the workload, of about 1 ms, often enough to take at most
 * 1/REFERENCE_SHARE of the time since the last call. Returns the mean CPU time
 * of this thread in ns, so that other programs do not count (see cores.h). 0:
 * too early for a run.
 */
uint64_t reference_run(struct reference *reference);

/* Measures the CPU seconds of one run: the median of many, for 50 ms. */
int reference_time(double *seconds, struct error *err);

enum { REFERENCE_SHARE = 50, REFERENCE_MOST = 16 /* most runs of one call */ };

/*
 * Returns the bytes that are inflated, for a test that they stay the same;
 * valid as long as the reference.
 */
struct span reference_bytes(const struct reference *reference);

#endif
