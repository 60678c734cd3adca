/*
 * apart.h - sessions that are not by turns: may the machine have hidden a
 * slow-down?
 *
 * Each side has its own time, and nobody sees what the machine did between
 * them.  There are two signs that it changed:
 *
 *	within	the runs of a session hang together in time, or its trials move
 *		together (lib/stats/dependence.h).  Then another session may be
 *		elsewhere, by as much as the rounds of this one are apart
 *	between	NEW is faster as a whole, by the median of its trials, beyond
 *		the threshold: the machine may be faster, and trials slower.
 *		Nothing is hidden if NEW is faster by more than a machine may be
 */
#ifndef STRATEGIES_COMPARE_APART_H
#define STRATEGIES_COMPARE_APART_H

#include <stdbool.h>
#include <stddef.h>

struct compared;
struct error;
struct rates;

/* Sessions that are not by turns may differ by so much, and nobody sees it. */
extern const double apart_most;

/*
 * Raises *range to how far the rounds of a session of this side are apart, as a
 * logarithm, if the session shows a change.
 */
int apart_within(double *range, const struct rates *side, struct error *err);

/* Is NEW faster as a whole?  `trials` have a ratio. */
int apart_between(bool *is_faster, struct compared *const *trials, size_t count,
    double threshold, struct error *err);

#endif
