/*
 * edge_list.c - see edge_list.h.
 *
 * Nearly all lines are two numbers.  They are read eight digits at a time,
 * without branches on the number of digits.  All other lines take the slow
 * path, which also has the error messages.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/edge_list.h"

enum {
	LINE_FAST = 40,      /* bytes that reading a line fast may access */
	LINES_LOOKED = 1000, /* lines searched for names */
	WORD_SHOWN = 40,
};

struct cursor {
	const unsigned char *at, *end;
	size_t line; /* number of the line at `at`, from 1 */
};

static int is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int ends_word(unsigned char c)
{
	return is_blank(c) || c == '\n' || c == ',' || c == ';';
}

/* ---- numbers, fast ---- */

static uint64_t load8(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Converts eight digits, the first in the lowest byte, to a number. */
static uint64_t digits_value(uint64_t digits)
{
	const uint64_t mask = 0x000000ff000000ff;
	const uint64_t pairs = digits * 10 + (digits >> 8);

	return ((pairs & mask) * 0x000f424000000064 +
	           ((pairs >> 16) & mask) * 0x0000271000000001) >>
	       32;
}

/* Reads a number of at most 11 digits and moves *at behind it. */
static inline bool take_number(const unsigned char **at, uint64_t *number)
{
	const uint64_t digits = load8(*at) ^ 0x3030303030303030;
	const uint64_t others =
	    ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
	unsigned len;

	if (others) {
		len = (unsigned)__builtin_ctzll(others) / 8;
		if (len == 0)
			return false;
		*number = digits_value(digits << (64 - 8 * len));
		*at += len;
		return true;
	}
	*number = digits_value(digits);
	*at += 8;
	for (len = 8; len < 11 && (unsigned)**at - '0' < 10; len++)
		*number = *number * 10 + (uint64_t)(*(*at)++ - '0');
	return true;
}

/* Reads two numbers and the end of the line; returns the next line, or NULL. */
static inline const unsigned char *take_pair(
    const unsigned char *at, int32_t pair[2])
{
	uint64_t from, to;

	if (!take_number(&at, &from) || !ends_word(*at) || *at == '\n')
		return NULL;
	at++;
	if (!take_number(&at, &to) || from > NODE_MAX || to > NODE_MAX)
		return NULL;
	if (*at == '\r')
		at++;
	if (*at != '\n')
		return NULL;
	pair[0] = (int32_t)from;
	pair[1] = (int32_t)to;
	return at + 1;
}

/* ---- other lines ---- */

static void skip_line(struct cursor *c)
{
	const unsigned char *newline =
	    memchr(c->at, '\n', (size_t)(c->end - c->at));

	c->at = newline ? newline + 1 : c->end;
	c->line++;
}

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end && is_blank(*c->at))
		c->at++;
}

static struct span take_word(struct cursor *c)
{
	const unsigned char *begin = c->at;

	while (c->at < c->end && !ends_word(*c->at))
		c->at++;
	return (struct span){ begin, (size_t)(c->at - begin) };
}

static bool is_number(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.data[i] < '0' || word.data[i] > '9')
			return false;
	return word.len > 0;
}

/* Copies a word for a message; unprintable characters become '?'. */
static const char *show(struct span word, char text[WORD_SHOWN + 1])
{
	size_t len = word.len < WORD_SHOWN ? word.len : WORD_SHOWN;

	for (size_t i = 0; i < len; i++)
		text[i] = (char)(word.data[i] < 0x20 || word.data[i] >= 0x7f
		                     ? '?'
		                     : word.data[i]);
	text[len] = '\0';
	return text;
}

/*
 * Finds the next line with an edge: 1 and its words; 0 at the end; -1 for a
 * line with a single word.  The cursor moves behind it.
 */
static int next_words(struct cursor *c, struct span words[2], struct error *err)
{
	char text[WORD_SHOWN + 1];

	for (; c->at < c->end; skip_line(c)) {
		skip_blanks(c);
		if (c->at == c->end || *c->at == '\n' || *c->at == '#' ||
		    *c->at == '%')
			continue;
		words[0] = take_word(c);
		skip_blanks(c);
		if (c->at < c->end && (*c->at == ',' || *c->at == ';'))
			c->at++;
		skip_blanks(c);
		words[1] = take_word(c);
		if (!words[0].len || !words[1].len)
			return error_set(err, ERROR_DATA,
			    "line %zu: '%s' is not an edge, which has two "
			    "nodes",
			    c->line, show(words[0], text));
		skip_line(c);
		return 1;
	}
	return 0;
}

static bool are_numbers(const struct span words[2])
{
	return is_number(words[0]) && is_number(words[1]);
}

/* `line` is the one before the cursor's. */
static int node_of(
    struct span word, size_t line, int32_t *node, struct error *err)
{
	char text[WORD_SHOWN + 1];
	uint64_t value = 0;

