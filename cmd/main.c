/*
 * main.c - finds the command, parses its options and runs it.  Errors are
 * printed here and nowhere else.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h> /* mallopt */
#endif

#include "cmd/program/cmd.h"
#include "cmd/program/help.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/output.h"
#include "lib/base/error.h"
#include "lib/syntax/option.h"

enum { MAPPED_LEAST = 4 << 20 /* bytes of a large block */ };

static int check_operands(
    const struct cmd *cmd, int count, char **operands, struct error *err)
{
	if (count < cmd->operands_min)
		return error_set(err, ERROR_USAGE,
		    "%s is missing; see presto %s -h", cmd->usage, cmd->name);
	if (count > cmd->operands_max)
		return error_set(err, ERROR_USAGE,
		    "'%s' is one operand too many; see presto %s -h",
		    operands[cmd->operands_max], cmd->name);
	return 0;
}

static int run(const struct cmd *cmd, int argc, char **argv, struct error *err)
{
	static const struct option no_options[] = { OPTION_TABLE_END };
	void *args = calloc(1, cmd->args_size + 1);
	bool help = false;
	int count = 0, rc = -1;

	if (!args)
		return error_memory(err, cmd->args_size);
	if (cmd->defaults)
		memcpy(args, cmd->defaults, cmd->args_size);
	if (option_parse(cmd->options ? cmd->options : no_options, args, argc,
	        argv, &count, &help, err))
		goto done;
	if (help)
		rc = help_command(cmd, err);
	else if (check_operands(cmd, count, argv + 1, err) == 0)
		rc = cmd->run(args, argv + 1, count, err);
done:
	free(args);
	return rc;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int dispatch(int argc, char **argv, struct error *err)
{
	const struct cmd *cmd;

	if (argc < 2) {
		help_commands(stderr);
		return error_set(err, ERROR_USAGE, "no command was given");
	}
	if (is_one_of(argv[1], "-h", "--help")) {
		help_commands(stdout);
		return 0;
	}
	if (is_one_of(argv[1], "-V", "--version")) {
		puts("presto " PRESTO_VERSION);
		return 0;
	}
	cmd = cmd_find(argv[1], err);
	return cmd ? run(cmd, argc - 1, argv + 1, err) : -1;
}

/*
 * Has malloc give back large blocks when they are freed.  Without this, glibc
 * keeps as much in each thread's arena as twice the largest block that was ever
 * freed, and what a trial takes depends on what was done before it.
 */
static void keep_little(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MAPPED_LEAST);
	mallopt(M_TRIM_THRESHOLD, MAPPED_LEAST);
#endif
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	int rc;

	keep_little();
	output_begin();
	interrupt_prepare();
	rc = dispatch(argc, argv, &err);
	if (output_end(&err))
		rc = -1;
	if (rc == 0)
		return 0;
	cmd_note("%s", err.text);
	return cmd_status(&err);
}
