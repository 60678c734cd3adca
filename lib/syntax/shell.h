/*
 * shell.h - words of a command that is to be pasted into a shell.
 */
#ifndef LIB_SYNTAX_SHELL_H
#define LIB_SYNTAX_SHELL_H

struct buf;
struct error;

/*
 * Appends the word, in quotes if it needs any; with characters that are not to
 * be seen (lib/base/printable) as $'\033', which bash, zsh, ksh and POSIX of
 * 2024 read.  What is appended holds no such character.
 */
int shell_word(struct buf *out, const char *word, struct error *err);
/* A path that is an operand: "./-name" where it would be an option. */
int shell_operand(struct buf *out, const char *path, struct error *err);

#endif
