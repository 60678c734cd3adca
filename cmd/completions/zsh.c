/* zsh.c - completions for zsh, by its function _arguments. */
#include <stdbool.h>

#include "cmd/completions/shells.h"
#include "cmd/completions/values.h"
#include "cmd/program/cmd.h"
#include "lib/syntax/option.h"

/* Writes ":WORD:(text json)", the values of an option or an operand. */
static void write_values(
    const struct values *values, const char *name, FILE *out)
{
	fprintf(out, ":%s:", name);
	if (*values->words && values->is_list)
		fprintf(out, "_values -s , %s %s", name, values->words);
	else if (*values->words)
		fprintf(out, "(%s)", values->words);
	else if (values->files || (values->pipelines && values->folders))
		fputs("_files", out);
	else if (values->pipelines)
		fputs("_files -g \"*.conf\"", out);
	else if (values->folders)
		fputs("_files -/", out);
}

/* Writes '(-o --output)'{-o+,--output=}'[write to FILE]:FILE:_files' */
static void write_option(const struct option *o, FILE *out)
{
	const bool has_value = o->type != OPTION_FLAG;
	const struct values values = values_of_option(o);

	fputs(" \\\n\t\t\t\t", out);
	if (o->type == OPTION_REPEAT)
		fputs("'*'", out);
	else if (o->letter)
		fprintf(out, "'(-%c --%s)'", o->letter, o->name);
	if (o->letter)
		fprintf(out, "{-%c%s,--%s%s}'[", o->letter,
		    has_value ? "+" : "", o->name, has_value ? "=" : "");
	else
		fprintf(out, "'--%s%s[", o->name, has_value ? "=" : "");
	shell_quote(o->help, "[]\\", out);
	fputc(']', out);
	if (has_value)
		write_values(&values, o->arg ? o->arg : "VALUE", out);
	fputc('\'', out);
}

static void write_command(const struct cmd *cmd, FILE *out)
{
	const struct values operands = values_of_operands(cmd);

	fprintf(out,
	    "\t\t%s)\n\t\t\t_arguments -s -S \\\n"
	    "\t\t\t\t'(- *)'{-h,--help}'[print the options]'",
	    cmd->name);
	for (const struct option *o = cmd->options; o && o->name; o++)
		write_option(o, out);
	if (cmd->operands_max > 0) {
		fputs(" \\\n\t\t\t\t'*", out);
		write_values(&operands, "operand", out);
		fputc('\'', out);
	}
	fputs("\n\t\t\t;;\n", out);
}

static void write_names(FILE *out)
{
	const struct cmd *cmd;

	fputs(
	    "_presto_commands()\n{\n\tlocal -a commands\n\tcommands=(\n", out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++) {
		fprintf(out, "\t\t'%s:", cmd->name);
		shell_quote(cmd->summary, ":\\", out);
		fputs("'\n", out);
	}
	fputs("\t)\n\t_describe command commands\n}\n\n", out);
}

static void write_zsh(FILE *out)
{
	const struct cmd *cmd;

	fputs("#compdef presto\n"
	      "# Completions of presto(1) for zsh: presto completions zsh\n\n",
	    out);
	write_names(out);
	fputs("_presto()\n{\n"
	      "\tlocal context state state_descr line\n"
	      "\tlocal curcontext=$curcontext\n"
	      "\ttypeset -A opt_args\n"
	      "\t_arguments -C \\\n"
	      "\t\t'(- *)'{-h,--help}'[print the commands]' \\\n"
	      "\t\t'(- *)'{-V,--version}'[print the version]' \\\n"
	      "\t\t'1:command:_presto_commands' \\\n"
	      "\t\t'*::argument:->argument'\n"
	      "\tcase $state in\n"
	      "\targument)\n"
	      "\t\tcurcontext=${curcontext%:*:*}:presto-$words[1]:\n"
	      "\t\tcase $words[1] in\n",
	    out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		write_command(cmd, out);
	fputs("\t\tesac\n\t\t;;\n\tesac\n}\n\n_presto \"$@\"\n", out);
}

const struct shell_ops shell_zsh = {
	.name = "zsh",
	.write = write_zsh,
};
