/*
 * terminal.h - lines for people, and the terminal that they may go to.  Every
 * line is made harmless (lib/base/printable), whatever names it contains.
 */
#ifndef CMD_PROGRAM_TERMINAL_H
#define CMD_PROGRAM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Width of the terminal in columns: $COLUMNS, else as the terminal reports,
 * else 80. 0: `out` is a file, a pipe or memory, with lines of any length.
 */
size_t terminal_columns(FILE *out);

/* Prints "HEAD TEXT\n", with TEXT wrapped and aligned on a terminal. */
void terminal_print(FILE *out, const char *head, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a line without wrapping, such as a row or a command to copy. */
void terminal_line(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the locale use UTF-8? */
bool terminal_is_utf8(void);

#endif
