/*
 * csv.h - tables as RFC 4180 has them: a header, CRLF or LF, quotes where they
 * are needed, "." decimals, empty for what is not known.
 */
#ifndef CMD_WRITERS_CSV_H
#define CMD_WRITERS_CSV_H

#include <stdio.h>

struct error;
struct grid;

/* Lines end with LF: what tools on Unix expect, and all readers take. */
void csv_write(const struct grid *grid, FILE *out);

/*
 * Adds the table in `text` (terminated) to an empty grid; all values are
 * texts.  Errors are "PATH:LINE: ...".
 */
int csv_read(
    struct grid *grid, const char *path, const char *text, struct error *err);

#endif
