/*
 * shell.h - words of a command that is to be pasted into a shell.
 */
#ifndef LIB_BASE_SHELL_H
#define LIB_BASE_SHELL_H

struct buf;
struct error;

/* Appends the word, in quotes if it needs any. */
int shell_word(struct buf *out, const char *word, struct error *err);

#endif
