/*
 * judge.h - decides which trials of a comparison are slower.  The model and the
 * rules are in compare.h.
 */
#ifndef STRATEGIES_COMPARE_JUDGE_H
#define STRATEGIES_COMPARE_JUDGE_H

struct compare_session;
struct comparison;
struct error;

/* Sets ratios, verdicts and the mean; the trials and the machine are known. */
int comparison_judge(struct comparison *comparison,
    const struct compare_session *base, const struct compare_session *new_one,
    struct error *err);

#endif
