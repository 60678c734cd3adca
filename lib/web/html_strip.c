/*
 * html_strip.c - see html_strip.h.
 *
 * The output is never longer than the input, except for a blank before each
 * attribute: so all memory is reserved at once.
 */
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/web/html_strip.h"

enum { SHORTEST = 4 }; /* least bytes of a kept attribute and its separators */

/* `at` becomes NULL if the rest cannot be parsed. */
struct strip {
	const unsigned char *at, *end;
	const unsigned char *kept; /* from here on nothing is written yet */
	unsigned char *to;
};

static bool is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t left(const struct strip *strip)
{
	return (size_t)(strip->end - strip->at);
}

static bool begins(const struct strip *strip, const char *with)
{
	const size_t len = strlen(with);

	return left(strip) >= len && memcmp(strip->at, with, len) == 0;
}

/* Moves behind the next byte of this value; NULL if there is none. */
static void pass(struct strip *strip, unsigned char byte)
{
	strip->at = left(strip) ? memchr(strip->at, byte, left(strip)) : NULL;
	if (strip->at)
		strip->at++;
}

static void pass_blanks(struct strip *strip)
{
	while (left(strip) && is_blank(*strip->at))
		strip->at++;
}

/* Writes the bytes passed since the last write, up to `until`. */
static void write_until(struct strip *strip, const unsigned char *until)
{
	const size_t len = (size_t)(until - strip->kept);

	memcpy(strip->to, strip->kept, len);
	strip->to += len;
	strip->kept = until;
}

static void pass_comment(struct strip *strip)
{
	strip->at += strlen("<!--");
	if (begins(strip, ">") || begins(strip, "->")) {
		pass(strip, '>');
		return;
	}
	for (; strip->at; pass(strip, '-'))
		if (begins(strip, "->") || begins(strip, "-!>")) {
			pass(strip, '>');
			return;
		}
}

/* Passes the value that follows '='. */
static void pass_value(struct strip *strip)
{
	pass_blanks(strip);
	if (left(strip) && (*strip->at == '"' || *strip->at == '\'')) {
		const unsigned char quote = *strip->at++;

		pass(strip, quote);
		return;
	}
	while (left(strip) && !is_blank(*strip->at) && *strip->at != '>')
		strip->at++;
}

static bool is_named(const unsigned char *name, size_t len, const char *wanted)
{
	return strncasecmp((const char *)name, wanted, len) == 0;
}

static bool is_wanted(const unsigned char *name, size_t len)
{
	switch (len) {
	case 2:
		return is_named(name, len, "id");
	case 5:
		return is_named(name, len, "class") ||
		       is_named(name, len, "style");
	case 6:
		return is_named(name, len, "hidden");
	case 11:
		return is_named(name, len, "aria-hidden");
	default:
		return false;
	}
}

static bool ends_name(unsigned char c)
{
	return c == '=' || c == '>' || c == '/' || is_blank(c);
}

/* Passes an attribute, which may begin with any byte. */
static void pass_attribute(struct strip *strip)
{
	const unsigned char *start = strip->at++, *after;
	size_t name;

	while (left(strip) && !ends_name(*strip->at))
		strip->at++;
	name = (size_t)(strip->at - start);
	after = strip->at;
	pass_blanks(strip);
	if (left(strip) && *strip->at == '=') {
		strip->at++;
		pass_value(strip);
		after = strip->at;
	}
	if (!after || !is_wanted(start, name))
		return;
	*strip->to++ = ' ';
	strip->kept = start;
	write_until(strip, after);
}

/* Passes a tag with its attributes; true if it ends with "/>". */
static bool pass_tag(struct strip *strip)
{
	bool slash = false;

	while (left(strip) && !is_blank(*strip->at) && *strip->at != '>' &&
	       *strip->at != '/')
		strip->at++;
	write_until(strip, strip->at);
	while (strip->at && left(strip)) {
		const unsigned char c = *strip->at;

		if (c == '>') {
			strip->kept = strip->at++ - slash;
			return slash;
		}
		slash = c == '/';
		if (slash || is_blank(c))
			strip->at++;
		else
			pass_attribute(strip);
	}
	strip->at = NULL;
	return false;
}

/* Returns "script" or "style" if that is the tag; else NULL. */
static const char *raw_name(const struct strip *strip)
{
	static const char *const names[] = { "script", "style" };
	const unsigned char *name = strip->at + 1;

	if (*name != 's' && *name != 'S')
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const size_t len = strlen(names[i]);

		if (left(strip) > len + 1 && is_named(name, len, names[i]) &&
		    (is_blank(name[len]) || name[len] == '>' ||
		        name[len] == '/'))
			return names[i];
	}
	return NULL;
}

/* Moves to the end tag; NULL if there is none. */
static void pass_raw(struct strip *strip, const char *name)
{
	const size_t len = strlen(name);

	for (pass(strip, '<'); strip->at; pass(strip, '<'))
		if (left(strip) > len && *strip->at == '/' &&
		    is_named(strip->at + 1, len, name)) {
			strip->at--;
			return;
		}
}

static void pass_element(struct strip *strip)
{
	const char *name = raw_name(strip);
	const bool empty = pass_tag(strip);

	/* libxml2 ends "<script/>" at once, others do not */
	if (name && empty)
		strip->at = NULL;
	if (!strip->at || !name)
		return;
	write_until(strip, strip->at);
	pass_raw(strip, name);
	if (strip->at)
		strip->kept = strip->at;
}

/* Passes the markup that begins with this '<'. */
static void pass_markup(struct strip *strip)
{
	if (begins(strip, "<!--")) {
		write_until(strip, strip->at);
		pass_comment(strip);
		if (strip->at)
			strip->kept = strip->at;
	} else if (begins(strip, "</")) {
		pass(strip, '>');
	} else if (left(strip) > 1 && is_letter(strip->at[1])) {
		pass_element(strip);
	} else {
		strip->at++;
	}
}

int html_strip(struct span page, struct buf *out, struct error *err)
{
	struct strip strip = {
		.at = page.data,
		.end = page.data + page.len,
		.kept = page.data,
	};

	if (buf_reserve(
	        out, out->len + page.len + page.len / SHORTEST + 1, err))
		return -1;
	strip.to = out->data + out->len;
	while (strip.at && left(&strip)) {
		strip.at = memchr(strip.at, '<', left(&strip));
		if (strip.at)
			pass_markup(&strip);
	}
	write_until(&strip, strip.end);
	out->len = (size_t)(strip.to - out->data);
	return 0;
}
