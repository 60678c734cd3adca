/*
 * reference.h - a small piece of work that is always the same: what it takes
 * tells how fast the machine is just now.
 *
 * The speed of a core changes with what the host of a virtual machine runs on
 * the same processor, and with its clock frequency, by some percent from minute
 * to minute; a session that met a slow minute looks like a slower program.
 * Decoding slows down with this piece nearly as much: it inflates bytes, which
 * is look-ups in tables, branches that are hard to predict, and copies.  It is
 * done by zlib, of the system, so that no change of presto changes it; nor may
 * the bytes ever change, since times of unlike pieces must not be compared.
 */
#ifndef LIB_MEASURE_REFERENCE_H
#define LIB_MEASURE_REFERENCE_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct clock;
struct error;
struct reference;

/* `wall` is for the pace; borrowed. */
struct reference *reference_new(const struct clock *wall, struct error *err);
void reference_free(struct reference *reference); /* NULL is fine */

/*
 * Does the piece, of about 1 ms, as often as it takes no more than a
 * REFERENCE_SHARE-th of the time since it was done last: the mean CPU time that
 * it took of this thread, in ns, so that what other programs took does not
 * count (that is cores.h).  0 when it is too early for one.
 */
uint64_t reference_run(struct reference *reference);

enum { REFERENCE_SHARE = 50, REFERENCE_MOST = 16 /* at once */ };

/* What is inflated, for who checks that it is as ever; lives as long. */
struct span reference_bytes(const struct reference *reference);

#endif
