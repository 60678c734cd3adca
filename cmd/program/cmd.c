/* cmd.c - see cmd.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/database_name.h"
#include "lib/syntax/nearest.h"

static const struct cmd *const cmds[] = {
#define CMD(name) &cmd_##name,
#include "cmd/program/cmds.def"
#undef CMD
};

const struct cmd *cmd_at(size_t i)
{
	return i < ARRAY_LEN(cmds) ? cmds[i] : NULL;
}

const struct cmd *cmd_find(const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	nearest.see = "presto help";
	for (size_t i = 0; i < ARRAY_LEN(cmds); i++) {
		if (strcmp(cmds[i]->name, name) == 0)
			return cmds[i];
		nearest_try(&nearest, cmds[i]->name);
	}
	error_set(err, ERROR_USAGE, "no command '%s'%s", name,
	    nearest_hint(&nearest, hint));
	return NULL;
}

int cmd_status(const struct error *err)
{
	switch (err->code) {
	case ERROR_USAGE:
		return 2;
	case ERROR_GATE:
		return 3;
	case ERROR_INCONCLUSIVE:
		return 4;
	case ERROR_INTERRUPTED:
		return 130;
	default:
		return 1;
	}
}

enum { TEXT = 4096 };

__attribute__((format(printf, 2, 0))) static void write_note(
    const char *head, const char *format, va_list args)
{
	char text[TEXT];
	const size_t at = wrap_width(head);

	vsnprintf(text, sizeof(text), format, args);
	fputs(head, stderr);
	wrap_write(text, at, 2, terminal_columns(stderr), stderr);
	fputc('\n', stderr);
}

void cmd_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_note("presto: ", format, args);
	va_end(args);
}

void cmd_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_note("presto: warning: ", format, args);
	va_end(args);
}

const char *cmd_database(const char *option)
{
	const char *env = getenv("PRESTO_DB");

	if (option)
		return option;
	return env && env[0] ? env : DATABASE_NAME;
}
