/* trial_notes.h - what a session tells the user of a trial that was checked. */
#ifndef STRATEGIES_SESSION_TRIAL_NOTES_H
#define STRATEGIES_SESSION_TRIAL_NOTES_H

struct measured_strategy;
struct trial;

/* Says so if the user's own loader delivers another number of samples. */
void trial_notes_of_yours(
    const struct measured_strategy *measured, struct trial *trial);
/*
 * Says which part of the samples a partial cache keeps, and notes how many
 * filters drop.
 */
void trial_notes_of_check(
    const struct measured_strategy *measured, struct trial *trial);

#endif
