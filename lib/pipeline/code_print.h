/*
 * code_print.h - says which code of the user's a pipeline runs: two pipelines
 * with the same text give the same samples if this is the same, too.  Sessions
 * and folders keep it.
 *
 * It has a line for each such step: "own: mine.py 0011223344556677, python
 * 3.11.2".
 */
#ifndef LIB_PIPELINE_CODE_PRINT_H
#define LIB_PIPELINE_CODE_PRINT_H

#include <stdbool.h>

struct buf;
struct error;
struct pipeline;

enum { CODE_PRINT_TEXT = 512 };

/* Appends the lines of the first `steps` steps, which are bound; or "". */
int code_print(const struct pipeline *pipeline, unsigned steps, struct buf *out,
    struct error *err);
/*
 * Do they say that the code of a step, which both have, differs?  Then `text`
 * becomes "the code of step own was A, and is B".  NULL: it is not known.
 */
bool code_print_differs(
    const char *then, const char *now, char text[CODE_PRINT_TEXT]);

#endif
