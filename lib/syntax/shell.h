/* shell.h - quotes words of a command that is to be pasted into a shell. */
#ifndef LIB_SYNTAX_SHELL_H
#define LIB_SYNTAX_SHELL_H

struct buf;
struct error;

/*
 * Appends the word, quoted if needed.  Invisible characters
 * (lib/base/printable) are written as in $'\033', which bash, zsh, ksh and
 * POSIX 2024 understand.
 */
int shell_word(struct buf *out, const char *word, struct error *err);
/* Appends a path as an operand: "./-name" if it looks like an option. */
int shell_operand(struct buf *out, const char *path, struct error *err);

#endif
