/* vocabulary_maker.c - see vocabulary_maker.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/tokens/byte_letters.h"
#include "test/unit/test.h"
#include "test/unit/vocabulary_maker.h"

enum { WORD_MOST = 64, PIECE_MOST = 4096 };

/* Both tokens of a merge, one behind the other, in letters. */
static void join_name(const char *merge, char name[WORD_MOST * 2])
{
	const char *blank = strchr(merge, ' ');

	snprintf(name, WORD_MOST * 2, "%.*s%s", (int)(blank - merge), merge,
	    blank + 1);
}

/* What two merges make has the number of the first of them. */
static unsigned joined_id(const char *const *merges, unsigned rank)
{
	char name[WORD_MOST * 2], other[WORD_MOST * 2];

	join_name(merges[rank], name);
	for (unsigned i = 0; i < rank; i++) {
		join_name(merges[i], other);
		if (strcmp(name, other) == 0)
			return BYTE_VALUES + i;
	}
	return BYTE_VALUES + rank;
}

static void add_entry(struct buf *json, const char *name, unsigned id)
{
	struct error err = ERROR_INIT;

	test_ok(buf_printf(json, &err, "%s\"%s%s\": %u", id ? ", " : "{",
	            *name == '"' || *name == '\\' ? "\\" : "", name, id),
	    &err);
}

void vocabulary_make(
    const char *const *merges, struct buf *encoder, struct buf *bpe)
{
	struct error err = ERROR_INIT;
	struct byte_letters letters;
	unsigned id = 0;

	byte_letters_fill(&letters);
	encoder->len = bpe->len = 0;
	for (; id < BYTE_VALUES; id++) {
		char name[UTF8_BYTES + 1] = "";

		utf8_encode(letters.letter[id], (unsigned char *)name);
		add_entry(encoder, name, id);
	}
	test_ok(buf_printf(bpe, &err, "#version: 0.2\n"), &err);
	for (unsigned rank = 0; merges[rank]; rank++, id++) {
		char name[WORD_MOST * 2];

		join_name(merges[rank], name);
		if (joined_id(merges, rank) == id)
			add_entry(encoder, name, id);
		test_ok(buf_printf(bpe, &err, "%s\n", merges[rank]), &err);
	}
	add_entry(encoder, "<|endoftext|>", id);
	test_ok(buf_printf(encoder, &err, "}"), &err);
}

void vocabulary_write(const char *dir, const char *const *merges)
{
	struct buf encoder = BUF_INIT, bpe = BUF_INIT;

	vocabulary_make(merges, &encoder, &bpe);
	test_write_file(dir, "encoder.json", buf_span(&encoder));
	test_write_file(dir, "vocab.bpe", buf_span(&bpe));
	buf_release(&encoder);
	buf_release(&bpe);
}

/* A token as bytes. */
struct token {
	unsigned char bytes[WORD_MOST];
	size_t len;
	int32_t id;
};

static struct token token_of(const char *letters, size_t len)
{
	const unsigned char *at = (const unsigned char *)letters;
	const unsigned char *end = at + len;
	struct token token = { .len = 0 };
	struct byte_letters map;
	unsigned bytes;

	byte_letters_fill(&map);
	for (; at < end; at += bytes) {
		const int byte =
		    byte_of_letter(&map, utf8_decode(at, end, &bytes));

		assert_true(byte >= 0 && token.len < WORD_MOST);
		token.bytes[token.len++] = (unsigned char)byte;
	}
	return token;
}

static int is_same(const struct token *a, const struct token *b)
{
	return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* Joins each left with a right behind it; returns how many tokens are left. */
static size_t join(struct token *tokens, size_t count, const struct token *left,
    const struct token *right, int32_t id)
{
	size_t to = 0;

	for (size_t i = 0; i < count; i++, to++) {
		tokens[to] = tokens[i];
		if (i + 1 == count || !is_same(&tokens[i], left) ||
		    !is_same(&tokens[i + 1], right))
			continue;
		assert_true(left->len + right->len <= WORD_MOST);
		memcpy(tokens[to].bytes + left->len, right->bytes, right->len);
		tokens[to].len += right->len;
		tokens[to].id = id;
		i++;
	}
	return to;
}

size_t vocabulary_naive(
    const char *const *merges, struct span piece, int32_t *ids)
{
	struct token *tokens = calloc(PIECE_MOST, sizeof(*tokens));
	size_t count = piece.len;

	assert_non_null(tokens);
	assert_true(count <= PIECE_MOST);
	for (size_t i = 0; i < count; i++) {
		tokens[i].bytes[0] = piece.data[i];
		tokens[i].len = 1;
		tokens[i].id = piece.data[i];
	}
	for (unsigned rank = 0; merges[rank];) {
		const char *blank = strchr(merges[rank], ' ');
		const struct token left =
		    token_of(merges[rank], (size_t)(blank - merges[rank]));
		const struct token right =
		    token_of(blank + 1, strlen(blank + 1));
		const size_t now = join(tokens, count, &left, &right,
		    (int32_t)joined_id(merges, rank));

		rank = now < count ? 0 : rank + 1;
		count = now;
	}
	for (size_t i = 0; i < count; i++)
		ids[i] = tokens[i].id;
	free(tokens);
	return count;
}
