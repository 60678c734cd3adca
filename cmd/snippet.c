/* snippet.c - presto snippet: prints a program that reads a folder. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/program/cmd.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/media/medium.h"
#include "lib/snippets/snippet.h"
#include "lib/syntax/option.h"

struct args {
	const char *framework;
};

static const struct option options[] = {
	OPTION(TEXT, "for", 0, struct args, framework, "WORD",
	    "framework that the program uses"),
	OPTION_TABLE_END,
};

static int missing(struct error *err)
{
	const struct framework *framework;

	error_set(err, ERROR_USAGE, "--for WORD is missing; it is one of");
	for (size_t i = 0; (framework = framework_at(i)); i++) {
		const struct error before = *err;

		error_set(err, ERROR_USAGE, "%s%s %s", before.text,
		    i ? "," : "", framework_name(framework));
	}
	return -1;
}

/* The program contains the absolute path, so that it runs anywhere. */
static int print(const char *dir, const struct framework *framework,
    const struct description *description, struct error *err)
{
	char *path = path_absolute(dir, err);
	struct buf text = BUF_INIT;
	int rc = path ? 0 : -1;

	if (rc == 0)
		rc = snippet_print(framework, description, path, &text, err);
	if (rc == 0)
		fwrite(text.data, 1, text.len, stdout);
	buf_release(&text);
	free(path);
	return rc;
}

static int snippet(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct description description = DESCRIPTION_INIT;
	const struct framework *framework;
	struct medium *medium;
	int rc;

	UNUSED(count);
	if (!args->framework)
		return missing(err);
	framework = framework_parse(args->framework, err);
	if (!framework)
		return -1;
	medium = medium_new_local(err);
	rc = medium ? description_read(&description, medium, operands[0], err)
	            : -1;
	if (rc == 0)
		rc = store_check_shards(
		    medium, operands[0], &description.manifest, err);
	if (rc == 0)
		rc = print(operands[0], framework, &description, err);
	description_release(&description);
	medium_free(medium);
	return rc;
}

const struct cmd cmd_snippet = {
	.name = "snippet",
	.summary = "print a program that reads a materialised folder",
	.usage = "DIR",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = 1,
	.run = snippet,
};
