/* bash.c - completions for bash, also without package bash-completion. */

#include "cmd/completions/shells.h"
#include "cmd/completions/values.h"
#include "cmd/program/cmd.h"
#include "lib/syntax/option.h"

/* bash splits --option=value at "=".  Lists complete after their last comma. */
static const char head[] =
    "# Completions of presto(1) for bash: presto completions bash\n"
    "\n"
    "_presto_words()\n"
    "{\n"
    "\tCOMPREPLY+=($(compgen -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "\n"
    "_presto_list()\n"
    "{\n"
    "\tlocal before=\n"
    "\tcase $cur in\n"
    "\t*,*) before=${cur%,*}, ;;\n"
    "\tesac\n"
    "\tCOMPREPLY+=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
    "}\n"
    "\n"
    "_presto_paths()\n"
    "{\n"
    "\tlocal IFS=$'\\n'\n"
    "\tcompopt -o filenames 2>/dev/null\n"
    "\tCOMPREPLY+=($(compgen \"$@\" -- \"$cur\"))\n"
    "}\n"
    "\n"
    "_presto()\n"
    "{\n"
    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} before=$((COMP_CWORD - 1))\n"
    "\tlocal command= options= i\n"
    "\tCOMPREPLY=()\n"
    "\tif [ \"$cur\" = = ]; then\n"
    "\t\tcur=\n"
    "\telif [ \"${COMP_WORDS[before]}\" = = ]; then\n"
    "\t\tbefore=$((before - 1))\n"
    "\tfi\n"
    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
    "\t\tcase ${COMP_WORDS[i]} in\n"
    "\t\t-*) ;;\n"
    "\t\t*)\n"
    "\t\t\tcommand=${COMP_WORDS[i]}\n"
    "\t\t\tbreak\n"
    "\t\t\t;;\n"
    "\t\tesac\n"
    "\tdone\n";

static void write_paths(const char *how, const char *indent, FILE *out)
{
	fprintf(out, "%s_presto_paths %s\n", indent, how);
}

static void write_values(
    const struct values *values, const char *indent, FILE *out)
{
	if (*values->words)
		fprintf(out, "%s_presto_%s '%s'\n", indent,
		    values->is_list ? "list" : "words", values->words);
	if (values->pipelines)
		write_paths("-f -X '!*.conf'", indent, out);
	if (values->files)
		write_paths("-f", indent, out);
	else if (values->folders || values->pipelines)
		write_paths("-d", indent, out);
}

/* Writes the completions of an option's value. */
static void write_option(
    const struct cmd *cmd, const struct option *option, FILE *out)
{
	const struct values values = values_of_option(option);

	fprintf(out, "\t%s:--%s", cmd->name, option->name);
	if (option->letter)
		fprintf(out, " | %s:-%c", cmd->name, option->letter);
	fputs(")\n", out);
	write_values(&values, "\t\t", out);
	fputs("\t\treturn\n\t\t;;\n", out);
}

static void write_options(FILE *out)
{
	const struct cmd *cmd;

	fputs("\tcase $command:${COMP_WORDS[before]} in\n", out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		for (const struct option *o = cmd->options; o && o->name; o++)
			if (o->type != OPTION_FLAG)
				write_option(cmd, o, out);
	fputs("\tesac\n", out);
}

/* Writes the completions of a command's options or operands. */
static void write_command(const struct cmd *cmd, FILE *out)
{
	const struct values operands = values_of_operands(cmd);

	fprintf(out, "\t%s)\n\t\toptions='--help", cmd->name);
	for (const struct option *o = cmd->options; o && o->name; o++)
		fprintf(out, " --%s", o->name);
	fputs("'\n\t\tcase $cur in\n\t\t-*) ;;\n\t\t*)\n", out);
	write_values(&operands, "\t\t\t", out);
	fputs("\t\t\treturn\n\t\t\t;;\n\t\tesac\n\t\t;;\n", out);
}

static void write_commands(FILE *out)
{
	const struct cmd *cmd;

	fputs("\tcase $command in\n\t'')\n\t\toptions='", out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		fprintf(out, "%s ", cmd->name);
	fputs("--help --version'\n\t\t;;\n", out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++)
		write_command(cmd, out);
	fputs("\tesac\n\t_presto_words \"$options\"\n", out);
}

static void write_bash(FILE *out)
{
	fputs(head, out);
	write_options(out);
	write_commands(out);
	fputs("}\n\ncomplete -F _presto presto\n", out);
}

const struct shell_ops shell_bash = {
	.name = "bash",
	.write = write_bash,
};
