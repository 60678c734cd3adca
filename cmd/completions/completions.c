/*
 * completions.c - presto completions: a script that completes presto's
 * commands, options and values in a shell.
 */
#include <string.h>

#include "cmd/completions/shells.h"
#include "cmd/program/cmd.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/nearest.h"

static const struct shell_ops *const shells[] = {
#define SHELL(name) &shell_##name,
#include "cmd/completions/shells.def"
#undef SHELL
};

/* In these shells a backslash does not escape a quote within single quotes. */
void shell_quote(const char *text, const char *special, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr(special, *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

static int completions(
    const void *args, char **operands, int count, struct error *err)
{
	struct nearest nearest = nearest_to(operands[0]);
	char hint[NEAREST_HINT];

	UNUSED(args);
	UNUSED(count);
	for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
		nearest_try(&nearest, shells[i]->name);
		if (strcmp(operands[0], shells[i]->name) != 0)
			continue;
		shells[i]->write(stdout);
		return 0;
	}
	return error_set(err, ERROR_USAGE, "no completions for '%s'%s",
	    operands[0], nearest_hint(&nearest, hint));
}

const struct cmd cmd_completions = {
	.name = "completions",
	.summary = "print a script that completes presto's words in a shell",
	.usage = "bash|fish|zsh",
	.operands_min = 1,
	.operands_max = 1,
	.run = completions,
};
