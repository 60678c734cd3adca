/* article.c - see article.h. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "datasets/generators/article.h"
#include "datasets/generators/lexicon.h"
#include "lib/base/random.h"

enum {
	ARTICLE_BYTES = 3300,      /* average length of an article */
	SUBJECT = 40,              /* words that the article repeats */
	STEP_ARTICLE = 0x61727469, /* own random stream */
	LEAST_BYTES = 300,
	MOST_BYTES = 60000,
};

/* Lengths are log-normal: more than half of all articles are below the mean. */
static const double spread = 0.8;

struct author {
	const struct lexicon *lexicon; /* borrowed */
	struct random random;
	uint32_t subject[SUBJECT]; /* ranks */
};

static struct author author_of(
    const struct lexicon *lexicon, uint64_t seed, uint64_t number)
{
	struct author author = {
		.lexicon = lexicon,
		.random = random_stream(seed, 0, number, STEP_ARTICLE),
	};

	for (unsigned i = 0; i < SUBJECT; i++)
		author.subject[i] =
		    lexicon_draw(lexicon, LEXICON_COMMON, &author.random);
	return author;
}

static uint32_t below(struct author *author, uint32_t bound)
{
	return random_below(&author->random, bound);
}

static int add(struct buf *out, const char *text, struct error *err)
{
	return buf_append(out, text, strlen(text), err);
}

/* Words of the subject are frequent, and its first words most of all. */
static struct span any_word(struct author *author)
{
	uint32_t rank;

	if (below(author, 100) < 17)
		rank =
		    author->subject[below(author, 1 + below(author, SUBJECT))];
	else
		rank = lexicon_draw(author->lexicon, 0, &author->random);
	return lexicon_word(author->lexicon, rank);
}

static int add_word(
    struct author *author, bool capital, struct buf *out, struct error *err)
{
	const struct span word = any_word(author);
	const size_t start = out->len;

	if (buf_append(out, word.data, word.len, err))
		return -1;
	if (capital)
		out->data[start] = (unsigned char)toupper(out->data[start]);
	return 0;
}

static int add_number(struct author *author, struct buf *out, struct error *err)
{
	const uint32_t kind = below(author, 4);

	if (kind == 0)
		return buf_printf(out, err, "%u", 1950 + below(author, 76));
	if (kind == 1)
		return buf_printf(out, err, "%u", 2 + below(author, 98));
	if (kind == 2)
		return buf_printf(out, err, "$%u.%u million",
		    1 + below(author, 90), below(author, 10));
	return buf_printf(
	    out, err, "%u,%03u", 1 + below(author, 300), below(author, 1000));
}

/* Returns the text between a word and the next one. */
static const char *mark_between(struct author *author)
{
	const uint32_t draw = below(author, 1000);

	if (draw < 60)
		return ", ";
	if (draw < 66)
		return " \xe2\x80\x94 ";
	if (draw < 70)
		return "\xe2\x80\x99s ";
	if (draw < 74)
		return "; ";
	if (draw < 78)
		return "-";
	return " ";
}

static const char *mark_at_end(struct author *author)
{
	const uint32_t draw = below(author, 100);

	return draw < 93 ? "." : draw < 98 ? "?" : "!";
}

static int put_sentence(
    struct author *author, struct buf *out, struct error *err)
{
	const uint32_t words = 4 + below(author, 14) + below(author, 14);
	const bool quoted = below(author, 12) == 0;

	if (quoted && add(out, "\xe2\x80\x9c", err))
		return -1;
	for (uint32_t i = 0; i < words; i++) {
		if (i && add(out, mark_between(author), err))
			return -1;
		if (i && below(author, 40) == 0
		        ? add_number(author, out, err)
		        : add_word(author, !i, out, err))
			return -1;
	}
	return add(out, mark_at_end(author), err) ||
	               (quoted && add(out, "\xe2\x80\x9d", err))
	           ? -1
	           : 0;
}

/* Appends a few words without a full stop. */
static int put_headline(
    struct author *author, struct buf *out, struct error *err)
{
	const uint32_t words = 4 + below(author, 7);

	for (uint32_t i = 0; i < words; i++)
		if ((i && add(out, " ", err)) ||
		    add_word(author, !i || below(author, 3), out, err))
			return -1;
	return 0;
}

static size_t draw_length(struct author *author)
{
	const double deviation = random_normal(&author->random) * spread;
	const double bytes =
	    ARTICLE_BYTES * exp(deviation - spread * spread / 2);

	return bytes < LEAST_BYTES  ? LEAST_BYTES
	       : bytes > MOST_BYTES ? MOST_BYTES
	                            : (size_t)bytes;
}

int article_text(const struct lexicon *lexicon, uint64_t seed, uint64_t number,
    struct buf *out, struct error *err)
{
	struct author author = author_of(lexicon, seed, number);
	const size_t start = out->len, length = draw_length(&author);

	if (put_headline(&author, out, err))
		return -1;
	while (out->len - start < length) {
		const uint32_t sentences = 1 + below(&author, 5);

		for (uint32_t i = 0; i < sentences; i++)
			if (add(out, i ? " " : "\n", err) ||
			    put_sentence(&author, out, err))
				return -1;
	}
	return 0;
}
