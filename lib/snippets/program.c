/* program.c - see program.h. */
#include "lib/snippets/program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/snippets/words.h"
#include "lib/stores/shard_path.h"
#include "lib/text/utf8.h"

enum { INDENT = 4 };

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

/* Appends the text, and a newline. */
static int put(struct buf *body, const char *format, va_list args, int len,
    struct error *err)
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

/* Sorted, each once. */
static void note(const char *list[PROGRAM_IMPORTS], const char *statement)
{
	const unsigned last = PROGRAM_IMPORTS - 1;
	unsigned at = 0;

	while (at < last && list[at] && strcmp(list[at], statement) < 0)
		at++;
	if (list[at] && strcmp(list[at], statement) == 0)
		return;
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

int program_quote(const char *text, struct buf *out, struct error *err)
{
	const struct span span = span_text(text);
	/* File names that are no UTF-8 are what Python makes of them. */
	const bool is_utf8 = utf8_valid(span) == span.len;
	int rc = buf_append(out, "\"", 1, err);

	for (size_t i = 0; rc == 0 && i < span.len; i++) {
		const unsigned char c = span.data[i];

		if (c == '"' || c == '\\')
			rc = buf_printf(out, err, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			rc = buf_printf(out, err, "\\x%02x", c);
		else if (c >= 0x80 && !is_utf8)
			rc = buf_printf(out, err, "\\udc%02x", c);
		else
			rc = buf_append(out, &c, 1, err);
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

/* Writes code that may have several lines; `name` and `note` end the last. */
static void put_code(struct program *program, unsigned indent, const char *code,
    const char *comment)
{
	while (*code) {
		const size_t len = strcspn(code, "\n");
		const bool is_last = !code[len] || !code[len + 1];

		program_line(program, indent, "%.*s%s%s", (int)len, code,
		    is_last && *comment ? "  # " : "", is_last ? comment : "");
		code += len + (code[len] == '\n');
	}
}

static void fill(struct program *program, unsigned indent, const char *code,
    const struct program_step *step, unsigned field, const char *comment)
{
	char x[PROGRAM_NAME];
	struct buf text = BUF_INIT;

	if (words_fill(code, step->step, &step->takes->fields[field].type,
	        program_field(program, field, x), &text, program->err))
		program->failed = true;
	else if (text.len && buf_append(&text, "", 1, program->err) == 0)
		put_code(program, indent, (const char *)text.data, comment);
	buf_release(&text);
}

static void write_step(
    struct program *program, unsigned indent, const struct program_step *step)
{
	bool drawn = false;

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
		if (words->note && !drawn)
			program_line(program, indent, "# %s: %s",
			    step->step->step, words->note);
		if (words->draw && !drawn)
			fill(program, indent, words->draw, step, f, "");
		drawn = true;
		fill(program, indent, words->code, step, f, step->step->step);
	}
}

static void write_comment(struct program *program, unsigned indent,
    const struct program_step *step, bool is_first)
{
	struct buf text = BUF_INIT;

	if (described_step_text(step->step, &text, program->err))
		program->failed = true;
	else
		program_line(program, indent, "# presto: %.*s (%s %s)",
		    (int)text.len, (const char *)text.data,
		    is_first ? "not available in"
		             : "left out: the step before is not in",
		    program->framework->name);
	buf_release(&text);
}

void program_steps(struct program *program, unsigned indent)
{
	for (unsigned i = 0; i < program->count; i++)
		if (i < program->known)
			write_step(program, indent, &program->steps[i]);
		else
			write_comment(program, indent, &program->steps[i],
			    i == program->known);
}

bool program_has_code(const struct program *program)
{
	return program->known > 0;
}

/* ---- what it reads ---- */

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
