/*
 * cmd.h - a subcommand: name, usage line, options and function.
 *
 * Data goes to stdout, progress and warnings to stderr.  Errors are returned
 * and printed by main.  A command is a `const struct cmd` in a file of its own,
 * listed in cmd/program/cmds.def.
 */
#ifndef CMD_PROGRAM_CMD_H
#define CMD_PROGRAM_CMD_H

#include <stddef.h>

struct error;
struct option;

struct cmd {
	const char *name;
	const char *summary;          /* one phrase, no full stop */
	const char *usage;            /* the operands: "PIPELINE.conf" */
	const struct option *options; /* sorted by name */
	size_t args_size;
	const void *defaults; /* args_size bytes; NULL: all zero */
	int operands_min, operands_max;
	void (*print_operands)(
	    void); /* prints the words that operands may be, for -h; or NULL */
	/*
	 * Runs the command; `args` was filled from the options.  Returns 0, or
	 * -1 with err set; err->code decides the exit status (see cmd_status).
	 */
	int (*run)(
	    const void *args, char **operands, int count, struct error *err);
};

#define CMD(name) extern const struct cmd cmd_##name;
#include "cmd/program/cmds.def"
#undef CMD

/* Finds a command by its name.  NULL: none; err suggests the nearest. */
const struct cmd *cmd_find(const char *name, struct error *err);
const struct cmd *cmd_at(size_t i); /* NULL behind the last */

/* 2: mistake, 3: gate not passed, 4: inconclusive, 130: interrupted, or 1. */
int cmd_status(const struct error *err);

/* Prints "presto: ..." on stderr, in lines that fit the terminal. */
void cmd_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "presto: warning: ..." in the same way. */
void cmd_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The option --db; `verb` is "keep results in" and the like. */
#define OPTION_DB(args, verb)                   \
	OPTION(TEXT, "db", 0, args, db, "FILE", \
	    verb " the database FILE (default: $PRESTO_DB, else presto.db)")
/* The result database: `option` (--db), $PRESTO_DB or "presto.db". */
const char *cmd_database(const char *option);

#endif
