/* encoder.c - see encoder.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/tokens/byte_letters.h"
#include "lib/tokens/encoder.h"
#include "lib/tokens/merges.h"

enum { ESCAPE_DIGITS = 4 };

/* The unread part of the file. */
struct cursor {
	const unsigned char *begin, *at, *end;
	const struct byte_letters *letters;
};

static int fail(
    const struct cursor *cursor, struct error *err, const char *message)
{
	return error_set(err, ERROR_DATA, "byte %zu: %s",
	    (size_t)(cursor->at - cursor->begin), message);
}

/* Returns the next character that is not white space; 0 at the end. */
static unsigned char peek(struct cursor *cursor)
{
	while (cursor->at < cursor->end &&
	       (*cursor->at == ' ' || *cursor->at == '\n' ||
	           *cursor->at == '\r' || *cursor->at == '\t'))
		cursor->at++;
	return cursor->at < cursor->end ? *cursor->at : '\0';
}

static bool take(struct cursor *cursor, unsigned char c)
{
	if (peek(cursor) != c)
		return false;
	cursor->at++;
	return true;
}

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads the digits after "\u"; -1 if they are not four. */
static int32_t take_code(struct cursor *cursor)
{
	int32_t code = 0;

	if (cursor->end - cursor->at < ESCAPE_DIGITS)
		return -1;
	for (int i = 0; i < ESCAPE_DIGITS; i++) {
		const int digit = hex_value(*cursor->at++);

		if (digit < 0)
			return -1;
		code = code * 16 + digit;
	}
	return code;
}

/*
 * Reads what follows a backslash; -1 for an invalid escape.  Escapes of control
 * characters are invalid, since no letter is one.
 */
static int32_t take_escape(struct cursor *cursor)
{
	unsigned char c;

	if (cursor->at == cursor->end)
		return -1;
	c = *cursor->at++;
	if (c == 'u')
		return take_code(cursor);
	return c == '"' || c == '\\' || c == '/' ? c : -1;
}

/* Reads a letter of a string as a code point. */
static int32_t take_letter(struct cursor *cursor)
{
	int32_t code;
	unsigned bytes;

	if (*cursor->at == '\\') {
		cursor->at++;
		return take_escape(cursor);
	}
	code = utf8_decode(cursor->at, cursor->end, &bytes);
	cursor->at += bytes;
	return code;
}

/* Reads a string of byte letters as bytes. */
static int take_token(
    struct cursor *cursor, struct buf *token, struct error *err)
{
	token->len = 0;
	if (!take(cursor, '"'))
		return fail(cursor, err, "expected a token in double quotes");
	while (cursor->at < cursor->end && *cursor->at != '"') {
		const unsigned char *begin = cursor->at;
		const int byte =
		    byte_of_letter(cursor->letters, take_letter(cursor));
		const unsigned char c = (unsigned char)byte;

		if (byte < 0) {
			cursor->at = begin;
			return fail(cursor, err,
			    "the token has a letter that stands for no byte");
		}
		if (buf_append(token, &c, 1, err))
			return -1;
	}
	if (cursor->at == cursor->end)
		return fail(cursor, err, "the file ends within a token");
	cursor->at++;
	return token->len ? 0 : fail(cursor, err, "the token is empty");
}

static int take_id(struct cursor *cursor, uint32_t *id, struct error *err)
{
	unsigned char c = peek(cursor);

	*id = 0;
	if (c < '0' || c > '9')
		return fail(cursor, err, "expected a whole number");
	while (cursor->at < cursor->end && *cursor->at >= '0' &&
	       *cursor->at <= '9' && *id <= MERGES_MAX)
		*id = *id * 10 + (*cursor->at++ - (uint32_t)'0');
	if (*id > MERGES_MAX)
		return error_set(err, ERROR_DATA,
		    "byte %zu: the number is more than %d",
		    (size_t)(cursor->at - cursor->begin), MERGES_MAX);
	return 0;
}

static int add(struct encoder *encoder, const struct cursor *cursor,
    const struct buf *token, uint32_t id, struct error *err)
{
	uint32_t entry;
	uint32_t *grown;
	const int rc =
	    token_map_add(&encoder->tokens, buf_span(token), &entry, err);

	if (rc == 0)
		return fail(cursor, err, "the token appears twice");
	if (rc < 0)
		return -1;
	grown = array_grow(encoder->ids, &encoder->capacity,
	    encoder->tokens.count, sizeof(*grown), err);
	if (!grown)
		return -1;
	encoder->ids = grown;
	encoder->ids[entry] = id;
	if (id >= encoder->limit)
		encoder->limit = id + 1;
	return 0;
}

static int read_object(
    struct encoder *encoder, struct cursor *cursor, struct error *err)
{
	struct buf token = BUF_INIT;
	uint32_t id;
	int rc = -1;

	do {
		if (take_token(cursor, &token, err))
			goto done;
		if (!take(cursor, ':')) {
			fail(cursor, err, "expected a colon");
			goto done;
		}
		if (take_id(cursor, &id, err) ||
		    add(encoder, cursor, &token, id, err))
			goto done;
	} while (take(cursor, ','));
	rc = 0;
done:
	buf_release(&token);
	return rc;
}

/* Checks that all token numbers differ. */
static int check_ids(const struct encoder *encoder, struct error *err)
{
	unsigned char *seen = calloc(1, encoder->limit + 1);
	int rc = 0;

	if (!seen)
		return error_memory(err, encoder->limit + 1);
	for (size_t i = 0; rc == 0 && i < encoder->tokens.count; i++) {
		if (seen[encoder->ids[i]])
			rc = error_set(err, ERROR_DATA,
			    "two tokens have the number %u", encoder->ids[i]);
		seen[encoder->ids[i]] = 1;
	}
	free(seen);
	return rc;
}

int encoder_read(struct encoder *encoder, struct span json,
    const struct byte_letters *letters, struct error *err)
{
	struct cursor cursor = {
		.begin = json.data,
		.at = json.data,
		.end = json.data + json.len,
		.letters = letters,
	};

	if (!json.len)
		return error_set(err, ERROR_DATA, "the file is empty");
	if (!take(&cursor, '{'))
		return fail(&cursor, err, "expected a JSON object");
	if (read_object(encoder, &cursor, err))
		return -1;
	if (!take(&cursor, '}'))
		return fail(&cursor, err, "expected a comma or the end");
	if (peek(&cursor) || cursor.at != cursor.end)
		return fail(&cursor, err, "more than one JSON object");
	return check_ids(encoder, err);
}

int64_t encoder_id(const struct encoder *encoder, struct span bytes)
{
	const int64_t entry = token_map_find(&encoder->tokens, bytes);

	return entry < 0 ? -1 : (int64_t)encoder->ids[entry];
}

void encoder_release(struct encoder *encoder)
{
	token_map_release(&encoder->tokens);
	free(encoder->ids);
	*encoder = (struct encoder)ENCODER_INIT;
}
