/* printable.c - see printable.h. */
#include "lib/base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/utf8.h"

/* Characters beyond ASCII that are invisible or have an effect. */
static const struct {
	int32_t first, last;
} unseen[] = {
	{ 0x80, 0x9f },       /* C1 controls: 0x9b begins an escape sequence */
	{ 0xad, 0xad },       /* soft hyphen */
	{ 0x61c, 0x61c },     /* Arabic letter mark */
	{ 0x180e, 0x180e },   /* Mongolian vowel separator */
	{ 0x200b, 0x200b },   /* zero width space; joiners belong to letters */
	{ 0x200e, 0x200f },   /* left-to-right mark, right-to-left mark */
	{ 0x2028, 0x202e },   /* separators, embeddings, overrides */
	{ 0x2060, 0x206f },   /* word joiner, operators, isolates */
	{ 0xfeff, 0xfeff },   /* byte order mark */
	{ 0xfff9, 0xfffb },   /* interlinear annotation */
	{ 0xfffe, 0xffff },   /* noncharacters, which XML forbids */
	{ 0xe0000, 0xe007f }, /* tags */
};

static bool is_seen(int32_t code)
{
	if (code < 0x7f)
		return code >= ' ';
	if (code == 0x7f || (code & 0xfffe) == 0xfffe)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(unseen); i++)
		if (code >= unseen[i].first && code <= unseen[i].last)
			return false;
	return true;
}

/* Escapes a character.  An invalid byte `byte` is escaped on its own. */
static void escape(struct printable *is, unsigned char byte)
{
	const unsigned code = (unsigned)is->code;
	const size_t size = sizeof(is->escape);

	if (is->code == UTF8_BAD)
		snprintf(is->escape, size, "\\x%02x", byte);
	else if (code == '\n' || code == '\r' || code == '\t')
		snprintf(is->escape, size, "\\%c",
		    code == '\n'   ? 'n'
		    : code == '\r' ? 'r'
		                   : 't');
	else if (code < 0x80)
		snprintf(is->escape, size, "\\x%02x", code);
	else if (code < 0x10000)
		snprintf(is->escape, size, "\\u%04x", code);
	else
		snprintf(is->escape, size, "\\U%08x", code);
	is->text = is->escape;
	is->len = is->columns = strlen(is->escape);
}

bool printable_next(const char *at, const char *end, struct printable *is)
{
	const unsigned char *bytes = (const unsigned char *)at;
	unsigned took;

	if (at >= end)
		return false;
	is->code = utf8_decode(bytes, (const unsigned char *)end, &took);
	is->took = is->code == UTF8_BAD ? 1 : took;
	if (is->code == UTF8_BAD || !is_seen(is->code)) {
		escape(is, bytes[0]);
		return true;
	}
	is->text = at;
	is->len = took;
	is->columns = 1;
	return true;
}

size_t printable_width(const char *text, size_t len)
{
	const char *end = text + len;
	struct printable is;
	size_t columns = 0;

	for (; printable_next(text, end, &is); text += is.took)
		columns += is.columns;
	return columns;
}

size_t printable_fits(const char *text, size_t columns)
{
	const char *at = text, *end = text + strlen(text);
	struct printable is;

	for (; printable_next(at, end, &is); at += is.took) {
		if (is.columns > columns)
			break;
		columns -= is.columns;
	}
	return (size_t)(at - text);
}

void printable_write(const char *text, size_t len, FILE *out)
{
	const char *end = text + len;
	struct printable is;

	for (; printable_next(text, end, &is); text += is.took)
		fwrite(is.text, 1, is.len, out);
}

/* The pointer of an empty span may be NULL. */
static const char *first_of(struct span text)
{
	return text.len ? (const char *)text.data : "";
}

int printable_append(struct buf *out, struct span text, struct error *err)
{
	const char *at = first_of(text), *end = at + text.len;
	struct printable is;

	for (; printable_next(at, end, &is); at += is.took)
		if (buf_append(out, is.text, is.len, err))
			return -1;
	return 0;
}

char *printable_copy(char *to, size_t size, struct span text)
{
	const char *at = first_of(text), *end = at + text.len;
	struct printable is;
	size_t used = 0;

	for (; printable_next(at, end, &is); at += is.took) {
		if (is.len >= size - used)
			break;
		memcpy(to + used, is.text, is.len);
		used += is.len;
	}
	to[used] = '\0';
	return to;
}
