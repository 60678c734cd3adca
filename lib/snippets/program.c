/* program.c - see program.h. */
#include "lib/snippets/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/base/utf8.h"
#include "lib/snippets/words.h"

enum { INDENT = 4, WHY_BYTES = 80 };

const struct array_library numpy_arrays = {
	.open = "",
	.close = "",
	.stack = "np.stack",
	.label = "np.array",
	.random = "",
};

const struct array_library torch_arrays = {
	.open = "torch.from_numpy(",
	.close = ")",
	.stack = "torch.stack",
	.label = "torch.tensor",
	.random = "",
};

/* Appends formatted text and a newline. */
__attribute__((format(printf, 2, 0))) static int put(struct buf *body,
    const char *format, va_list args, int len, struct error *err)
{
	if (buf_reserve(body, body->len + (size_t)len + 1, err))
		return -1;
	vsnprintf(
	    (char *)body->data + body->len, (size_t)len + 1, format, args);
	body->len += (size_t)len;
	return buf_append(body, "\n", 1, err);
}

void program_line(
    struct program *program, unsigned indent, const char *format, ...)
{
	struct buf *body = &program->body;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	va_start(args, format);
	if (!program->failed && (len < 0 ||
	                            buf_printf(body, program->err, "%*s",
	                                (int)indent * INDENT, "") ||
	                            put(body, format, args, len, program->err)))
		program->failed = true;
	va_end(args);
}

void program_blank(struct program *program, unsigned lines)
{
	for (unsigned i = 0; i < lines; i++)
		if (!program->failed &&
		    buf_append(&program->body, "\n", 1, program->err))
			program->failed = true;
}

/*
 * Does `wide` import all of `narrow`? "from PIL import Image, ImageOps" does
 * that of "from PIL import Image".
 */
static bool has_all(const char *wide, const char *narrow)
{
	const size_t len = strlen(narrow);

	return strncmp(wide, narrow, len) == 0 &&
	       (wide[len] == '\0' || wide[len] == ',');
}

/* Adds a statement to the sorted list, without duplicates. */
static void note(const char *list[PROGRAM_IMPORTS], const char *statement)
{
	const unsigned last = PROGRAM_IMPORTS - 1;
	unsigned at = 0;

	while (at < last && list[at] && strcmp(list[at], statement) < 0)
		at++;
	if (list[at] && has_all(list[at], statement))
		return;
	if (at > 0 && has_all(statement, list[at - 1])) {
		list[at - 1] = statement;
		return;
	}
	memmove(&list[at + 1], &list[at], (last - at) * sizeof(list[0]));
	list[at] = statement;
}

void program_import(struct program *program, const char *statement)
{
	note(program->standard, statement);
}

void program_import_library(struct program *program, const char *statement)
{
	note(program->library, statement);
}

static int put_bytes(
    struct buf *out, const char *at, size_t len, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < len; i++)
		rc = buf_printf(out, err, "\\udc%02x", (unsigned char)at[i]);
	return rc;
}

/* The escapes of printable.h are valid in Python, too. */
int program_quote(const char *text, struct buf *out, struct error *err)
{
	const struct span span = span_text(text);
	/* File names that are not UTF-8 are written as Python decodes them. */
	const bool is_utf8 = utf8_valid(span) == span.len;
	const char *at = text, *end = text + span.len;
	struct printable is;
	int rc = buf_append(out, "\"", 1, err);

	for (; rc == 0 && printable_next(at, end, &is); at += is.took) {
		if (*at == '"' || *at == '\\')
			rc = buf_printf(out, err, "\\%c", *at);
		else if (is_utf8 || (unsigned char)*at < 0x80)
			rc = buf_append(out, is.text, is.len, err);
		else
			rc = put_bytes(out, at, is.took, err);
	}
	return rc ? -1 : buf_append(out, "\"", 2, err) ? -1 : (out->len--, 0);
}

/* ---- steps ---- */

bool program_knows(
    const struct program *program, const struct program_step *step)
{
	const unsigned fields = step->step->fields;

	for (unsigned f = 0; f < step->takes->count; f++) {
		const struct step_words *words;

		if (!(fields & 1u << f))
			continue;
		words = words_find(program->framework->words, step->step,
		    &step->takes->fields[f].type);
		if (!words || (words->alone && (fields & (fields - 1))))
			return false;
	}
	return step->step->gives.count == step->takes->count;
}

