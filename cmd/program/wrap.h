/*
 * wrap.h - sentences on a terminal: broken between words, so that the terminal
 * need not break them inside of one.  A number stays with its unit, an option
 * with its value, and a word that is longer than the line (a path) whole.
 *
 * A text is one line, made harmless (lib/base/printable): a newline in it is
 * shown as an escape.  Heads are presto's own.
 */
#ifndef CMD_PROGRAM_WRAP_H
#define CMD_PROGRAM_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Columns that a text takes when it is written: one a printable character. */
size_t wrap_width(const char *text);

/*
 * Writes `text` behind what takes `at` columns of the line; further lines are
 * indented by `indent`.  `width` 0: there is one line.  It ends without '\n',
 * and returns the columns of the last line.
 */
size_t wrap_write(
    const char *text, size_t at, size_t indent, size_t width, FILE *out);

/*
 * A line "HEAD TEXT\n"; further lines begin below TEXT.  HEAD has its spaces.
 * A command to copy ("presto ...") stays in one piece.
 */
void wrap_line(const char *head, const char *text, size_t width, FILE *out);

/*
 * Lines of two columns, "  --name VALUE   what it does\n", which at least two
 * spaces part: the second one is wrapped below itself.
 */
void wrap_columns(const char *text, size_t width, FILE *out);

#endif
