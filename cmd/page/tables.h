/* tables.h - the tables of a page. */
#ifndef CMD_PAGE_TABLES_H
#define CMD_PAGE_TABLES_H

#include <stdio.h>

struct error;
struct facts;

/*
 * Writes the section of the trials and its table, which can be sorted by
 * column.  Charts link to its rows.  The caller ends the section.
 */
int page_trials(const struct facts *facts, FILE *out, struct error *err);
/* Writes tables of steps, phases and hosts, folded. */
int page_details(const struct facts *facts, FILE *out, struct error *err);

#endif
