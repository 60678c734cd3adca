/*
 * neighbour.h - finds the rounds that a neighbour on the host slowed, and takes
 * it out of the rates.
 *
 * Such a neighbour hits all trials of a round, and is there or not.  The effect
 * of a round is the median over its trials of what they are away from their own
 * medians.  The effects of a side fall into two groups if the largest gap
 * between neighbouring ones is beyond six percent and five standard deviations
 * of what changes from round to round.  With fewer than four sessions, one of
 * them must have rounds of both.  Smaller effects are left to the scatter of
 * sessions.
 *
 * The rates of slowed rounds are lifted by the gap.  What then remains to be
 * known is whether the fastest moments of both sides were alike.  Each
 * explanation has a shift that is added to the change:
 *
 *	groups in        explanations
 *	neither          the same: 0
 *	both             fast as fast: 0; slow as slow: the gaps' difference
 *	only one side    the other was fast all the time: 0, or slow: the gap
 *
 * The sides of a comparison by turns have the same chances of a neighbour.  So
 * an explanation has a p: that of the rank sums of the slowed fractions of the
 * sessions (lib/stats/ranksum.h).
 */
#ifndef STRATEGIES_COMPARE_NEIGHBOUR_H
#define STRATEGIES_COMPARE_NEIGHBOUR_H

#include <stddef.h>

struct error;
struct rates;

enum { EXPLANATIONS_MOST = 2 };

struct explanation {
	double shift; /* logarithm; added to all changes */
	double p;     /* of groups so unequal, if the sides are alike */
};

struct neighbour {
	double gaps[2]; /* BASE, NEW; logarithms; 0: no groups */
	struct explanation list[EXPLANATIONS_MOST];
	size_t count; /* at least 1 */
};

/* Nothing was found, or is believed. */
struct neighbour neighbour_none(void);

/* Changes the rates of BASE and NEW, which have the same trials. */
int neighbour_remove(
    struct neighbour *neighbour, struct rates *sides, struct error *err);

#endif
