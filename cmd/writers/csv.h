/*
 * csv.h - tables as CSV (RFC 4180): a header line, quotes where needed, decimal
 * points, and empty cells for unknown values.
 */
#ifndef CMD_WRITERS_CSV_H
#define CMD_WRITERS_CSV_H

#include <stdio.h>

struct error;
struct grid;

/*
 * Writes the grid with LF line ends, as Unix tools expect.  Texts are made
 * harmless (lib/base/printable) except for newlines and tabs.
 *
 * A text that a spreadsheet may take for a formula gets an apostrophe in front:
 * one that begins with = + - @, a tab or a newline and is not a number, also
 * after other apostrophes.  Readers drop one apostrophe in front of these.
 */
void csv_write(const struct grid *grid, FILE *out);

/*
 * Adds the table in `text` (terminated) to an empty grid.  Values are texts,
 * without the apostrophe of csv_write.  Errors are "PATH:LINE: ...".
 */
int csv_read(
    struct grid *grid, const char *path, const char *text, struct error *err);

#endif
