/* code_print.c - see code_print.h. */
#include "lib/pipeline/code_print.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/own/own.h"
#include "lib/pipeline/own_step.h"

int code_print(const struct pipeline *pipeline, unsigned steps, struct buf *out,
    struct error *err)
{
	for (unsigned i = 0; i < steps; i++) {
		const struct own *own = own_step(&pipeline->steps[i]);

		if (own && own->print.len &&
		    buf_printf(out, err, "%s: %s\n", pipeline->steps[i].name,
		        (const char *)own->print.data))
			return -1;
	}
	return buf_printf(out, err, "%s", "");
}

/* Takes the line "NAME: CODE" at *text. */
static bool take_line(const char **text, struct span *name, struct span *code)
{
	const size_t len = strcspn(*text, "\n");
	const char *colon = memchr(*text, ':', len);
	const char *line = *text;

	if (!colon)
		return false;
	*text += len + (line[len] == '\n');
	*name = (struct span){ (const unsigned char *)line,
		(size_t)(colon - line) };
	code->data = (const unsigned char *)colon + 1;
	code->len = (size_t)(line + len - colon) - 1;
	return true;
}

/* Finds the code of a step; false: the text does not have it. */
static bool find_code(const char *text, struct span name, struct span *code)
{
	struct span found;

	while (take_line(&text, &found, code))
		if (span_equal(found, name))
			return true;
	return false;
}

bool code_print_differs(
    const char *then, const char *now, char text[CODE_PRINT_TEXT])
{
	struct span name, old, new;

	while (then && now && take_line(&then, &name, &old)) {
		if (!find_code(now, name, &new) || span_equal(old, new))
			continue;
		snprintf(text, CODE_PRINT_TEXT,
		    "the code of step %.*s was%.*s, and is%.*s", (int)name.len,
		    (const char *)name.data, (int)old.len,
		    (const char *)old.data, (int)new.len,
		    (const char *)new.data);
		return true;
	}
	return false;
}
