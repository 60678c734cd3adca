/* help.h - the texts of `presto -h`, `presto COMMAND -h` and `presto help`. */
#ifndef CMD_PROGRAM_HELP_H
#define CMD_PROGRAM_HELP_H

#include <stdio.h>

struct cmd;
struct error;

void help_commands(FILE *out);
int help_command(const struct cmd *cmd, struct error *err);

#endif
