/* bpe.c - see bpe.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/merger.h"
#include "lib/tokens/split.h"
#include "lib/tokens/vocabulary.h"
#include "lib/tokens/word_cache.h"

struct bpe {
	const struct vocabulary *vocabulary;
	bool special;
	struct word_cache cache;
	struct merger merger;
	int32_t *ids;
	size_t count, capacity;
};

struct bpe *bpe_new(
    const struct vocabulary *vocabulary, bool special, struct error *err)
{
	struct bpe *bpe;

	if (special && vocabulary->end_of_text < 0) {
		error_set(err, ERROR_USAGE,
		    "the vocabulary has no token " VOCABULARY_END_OF_TEXT);
		return NULL;
	}
	bpe = memory_zeroed(sizeof(*bpe), err);
	if (!bpe)
		return NULL;
	bpe->vocabulary = vocabulary;
	bpe->special = special;
	if (word_cache_init(&bpe->cache, err)) {
		bpe_free(bpe);
		return NULL;
	}
	return bpe;
}

void bpe_free(struct bpe *bpe)
{
	if (!bpe)
		return;
	word_cache_release(&bpe->cache);
	merger_release(&bpe->merger);
	free(bpe->ids);
	free(bpe);
}

/* Makes room for the tokens of so many bytes, and a whole word of the cache. */
static int make_room(struct bpe *bpe, size_t bytes, struct error *err)
{
	const size_t need = bpe->count + bytes + WORD_TOKENS;
	int32_t *grown;

	if (need <= bpe->capacity)
		return 0;
	grown = array_grow(bpe->ids, &bpe->capacity, need, sizeof(*grown), err);
	if (!grown)
		return -1;
	bpe->ids = grown;
	return 0;
}

static int add_merged(struct bpe *bpe, struct span piece, struct error *err)
{
	const size_t count = merger_run(
	    &bpe->merger, bpe->vocabulary, piece, bpe->ids + bpe->count, err);

	bpe->count += count;
	return count ? 0 : -1;
}

/* Encodes a piece, with the cache if it fits; the text ends at `end`. */
static int add_word(struct bpe *bpe, struct span piece,
    const unsigned char *end, struct error *err)
{
	const struct word_key key =
	    word_key_of(piece.data, (unsigned)piece.len, end);
	struct word_set *set = word_cache_set(&bpe->cache, &key);
	const struct word *word = word_set_find(set, &key);
	int32_t *ids = bpe->ids + bpe->count;
	const size_t before = bpe->count;

	if (word) {
		memcpy(ids, word->ids, sizeof(word->ids));
		bpe->count += word->count;
		return 0;
	}
	if (add_merged(bpe, piece, err))
		return -1;
	if (bpe->count - before <= WORD_TOKENS)
		word_set_add(set, &key, ids, bpe->count - before);
	return 0;
}

static int encode_plain(struct bpe *bpe, struct span text, struct error *err)
{
	const struct unicode *unicode = bpe->vocabulary->unicode;
	const unsigned char *at = text.data, *end = text.data + text.len;

	while (at < end) {
		const unsigned char *next = split_next(unicode, at, end);
		const struct span piece = { at, (size_t)(next - at) };

		if (make_room(bpe, piece.len, err))
			return -1;
		if (piece.len <= WORD_BYTES ? add_word(bpe, piece, end, err)
		                            : add_merged(bpe, piece, err))
			return -1;
		at = next;
	}
	return 0;
}

/* Returns the bytes before the next "<|endoftext|>"; len if there is none. */
static size_t find_end_of_text(struct span text)
{
	const size_t len = strlen(VOCABULARY_END_OF_TEXT);
	const unsigned char *at = text.data, *end = text.data + text.len;

	while ((size_t)(end - at) >= len) {
		at = memchr(at, VOCABULARY_END_OF_TEXT[0],
		    (size_t)(end - at) - len + 1);
		if (!at)
			break;
		if (memcmp(at, VOCABULARY_END_OF_TEXT, len) == 0)
			return (size_t)(at - text.data);
		at++;
	}
	return text.len;
}

static int encode_special(struct bpe *bpe, struct span text, struct error *err)
{
	const size_t mark = strlen(VOCABULARY_END_OF_TEXT);

	for (;;) {
		const size_t len = find_end_of_text(text);

		if (encode_plain(bpe, (struct span){ text.data, len }, err))
			return -1;
		if (len == text.len)
			return 0;
		if (make_room(bpe, 1, err))
			return -1;
		bpe->ids[bpe->count++] = bpe->vocabulary->end_of_text;
		text.data += len + mark;
		text.len -= len + mark;
	}
}

int bpe_encode(struct bpe *bpe, struct span text, const int32_t **ids,
    size_t *count, struct error *err)
{
	int rc = 0;

	bpe->count = 0;
	if (make_room(bpe, 0, err))
		return -1;
	if (text.len)
		rc = bpe->special ? encode_special(bpe, text, err)
		                  : encode_plain(bpe, text, err);
	*ids = bpe->ids;
	*count = bpe->count;
	return rc;
}
