/* members.c - see members.h. */
#include <string.h>

#include "lib/snippets/members.h"
#include "lib/snippets/program.h"

/* Loads a member of a sample, by its extension. */
static void load_member(struct program *program, unsigned field,
    const struct array_library *arrays, struct buf *out)
{
	const struct schema *stored = program_stored(program);
	const char *name = stored->fields[field].name;
	const bool is_data = strcmp(name, "data") == 0;
	int rc;

	if (!program_is_encoded(stored, field)) {
		program_import(program, "import io");
		program_import_library(program, "import numpy as np");
		rc = buf_printf(out, program->err,
		    "%snp.load(io.BytesIO(sample[\"%s%snpy\"]))%s",
		    arrays->open, is_data ? "" : name, is_data ? "" : ".",
		    arrays->close);
	} else if (is_data) {
		rc = buf_printf(out, program->err,
		    "next(v for k, v in sample.items() if \".\" not in k "
		    "and k[:2] != \"__\" and k != \"cls\")");
	} else {
		rc = buf_printf(out, program->err,
		    "next(v for k, v in sample.items() if "
		    "k.startswith(\"%s.\"))",
		    name);
	}
	program->failed |= rc != 0;
}

static void load_members(struct program *program, unsigned indent,
    const struct array_library *arrays)
{
	const struct schema *stored = program_stored(program);
	const bool is_one = program_has_one_field(program);

	if (!is_one)
		program_line(program, indent, "x = {");
	for (unsigned f = 0; f < stored->count && !program->failed; f++) {
		struct buf member = BUF_INIT;

		load_member(program, f, arrays, &member);
		if (program->failed)
			;
		else if (is_one)
			program_line(program, indent, "x = %s",
			    (const char *)member.data);
		else
			program_line(program, indent + 1, "\"%s\": %s,",
			    stored->fields[f].name, (const char *)member.data);
		buf_release(&member);
	}
	if (!is_one)
		program_line(program, indent, "}");
}

void program_prepare_members(
    struct program *program, const struct array_library *arrays)
{
	program_line(program, 0, "def prepare(sample):");
	load_members(program, 1, arrays);
	program_steps(program, 1);
	program_line(program, 1, "return x, int(sample.get(\"cls\", -1))");
	program_blank(program, 2);
}
