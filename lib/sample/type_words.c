/* type_words.c - see type_words.h. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/sample/type_words.h"
#include "lib/syntax/words.h"

enum { WORD_MAX = 32 };

static const char *const layouts[] = {
	[LAYOUT_PLAIN] = "plain",
	[LAYOUT_HWC] = "hwc",
	[LAYOUT_CHW] = "chw",
	[LAYOUT_ENCODED] = "encoded",
};

const char *layout_word(enum layout layout)
{
	return layouts[layout];
}

/* Can the suffix be written? Other suffixes of file names are left out. */
static bool is_plain(const char *suffix)
{
	return suffix[strspn(suffix, "abcdefghijklmnopqrstuvwxyz"
	                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789._-")] == '\0';
}

const char *type_words(const struct type *type, char words[TYPE_WORDS])
{
	const char *suffix = is_plain(type->suffix) ? type->suffix : "";
	char shape[SHAPE_TEXT];

	snprintf(words, TYPE_WORDS, "%s %s %s%s%s", dtype_name(type->dtype),
	    layouts[type->layout], shape_text(&type->shape, shape),
	    *suffix ? " " : "", suffix);
	return words;
}

/* Copies the next word. */
static int take_text(struct span *words, char *text, size_t size)
{
	struct span word;

	if (words_next(words, &word) || word.len >= size ||
	    memchr(word.data, '\0', word.len))
		return -1;
	memcpy(text, word.data, word.len);
	text[word.len] = '\0';
	return 0;
}

int layout_word_parse(const char *text, enum layout *layout)
{
	for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
		if (strcmp(layouts[i], text) == 0) {
			*layout = (enum layout)i;
			return 0;
		}
	return -1;
}

/* Parses a number, or '?' as -1. */
static int parse_dim(struct span text, int64_t *dim)
{
	uint64_t number;

	*dim = -1;
	if (text.len == 1 && text.data[0] == '?')
		return 0;
	if (words_number(&text, &number) || text.len || number > INT64_MAX)
		return -1;
	*dim = (int64_t)number;
	return 0;
}

int shape_words_parse(struct span text, struct shape *shape)
{
	shape->count = 0;
	if (span_equal(text, span_text("scalar")))
		return 0;
	for (;;) {
		const unsigned char *by = memchr(text.data, 'x', text.len);
		const size_t len = by ? (size_t)(by - text.data) : text.len;
		const struct span dim = { text.data, len };

		if (shape->count == SHAPE_MAX ||
		    parse_dim(dim, &shape->dims[shape->count++]))
			return -1;
		if (!by)
			return 0;
		text.data += len + 1;
		text.len -= len + 1;
	}
}

static bool fits_layout(const struct type *type)
{
	if (type->layout == LAYOUT_ENCODED)
		return type->dtype == DTYPE_U8 && type->shape.count == 1;
	return type->layout == LAYOUT_PLAIN || type->shape.count == 3;
}

int type_words_parse(struct span words, struct type *type)
{
	char dtype[WORD_MAX], layout[WORD_MAX];
	struct span shape;

	*type = (struct type){ .dtype = DTYPE_U8 };
	if (take_text(&words, dtype, sizeof(dtype)) ||
	    dtype_parse(dtype, &type->dtype) ||
	    take_text(&words, layout, sizeof(layout)) ||
	    layout_word_parse(layout, &type->layout) ||
	    words_next(&words, &shape) ||
	    shape_words_parse(shape, &type->shape))
		return -1;
	if (words.len && take_text(&words, type->suffix, SUFFIX_MAX))
		return -1;
	return words.len || !fits_layout(type) ? -1 : 0;
}
