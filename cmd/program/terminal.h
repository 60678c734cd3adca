/*
 * terminal.h - the terminal that an output goes to, if it goes to one, and the
 * lines for people that go there.  Each line is made harmless
 * (lib/base/printable), whatever names are put into it.
 */
#ifndef CMD_PROGRAM_TERMINAL_H
#define CMD_PROGRAM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Columns of the terminal: $COLUMNS if it is set, else as the terminal says,
 * else 80.  0 if `out` is a file, a pipe or memory: its lines may be of any
 * length.
 */
size_t terminal_columns(FILE *out);

/*
 * A line "HEAD TEXT\n", wrapped by words if `out` is a terminal; further lines
 * begin below TEXT.  HEAD has its spaces.
 */
void terminal_print(FILE *out, const char *head, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * A line that is not wrapped, such as a row of columns or a command to copy.
 */
void terminal_line(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the locale say that texts are UTF-8? */
bool terminal_is_utf8(void);

#endif
