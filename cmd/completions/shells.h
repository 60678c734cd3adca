/*
 * shells.h - completion scripts for shells.  A shell is a file with a `const
 * struct shell_ops` and a line in shells.def.
 */
#ifndef CMD_COMPLETIONS_SHELLS_H
#define CMD_COMPLETIONS_SHELLS_H

#include <stdio.h>

struct shell_ops {
	const char *name;
	void (*write)(FILE *out);
};

#define SHELL(name) extern const struct shell_ops shell_##name;
#include "cmd/completions/shells.def"
#undef SHELL

/* Writes the text in single quotes; a backslash escapes those in `special`. */
void shell_quote(const char *text, const char *special, FILE *out);

#endif
