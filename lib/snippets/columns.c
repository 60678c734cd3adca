/* columns.c - see columns.h. */
#include "lib/snippets/columns.h"

static void load_column(
    struct program *program, unsigned field, column_code *code)
{
	const struct schema *stored = program_stored(program);
	struct buf text = BUF_INIT;

	if (code(program, field, &text))
		program->failed = true;
	else if (program_has_one_field(program))
		program_line(program, 1, "x = %s", (const char *)text.data);
	else
		program_line(program, 2, "\"%s\": %s,",
		    stored->fields[field].name, (const char *)text.data);
	buf_release(&text);
}

void program_prepare_columns(struct program *program, column_code *code)
{
	const bool is_one = program_has_one_field(program);

	program_line(program, 0, "def prepare(sample):");
	if (!is_one)
		program_line(program, 1, "x = {");
	for (unsigned f = 0; f < program_stored(program)->count; f++)
		if (!program->failed)
			load_column(program, f, code);
	if (!is_one)
		program_line(program, 1, "}");
	program_steps(program, 1);
	program_line(program, 1, "return x, int(sample[\"label\"])");
	program_blank(program, 2);
}
