/*
 * main.c - finds the command, parses its options, prints its error: nobody
 * else does.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/nearest.h"
#include "lib/base/option.h"

static void print_commands(FILE *out)
{
	const struct cmd *cmd;

	fputs("usage: presto COMMAND [OPTIONS]\n\n"
	      "Measures every way to prepare a dataset for training, and "
	      "says which is best.\n\n",
	    out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		fprintf(out, "  %-12s %s\n", cmd->name, cmd->summary);
	fputs(
	    "\nOptions:\n"
	    "  -h, --help     this text; presto COMMAND -h tells its options\n"
	    "  -V, --version  the version\n",
	    out);
}

static int print_help(const struct cmd *cmd, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = -1;

	printf("usage: presto %s%s%s%s\n\n%s\n", cmd->name,
	    cmd->options ? " [OPTIONS]" : "", cmd->usage[0] ? " " : "",
	    cmd->usage, cmd->summary);
	if (cmd->options) {
		rc = option_help(cmd->options, &text, err);
		if (rc == 0)
			printf("\nOptions:\n%s", (const char *)text.data);
	} else {
		rc = 0;
	}
	if (rc == 0 && cmd->print_operands)
		cmd->print_operands();
	buf_release(&text);
	return rc;
}

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
		rc = print_help(cmd, err);
	else if (check_operands(cmd, count, argv + 1, err) == 0)
		rc = cmd->run(args, argv + 1, count, err);
done:
	free(args);
	return rc;
}

/* What was printed must have arrived: a full disk is an error. */
static int close_output(struct error *err)
{
	if (fflush(stdout) || ferror(stdout) || fclose(stdout))
		return error_set(err, ERROR_SYSTEM,
		    "cannot write the output: %s", strerror(errno));
	return 0;
}

static int unknown(const char *word, struct error *err)
{
	const struct cmd *cmd;
	struct nearest nearest = nearest_to(word);
	char hint[NEAREST_HINT];

	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		nearest_try(&nearest, cmd->name);
	return error_set(err, ERROR_USAGE, "no command '%s'%s; see presto -h",
	    word, nearest_hint(&nearest, hint));
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int dispatch(int argc, char **argv, struct error *err)
{
	const struct cmd *cmd;

	if (argc < 2) {
		print_commands(stderr);
		return error_set(err, ERROR_USAGE, "no command was given");
	}
	if (is_one_of(argv[1], "-h", "--help") ||
	    (strcmp(argv[1], "help") == 0 && argc == 2)) {
		print_commands(stdout);
		return 0;
	}
	if (is_one_of(argv[1], "-V", "--version")) {
		puts("presto " PRESTO_VERSION);
		return 0;
	}
	cmd = cmd_find(argv[1]);
	return cmd ? run(cmd, argc - 1, argv + 1, err) : unknown(argv[1], err);
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	int rc = dispatch(argc, argv, &err);

	if (close_output(&err))
		rc = -1;
	if (rc == 0)
		return 0;
	fprintf(stderr, "presto: %s\n", err.text);
	return cmd_status(&err);
}
