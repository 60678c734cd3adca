/* help.c - presto help; see help.h. */
#include "cmd/program/help.h"

#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/syntax/option.h"

void help_commands(FILE *out)
{
	const struct cmd *cmd;

	fputs("usage: presto COMMAND [OPTIONS]\n\n", out);
	terminal_print(out, "",
	    "Finds the best way to store a dataset for training, by "
	    "measuring.");
	fputc('\n', out);
	for (size_t i = 0; (cmd = cmd_at(i)); i++) {
		char head[32];

		snprintf(head, sizeof(head), "  %-12s ", cmd->name);
		terminal_print(out, head, "%s", cmd->summary);
	}
	fputs("\nOptions:\n", out);
	wrap_columns("  -h, --help     print this; presto help COMMAND prints "
	             "the options of a command\n"
	             "  -V, --version  print the version\n",
	    terminal_columns(out), out);
}

int help_command(const struct cmd *cmd, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = 0;

	terminal_print(stdout, "usage: ", "presto %s%s%s%s", cmd->name,
	    cmd->options ? " [OPTIONS]" : "", cmd->usage[0] ? " " : "",
	    cmd->usage);
	fputc('\n', stdout);
	terminal_print(stdout, "", "%s", cmd->summary);
	if (cmd->options) {
		rc = option_help(cmd->options, &text, err);
		if (rc == 0) {
			puts("\nOptions:");
			wrap_columns((const char *)text.data,
			    terminal_columns(stdout), stdout);
		}
	}
	if (rc == 0 && cmd->print_operands)
		cmd->print_operands();
	buf_release(&text);
	return rc;
}

static int help(const void *args, char **operands, int count, struct error *err)
{
	const struct cmd *cmd;

	UNUSED(args);
	if (!count) {
		help_commands(stdout);
		return 0;
	}
	cmd = cmd_find(operands[0], err);
	return cmd ? help_command(cmd, err) : -1;
}

const struct cmd cmd_help = {
	.name = "help",
	.summary = "print the commands, or the options of a command",
	.usage = "[COMMAND]",
	.operands_max = 1,
	.run = help,
};
