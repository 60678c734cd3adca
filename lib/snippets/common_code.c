/* common_code.c - see common_code.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/files/url.h"
#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"
#include "lib/stores/shard_path.h"

static void print_fields(struct program *program)
{
	const struct schema *stored = program_stored(program);
	struct buf names = BUF_INIT;

	for (unsigned f = 0; f < stored->count && !program->failed; f++)
		if (buf_printf(&names, program->err, "%s\"%s\"", f ? ", " : "",
		        stored->fields[f].name))
			program->failed = true;
	if (!program->failed)
		program_line(
		    program, 0, "FIELDS = [%s]", (const char *)names.data);
	buf_release(&names);
}

bool program_streams(const struct program *program)
{
	return url_is(program->folder) && program->framework->streams &&
	       program->about->manifest.form.ops == &store_tar;
}

/* Copies a far folder, since most libraries read local files only. */
static void print_copy(struct program *program, const char *url)
{
	program_import(program, "import tempfile");
	program_import_library(program, "import fsspec");
	program_line(program, 0, "# Needs fsspec and s3fs.");
	program_line(
	    program, 0, "FOLDER = tempfile.mkdtemp(prefix=\"dataset-\")");
	program_line(program, 0,
	    "fsspec.filesystem(\"s3\").get(%s + \"/\", FOLDER, "
	    "recursive=True)",
	    url);
}

void program_constants(struct program *program)
{
	struct buf folder = BUF_INIT;
	const char *quoted;

	if (program_quote(program->folder, &folder, program->err)) {
		program->failed = true;
		quoted = "";
	} else {
		quoted = (const char *)folder.data;
	}
	if (url_is(program->folder) && !program_streams(program))
		print_copy(program, quoted);
	else
		program_line(program, 0, "FOLDER = %s", quoted);
	program_line(program, 0, "BATCH = 16");
	if (!program_has_one_field(program))
		print_fields(program);
	buf_release(&folder);
}

void program_rng(struct program *program)
{
	if (program_draws(program))
		program_line(program, 0,
		    "rng = np.random.default_rng(%" PRIu64 ")",
		    program->about->seed);
}

void program_files(
    struct program *program, const char *name, const char *suffix)
{
	const size_t shards = program->about->manifest.count;

	if (program_streams(program)) {
		const bool is_s3 = *program->folder == 's';

		if (is_s3)
			program_line(program, 0,
			    "# Needs the AWS CLI, which takes the same "
			    "credentials as presto.");
		program_line(program, 0,
		    "%s = [f\"%s{FOLDER}/shard-{i:06d}%s%s\" for i in "
		    "range(%zu)]",
		    name, is_s3 ? "pipe:aws s3 cp " : "", suffix,
		    is_s3 ? " -" : "", shards);
		return;
	}
	program_import(program, "import pathlib");
	program_line(program, 0,
	    "%s = sorted(map(str, pathlib.Path(FOLDER).glob(\"shard-*%s\")))",
	    name, suffix);
}

const char *program_suffix(
    const struct program *program, char text[PROGRAM_NAME])
{
	const struct store_form *form = &program->about->manifest.form;

	snprintf(text, PROGRAM_NAME, "%s%s", form->ops->suffix,
	    shard_codec_suffix(form));
	return text;
}

void program_collate(
    struct program *program, const struct array_library *arrays)
{
	const struct schema *given = program_given(program);

	program_line(program, 0, "def collate(batch):");
	program_line(program, 1, "x, label = zip(*batch)");
	if (program_has_one_field(program)) {
		program_line(program, 1, "return %s(x), %s(label)",
		    program_stacks(given, 0) ? arrays->stack : "list",
		    arrays->label);
	} else {
		program_line(program, 1, "return {");
		for (unsigned f = 0; f < given->count; f++)
			program_line(program, 2,
			    "\"%s\": %s([s[\"%s\"] for s in x]),",
			    given->fields[f].name,
			    program_stacks(given, f) ? arrays->stack : "list",
			    given->fields[f].name);
		program_line(program, 1, "}, %s(label)", arrays->label);
	}
	program_blank(program, 2);
}

/* Prints the last line: number of samples, and type of the last batch. */
static void print_report(struct program *program, unsigned indent)
{
	const struct schema *given = program_given(program);
	char x[PROGRAM_NAME];

	program_field(program, 0, x);
	if (program_has_one_field(program))
		snprintf(x, sizeof(x), "x");
	if (program_is_encoded(given, 0))
		program_line(program, indent,
		    "print(samples, \"samples; the last:\", len(%s[-1]), "
		    "\"bytes\")",
		    x);
	else if (program_stacks(given, 0))
		program_line(program, indent,
		    "print(samples, \"samples; the last batch:\", %s.shape, "
		    "%s.dtype)",
		    x, x);
	else
		program_line(program, indent,
		    "print(samples, \"samples; the last:\", %s[-1].shape, "
		    "%s[-1].dtype)",
		    x, x);
}

void program_loop(struct program *program, unsigned indent, const char *loader)
{
	program_line(program, indent, "samples = 0");
	program_line(program, indent, "for x, label in %s:", loader);
	program_line(
	    program, indent + 1, "samples += len(label)  # train here");
	print_report(program, indent);
}
