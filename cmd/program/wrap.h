/*
 * wrap.h - wraps sentences to the width of a terminal, between words.  A number
 * stays with its unit, and an option with its value.  A word that is longer
 * than the line, such as a path, is not broken.
 *
 * A text is one line and is made harmless (lib/base/printable), so a newline in
 * it becomes an escape.  Heads come from presto itself and are not changed.
 */
#ifndef CMD_PROGRAM_WRAP_H
#define CMD_PROGRAM_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Columns of a printed text: one for each printable character. */
size_t wrap_width(const char *text);

/*
 * Writes `text` into a line whose first `at` columns are taken.  Further lines
 * are indented by `indent` columns.  With `width` 0 nothing is wrapped.  Writes
 * no final newline, and returns the columns of the last line.
 */
size_t wrap_write(
    const char *text, size_t at, size_t indent, size_t width, FILE *out);

/*
 * Writes "HEAD TEXT\n", with TEXT aligned after HEAD. HEAD includes its spaces.
 * A command ("presto ...") is not wrapped, so that it can be copied.
 */
void wrap_line(const char *head, const char *text, size_t width, FILE *out);

/*
 * Writes lines with two columns, separated by two spaces or more, such as "
 * --name VALUE   help\n". The second column is wrapped and aligned.
 */
void wrap_columns(const char *text, size_t width, FILE *out);

#endif
