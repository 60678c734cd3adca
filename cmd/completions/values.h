/*
 * values.h - what the value of an option, or the operands of a command, may
 * be: words, files, folders.  It is derived from the option tables and the
 * usage lines, so that completions need no table of their own.
 */
#ifndef CMD_COMPLETIONS_VALUES_H
#define CMD_COMPLETIONS_VALUES_H

#include <stdbool.h>

struct cmd;
struct option;

enum { VALUES_WORDS = 2048 };

struct values {
	char words[VALUES_WORDS]; /* separated by blanks */
	bool is_list;             /* several of them, separated by commas */
	bool files, folders;
	bool pipelines; /* files that end in .conf */
};

/* Nothing is known of numbers, texts and flags. */
struct values values_of_option(const struct option *option);

/*
 * Of all operands, by the words of cmd->usage: "a|b" are words, DIR is a
 * folder, KIND a generator, COMMAND a command, *.conf a pipeline file, and what
 * is not known a file.
 */
struct values values_of_operands(const struct cmd *cmd);

#endif
