/*
 * verdict.h - does a strategy that was recommended once still win?
 *
 * It wins if it is the first of a new ranking and no other one may be better by
 * more than 5 percent (gain_allowed).  It is as good as the first if it is tied
 * with that or behind it, by no more than 5 percent.  It is beaten if another
 * one is clearly better, by more than that.  Otherwise noise hides the answer;
 * it also does if one of the two has fewer than FEW_RUNS runs.
 */
#ifndef STRATEGIES_DECIDE_VERDICT_H
#define STRATEGIES_DECIDE_VERDICT_H

struct candidate;
struct ranking;
struct request;

enum verdict { VERDICT_WINS, VERDICT_AS_GOOD, VERDICT_BEATEN, VERDICT_NOISE };

struct judgement {
	enum verdict verdict;
	const struct candidate *rival; /* the best other one; NULL: none */
	/*
	 * How many times as good the better of the two is, by medians; NAN: not
	 * known, or the objective is no ratio.
	 */
	double ratio;
	/* The most by which the rival may be better; 1.1: a tenth. */
	double risk;
};

/* Judges a candidate of the ranking. */
struct judgement verdict_of(const struct ranking *ranking,
    const struct candidate *candidate, const struct request *request);

/* "wins", "as good", "beaten", "noise" */
const char *verdict_word(enum verdict verdict);

#endif
