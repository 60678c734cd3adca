/*
 * cmd.h - a subcommand: its name, its usage as the manual has it, its options
 * as data, and the function that does it.
 *
 * Data goes to stdout, progress and warnings to stderr; errors are returned
 * and printed by main.  A command is a `const struct cmd` in a file of its
 * own, listed in cmd/program/cmds.def.
 */
#ifndef CMD_PROGRAM_CMD_H
#define CMD_PROGRAM_CMD_H

#include <stddef.h>

struct error;
struct option;

struct cmd {
	const char *name;
	const char *summary;          /* one phrase, no full stop */
	const char *usage;            /* operands only: "PIPELINE.conf" */
	const struct option *options; /* sorted by name */
	size_t args_size;
	const void *defaults; /* args_size bytes; NULL: zeros */
	int operands_min, operands_max;
	void (*print_operands)(void); /* what they may be, for -h; or NULL */
	/*
	 * 0, or -1 with err set; err->code decides the exit status (see
	 * cmd_status).  `args` was filled from the options.
	 */
	int (*run)(
	    const void *args, char **operands, int count, struct error *err);
};

#define CMD(name) extern const struct cmd cmd_##name;
#include "cmd/program/cmds.def"
#undef CMD

/* NULL: there is none, and err names the nearest. */
const struct cmd *cmd_find(const char *name, struct error *err);
const struct cmd *cmd_at(size_t i); /* NULL behind the last */

/*
 * 2: a mistake of the user, 3: a gate was not passed, 4: inconclusive, 130:
 * interrupted, or 1.
 */
int cmd_status(const struct error *err);

/* "presto: ..." on stderr, in lines that fit a terminal. */
void cmd_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "presto: warning: ...", likewise. */
void cmd_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The database of --db, else $PRESTO_DB, else "presto.db". */
const char *cmd_database(const char *option);

#endif
