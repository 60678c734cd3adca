/* table.h - a study as a table: a line for each value of each series. */
#ifndef CMD_STUDY_TABLE_H
#define CMD_STUDY_TABLE_H

#include <stdio.h>

#include "cmd/writers/format.h"

struct error;
struct study;

/*
 * Text and Markdown are for people: rounded, with units.  CSV and JSON have
 * each figure in a column of its own.
 */
int table_study(const struct study *study, enum format format, FILE *out,
    struct error *err);

#endif
