/*
 * values.h - the values that an option or an operand may have: words, files or
 * folders.  They come from the option tables and the usage lines, so
 * completions need no table of their own.
 */
#ifndef CMD_COMPLETIONS_VALUES_H
#define CMD_COMPLETIONS_VALUES_H

#include <stdbool.h>

struct cmd;
struct option;

enum { VALUES_WORDS = 2048 };

struct values {
	char words[VALUES_WORDS]; /* separated by blanks */
	bool is_list;             /* a list, separated by commas */
	bool files, folders;
	bool pipelines; /* files that end in .conf */
};

/* Nothing is known of numbers, texts and flags. */
struct values values_of_option(const struct option *option);

/*
 * The values of all operands, from the words of cmd->usage.  "a|b" are words,
 * DIR is a folder, KIND a generator, COMMAND a command, and *.conf a pipeline
 * file.  Anything else is a file.
 */
struct values values_of_operands(const struct cmd *cmd);

#endif
