/*
 * parts.h - the tables of a page.
 */
#ifndef CMD_PAGE_PARTS_H
#define CMD_PAGE_PARTS_H

#include <stdio.h>

struct error;
struct facts;

/*
 * The section of the trials as far as their table, which sorts by its
 * headers; the rows have the anchors that charts lead to.  The caller ends the
 * section.
 */
int page_trials(const struct facts *facts, FILE *out, struct error *err);
/* Tables of steps and phases, folded. */
int page_details(const struct facts *facts, FILE *out, struct error *err);

#endif
