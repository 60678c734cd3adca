/*
 * shell.h - words as a shell has them: quotes those of a command that is to be
 * pasted into a shell, and takes apart those of a line of a pipeline file.
 */
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

/*
 * Takes the next word of *rest: 1, 0 at the end, -1 if a quote is not closed.
 * Blanks separate words.  '...' is as it stands; in "..." a backslash may stand
 * before " and itself; elsewhere before blanks, quotes and itself.  Quotes are
 * removed in place, so that *word points into the text.
 */
int shell_take(char **rest, char **word, struct error *err);

#endif