	if (!is_number(word))
		return error_set(err, ERROR_DATA,
		    "line %zu: '%s' is not the number of a node; ids=name "
		    "takes names",
		    line, show(word, text));
	for (size_t i = 0; i < word.len && value <= NODE_MAX; i++)
		value = value * 10 + (uint64_t)(word.data[i] - '0');
	if (value > NODE_MAX)
		return error_set(err, ERROR_DATA,
		    "line %zu: node %s is more than %d; ids=name numbers "
		    "nodes anew",
		    line, show(word, text), NODE_MAX);
	*node = (int32_t)value;
	return 0;
}

static int slow_pair(struct cursor *c, int32_t pair[2], struct error *err)
{
	struct span words[2];
	const int got = next_words(c, words, err);

	if (got <= 0)
		return got;
	if (node_of(words[0], c->line - 1, &pair[0], err) ||
	    node_of(words[1], c->line - 1, &pair[1], err))
		return -1;
	return 1;
}

static int read_numbers(
    struct cursor *c, int32_t *pairs, size_t *count, struct error *err)
{
	size_t n = 0;

	for (;;) {
		int32_t pair[2] = { 0, 0 };
		const unsigned char *next = NULL;

		if (c->end - c->at >= LINE_FAST)
			next = take_pair(c->at, pair);
		if (next) {
			c->at = next;
			c->line++;
		} else {
			const int got = slow_pair(c, pair, err);

			*count = n;
			if (got <= 0)
				return got;
		}
		if (pairs)
			memcpy(pairs + 2 * n, pair, sizeof(pair));
		n++;
	}
}

/* ---- names ---- */

static int check_name(struct span name, size_t line, struct error *err)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.data[i] < 0x20)
			return error_set(err, ERROR_DATA,
			    "line %zu: has the byte 0x%02x: this is not text",
			    line, name.data[i]);
	return 0;
}

static int read_names(struct edge_list *list, struct cursor *c, int32_t *pairs,
    size_t *count, struct error *err)
{
	struct span words[2];
	size_t n = 0;
	int got;

	names_clear(&list->names);
	while ((got = next_words(c, words, err)) > 0) {
		for (size_t i = 0; i < 2; i++) {
			int32_t node;

			if (check_name(words[i], c->line - 1, err))
				return -1;
			node = pairs ? names_number(&list->names, words[i], err)
			             : 0;
			if (node < 0)
				return -1;
			if (pairs)
				pairs[2 * n + i] = node;
		}
		n++;
	}
	*count = n;
	return got;
}

/* ---- finding the form of the text ---- */

/* Do the first lines contain a name?  Errors are reported later. */
static bool has_names(struct cursor c)
{
	struct span words[2];
	struct error ignored;

	for (int i = 0; i < LINES_LOOKED; i++) {
		if (next_words(&c, words, &ignored) <= 0)
			return false;
		if (!are_numbers(words))
			return true;
	}
	return false;
}

/* Skips the first line if it has titles. */
static void skip_titles(enum edge_titles titles, struct cursor *c)
{
	struct cursor ahead = *c;
	struct span words[2];
	struct error ignored;

	if (titles == EDGE_TITLES_NO ||
	    next_words(&ahead, words, &ignored) <= 0)
		return;
	if (titles == EDGE_TITLES_AUTO) {
		struct cursor second = ahead;

		if (are_numbers(words) ||
		    next_words(&second, words, &ignored) <= 0 ||
		    !are_numbers(words))
			return;
	}
	*c = ahead;
}

int edge_list_read(struct edge_list *list, struct span text, int32_t *pairs,
    size_t *count, struct error *err)
{
	static const unsigned char mark[] = { 0xef, 0xbb, 0xbf }; /* in UTF-8 */
	struct cursor c = { .at = text.data, .end = text.data, .line = 1 };
	bool named = list->ids == EDGE_IDS_NAME;
	int rc;

	*count = 0;
	if (text.len)
		c.end += text.len;
	if (text.len >= sizeof(mark) && memcmp(c.at, mark, sizeof(mark)) == 0)
		c.at += sizeof(mark);
	skip_titles(list->titles, &c);
	if (list->ids == EDGE_IDS_AUTO)
		named = has_names(c);
	rc = named ? read_names(list, &c, pairs, count, err)
	           : read_numbers(&c, pairs, count, err);
	if (rc == 0 && *count == 0)
		return error_set(err, ERROR_DATA, "holds no edges");
	return rc;
}

/* Counts newlines in lanes of eight bits. */
size_t edge_list_most(struct span text)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
	size_t count = 1, i = 0;

	while (text.len - i >= 8) {
		uint64_t lanes = 0;

		for (int k = 0; k < 255 && text.len - i >= 8; k++, i += 8) {
			const uint64_t x = load8(text.data + i) ^ (ones * '\n');

			lanes += (~(((x & low) + low) | x | low)) >> 7;
		}
		for (; lanes; lanes >>= 8)
			count += lanes & 0xff;
	}
	for (; i < text.len; i++)
		count += text.data[i] == '\n';
	return count;
}

void edge_list_release(struct edge_list *list)
{
	names_release(&list->names);
}