/* Writes code of one line or more, with its names filled in. */
static void put_code(struct program *program, unsigned indent, const char *code,
    const struct program_step *step, unsigned field)
{
	const struct type *type = &step->takes->fields[field].type;
	struct buf text = BUF_INIT;
	char x[PROGRAM_NAME], *rest = NULL, *line;

	if (words_fill(code, step->step, type, program_field(program, field, x),
	        &text, program->err) ||
	    buf_append(&text, "", 1, program->err)) {
		program->failed = true;
		buf_release(&text);
		return;
	}
	for (line = strtok_r((char *)text.data, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		program_line(program, indent, "%s", line);
	buf_release(&text);
}

/* Writes "# BEFORE random_crop size=28 (AFTER)". */
static void put_comment(struct program *program, unsigned indent,
    const struct program_step *step, const char *before, const char *after)
{
	struct buf text = BUF_INIT;

	if (described_step_text(step->step, &text, program->err))
		program->failed = true;
	else
		program_line(program, indent, "# %s%s%s%s%s", before,
		    (const char *)text.data, *after ? " (" : "", after,
		    *after ? ")" : "");
	buf_release(&text);
}

static void write_step(
    struct program *program, unsigned indent, const struct program_step *step)
{
	bool is_first = true;

	for (unsigned f = 0; f < step->takes->count; f++) {
		const struct step_words *words;

		if (!(step->step->fields & 1u << f))
			continue;
		words = words_find(program->framework->words, step->step,
		    &step->takes->fields[f].type);
		if (words->standard)
			program_import(program, words->standard);
		if (words->library)
			program_import_library(program, words->library);
		if (is_first)
			put_comment(program, indent, step, "",
			    words->note ? words->note : "");
		if (is_first && words->draw)
			put_code(program, indent, words->draw, step, f);
		is_first = false;
		put_code(program, indent, words->code, step, f);
	}
}

/* Leaves out a step that the framework cannot say, or one behind it. */
static void leave_out(struct program *program, unsigned indent,
    const struct program_step *step, bool is_first)
{
	char why[WHY_BYTES];

	snprintf(why, sizeof(why), "%s %s",
	    is_first ? "not available in" : "needs the step before, not in",
	    program->framework->name);
	put_comment(program, indent, step, "presto: ", why);
}

void program_steps(struct program *program, unsigned indent)
{
	for (unsigned i = 0; i < program->count; i++)
		if (i < program->known)
			write_step(program, indent, &program->steps[i]);
		else
			leave_out(program, indent, &program->steps[i],
			    i == program->known);
}

/* Do the known steps draw? Some only do with certain options. */
bool program_draws(const struct program *program)
{
	for (unsigned i = 0; i < program->known; i++) {
		const struct program_step *step = &program->steps[i];

		for (unsigned f = 0; f < step->takes->count; f++)
			if (step->step->fields & 1u << f &&
			    words_find(program->framework->words, step->step,
			        &step->takes->fields[f].type)
			        ->draw)
				return true;
	}
	return false;
}

bool program_has_code(const struct program *program)
{
	return program->known > 0;
}

/* ---- stored data ---- */

const struct schema *program_stored(const struct program *program)
{
	return &program->about->manifest.form.schema;
}

const struct schema *program_given(const struct program *program)
{
	return program->known ? &program->steps[program->known - 1].step->gives
	                      : program_stored(program);
}

bool program_has_one_field(const struct program *program)
{
	return program_stored(program)->count == 1;
}

const char *program_field(
    const struct program *program, unsigned field, char text[PROGRAM_NAME])
{
	if (program_has_one_field(program))
		return "x";
	snprintf(text, PROGRAM_NAME, "x[\"%s\"]",
	    program_stored(program)->fields[field].name);
	return text;
}

bool program_is_encoded(const struct schema *schema, unsigned field)
{
	return schema->fields[field].type.layout == LAYOUT_ENCODED;
}

bool program_stacks(const struct schema *schema, unsigned field)
{
	const struct type *type = &schema->fields[field].type;

	return !program_is_encoded(schema, field) && shape_known(&type->shape);
}

void program_each_index_line(struct program *program, unsigned indent)
{
	program_import(program, "import pathlib");
	program_line(program, indent,
	    "for index in sorted(pathlib.Path(FOLDER).glob("
	    "\"shard-*.index\")):");
	program_line(
	    program, indent + 1, "folder = str(index)[:-len(\".index\")]");
	program_line(program, indent + 1,
	    "for line in index.read_text(errors=\"surrogateescape\")"
	    ".splitlines():");
	program_line(program, indent + 2, "words = line.split()");
}
