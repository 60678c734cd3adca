/*
 * ordered_many.h - the work of an ordered loader whose steps make several
 * samples of one.
 *
 * A worker begins an input: it runs the steps in front of the one that makes
 * several, and then knows their count.  Inputs are counted in their order,
 * which gives each sample its slot.  All workers then make samples of the first
 * input that has some left, so one long recording keeps all of them busy, and
 * samples are not made far ahead of the consumer.  A worker without samples to
 * make begins the next input.
 *
 * If several steps make several, the count is known only when all were made:
 * then one input at a time is made, by the worker that has begun it.
 */
#ifndef LIB_LOADER_ORDERED_ORDERED_MANY_H
#define LIB_LOADER_ORDERED_ORDERED_MANY_H

struct ordered_worker;

/* Works until the run is over. */
void ordered_many_run(struct ordered_worker *worker);

#endif
