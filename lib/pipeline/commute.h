/*
 * commute.h - which steps may change places, and what that does to the data.
 *
 * Two steps commute exactly if both orders give the same bytes, and up to
 * rounding if the orders differ only where a result is rounded to the numbers
 * of its dtype.  It follows from the kinds of the two (enum step_kind); the
 * reasons stand beside the table in commute.c.  Whether a step takes what the
 * other one gives is another question, which binding answers.
 *
 * A random step draws the same in all orders, since its stream belongs to its
 * place in the order given (pipeline_step.given).
 */
#ifndef LIB_PIPELINE_COMMUTE_H
#define LIB_PIPELINE_COMMUTE_H

#include "lib/sample/step_ops.h"

struct buf;
struct error;
struct pipeline;
struct pipeline_step;

/* From the worst to the best. */
enum commute { COMMUTE_NOT, COMMUTE_ROUNDING, COMMUTE_EXACT };

enum commute commute_kinds(enum step_kind a, enum step_kind b);
/* The same for steps of a bound pipeline, with their options and fields. */
enum commute commute_steps(
    const struct pipeline_step *a, const struct pipeline_step *b);
/*
 * Compares the order of a bound pipeline's steps with the order given: the
 * worst of all pairs that changed places.  COMMUTE_NOT: the user's option
 * `after` allowed one of them.
 */
enum commute commute_order(const struct pipeline *pipeline);

/*
 * Appends what steps of the kind change places with: "exactly: crops, flips;
 * up to rounding: resizing".  Nothing is appended for those that never do.
 */
int commute_words(enum step_kind kind, struct buf *text, struct error *err);

#endif
