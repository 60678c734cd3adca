/* fish.c - completions for fish: one line for each option. */

#include "cmd/completions/shells.h"
#include "cmd/completions/values.h"
#include "cmd/program/cmd.h"
#include "lib/syntax/option.h"

static const char head[] =
    "# Completions of presto(1) for fish: presto completions fish\n"
    "\n"
    "function __presto_list\n"
    "    set -l before (string replace -r '[^,]*$' '' -- "
    "(commandline -ct))\n"
    "    printf '%s\\n' $before$argv\n"
    "end\n"
    "\n"
    "complete -c presto -f\n"
    "complete -c presto -n __fish_use_subcommand -s h -l help "
    "-d 'print the commands'\n"
    "complete -c presto -n __fish_use_subcommand -s V -l version "
    "-d 'print the version'\n";

/* Writes the arguments of `complete` for an option that needs a value. */
static void write_values(const struct values *values, FILE *out)
{
	if (*values->words && values->is_list)
		fprintf(out, " -a '(__presto_list %s)'", values->words);
	else if (*values->words)
		fprintf(out, " -a '%s'", values->words);
	if (values->files)
		fputs(" -F", out);
	else if (values->pipelines)
		fputs(" -a '(__fish_complete_suffix .conf)'", out);
	else if (values->folders)
		fputs(" -a '(__fish_complete_directories)'", out);
}

static void begin(const struct cmd *cmd, FILE *out)
{
	fprintf(out, "complete -c presto -n '__fish_seen_subcommand_from %s'",
	    cmd->name);
}

static void write_option(
    const struct cmd *cmd, const struct option *o, FILE *out)
{
	const struct values values = values_of_option(o);

	begin(cmd, out);
	if (o->letter)
		fprintf(out, " -s %c", o->letter);
	fprintf(out, " -l %s", o->name);
	if (o->type != OPTION_FLAG) {
		fputs(values.files ? " -r" : " -x", out);
		write_values(&values, out);
	}
	fputs(" -d '", out);
	shell_quote(o->help, "", out);
	fputs("'\n", out);
}

static void write_command(const struct cmd *cmd, FILE *out)
{
	const struct values operands = values_of_operands(cmd);

	fprintf(out, "\ncomplete -c presto -n __fish_use_subcommand -a %s -d '",
	    cmd->name);
	shell_quote(cmd->summary, "", out);
	fputs("'\n", out);
	begin(cmd, out);
	fputs(" -s h -l help -d 'print the options'\n", out);
	for (const struct option *o = cmd->options; o && o->name; o++)
		write_option(cmd, o, out);
	if (cmd->operands_max > 0) {
		begin(cmd, out);
		write_values(&operands, out);
		fputc('\n', out);
	}
}

static void write_fish(FILE *out)
{
	const struct cmd *cmd;

	fputs(head, out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		write_command(cmd, out);
}

const struct shell_ops shell_fish = {
	.name = "fish",
	.write = write_fish,
};
