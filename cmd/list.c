/* list.c - presto list: the families in this build, with their options. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/list/families.h"
#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/nearest.h"

static int list(const void *args, char **operands, int count, struct error *err)
{
	struct nearest nearest = nearest_to(count ? operands[0] : "");
	const struct family *family;
	char hint[NEAREST_HINT];
	bool any = false;

	UNUSED(args);
	for (size_t i = 0; (family = family_at(i)); i++) {
		nearest_try(&nearest, family->name);
		if (count && strcmp(operands[0], family->name) != 0)
			continue;
		fputs(any ? "\n" : "", stdout);
		terminal_line(stdout, "%s", family->name);
		family->list();
		any = true;
	}
	if (any)
		return 0;
	return error_set(err, ERROR_USAGE, "cannot list '%s'%s", operands[0],
	    nearest_hint(&nearest, hint));
}

const struct cmd cmd_list = {
	.name = "list",
	.summary = "list the steps, codecs, stores and sources of this build",
	.usage = "[codecs|generators|objectives|readers|searches|sources|steps|"
	         "stores]",
	.operands_max = 1,
	.run = list,
};
