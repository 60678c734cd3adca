/* words.c - see words.h. Exactly one blank separates words. */
#include <string.h>

#include "lib/syntax/words.h"

enum { HASH_DIGITS = 16 };

/* Takes `len` bytes and the separator behind them. */
static void take(struct span *from, size_t len, struct span *taken)
{
	const size_t skip = len < from->len ? len + 1 : len;

	taken->data = from->data;
	taken->len = len;
	from->data += skip;
	from->len -= skip;
}

int words_line(struct span *text, struct span *line)
{
	const unsigned char *end;

	if (text->len == 0)
		return 0;
	end = memchr(text->data, '\n', text->len);
	if (!end)
		return -1;
	take(text, (size_t)(end - text->data), line);
	return 1;
}

int words_next(struct span *line, struct span *word)
{
	const unsigned char *end;

	if (line->len == 0)
		return -1;
	end = memchr(line->data, ' ', line->len);
	take(line, end ? (size_t)(end - line->data) : line->len, word);
	return word->len > 0 ? 0 : -1;
}

int words_expect(struct span *line, const char *word)
{
	struct span got;

	if (words_next(line, &got) || !span_equal(got, span_text(word)))
		return -1;
	return 0;
}

int words_number(struct span *line, uint64_t *number)
{
	struct span word;

	if (words_next(line, &word))
		return -1;
	*number = 0;
	for (size_t i = 0; i < word.len; i++) {
		const unsigned digit = word.data[i] - (unsigned)'0';

		if (digit > 9 || __builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, digit, number))
			return -1;
	}
	return 0;
}

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

int words_hash(struct span *line, uint64_t *hash)
{
	struct span word;

	if (words_next(line, &word) || word.len != HASH_DIGITS)
		return -1;
	*hash = 0;
	for (size_t i = 0; i < word.len; i++) {
		const int value = hex_value(word.data[i]);

		if (value < 0)
			return -1;
		*hash = *hash << 4 | (unsigned)value;
	}
	return 0;
}
