/*
 * csv.h - tables as RFC 4180 has them: a header, CRLF or LF, quotes where they
 * are needed, "." decimals, empty for what is not known.
 */
#ifndef CMD_WRITERS_CSV_H
#define CMD_WRITERS_CSV_H

#include <stdio.h>

struct error;
struct grid;

/*
 * Lines end with LF: what tools on Unix expect, and all readers take.  Texts
 * are made harmless (lib/base/printable), but for newlines and tabs.  A text
 * that a spreadsheet may run as a formula gets an apostrophe in front, even
 * behind other apostrophes: it begins with = + - @, a tab or a newline, and is
 * no number.  Who reads it drops one apostrophe in front of these.
 */
void csv_write(const struct grid *grid, FILE *out);

/*
 * Adds the table in `text` (terminated) to an empty grid; all values are
 * texts, without the apostrophe of csv_write.  Errors are "PATH:LINE: ...".
 */
int csv_read(
    struct grid *grid, const char *path, const char *text, struct error *err);

#endif
