/*
 * fuzz_bpe.c - any bytes as text, by a vocabulary that the first of them make
 * up: the pieces are those of GPT-2's pattern, tried alternative by
 * alternative, and their tokens those of joining the lowest rank everywhere,
 * again and again.
 *
 * The first byte is the number of merges; each of them is two tokens, as four
 * bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/split.h"
#include "lib/tokens/unicode.h"
#include "lib/tokens/vocabulary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { TEXT_MOST = 4096, MERGE_BYTES = 4, BYTES = 256 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* ---- pieces ---- */

/* The class of the character at `at`, -1 at the end; *next is behind it. */
static int class_at(
    const struct unicode *unicode, struct span text, size_t at, size_t *next)
{
	unsigned bytes;
	int32_t code;

	if (at >= text.len)
		return -1;
	code = utf8_decode(text.data + at, text.data + text.len, &bytes);
	*next = at + bytes;
	return code == UTF8_BAD ? UNICODE_OTHER : unicode->classes[code];
}

static size_t run_of(
    const struct unicode *unicode, struct span text, size_t at, int class)
{
	size_t next = at;

	while (class_at(unicode, text, at, &next) == class)
		at = next;
	return at;
}

static size_t plain_contraction(struct span text, size_t at)
{
	static const char *const words[] = { "'s", "'t", "'re", "'ve", "'m",
		"'ll", "'d" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const size_t len = strlen(words[i]);

		if (text.len - at >= len &&
		    memcmp(text.data + at, words[i], len) == 0)
			return at + len;
	}
	return at;
}

/* \s+(?!\S), or else \s+ */
static size_t plain_spaces(
    const struct unicode *unicode, struct span text, size_t at)
{
	const size_t end = run_of(unicode, text, at, UNICODE_SPACE);
	size_t last = at, next = at;

	if (end == text.len)
		return end;
	while (
	    class_at(unicode, text, last, &next) == UNICODE_SPACE && next < end)
		last = next;
	return last > at ? last : end;
}

static size_t plain_piece(
    const struct unicode *unicode, struct span text, size_t at)
{
	static const int classes[] = { UNICODE_LETTER, UNICODE_NUMBER,
		UNICODE_OTHER };
	const size_t end = plain_contraction(text, at);

	if (end > at)
		return end;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		for (int blank = text.data[at] == ' '; blank >= 0; blank--) {
			const size_t begin = at + (size_t)blank;
			const size_t stop =
			    run_of(unicode, text, begin, classes[i]);

			if (stop > begin)
				return stop;
		}
	return plain_spaces(unicode, text, at);
}

/* ---- tokens ---- */

static size_t plain_tokens(
    const struct merges *merges, struct span piece, int32_t *ids)
{
	size_t count = piece.len;

	for (size_t i = 0; i < count; i++)
		ids[i] = piece.data[i];
	for (;;) {
		uint32_t lowest = MERGES_NONE;
		size_t to = 0;

		for (size_t i = 0; i + 1 < count; i++) {
			const uint32_t rank = merges_rank(
			    merges, (uint32_t)ids[i], (uint32_t)ids[i + 1]);

			lowest = rank < lowest ? rank : lowest;
		}
		if (lowest == MERGES_NONE)
			return count;
		for (size_t i = 0; i < count; i++, to++) {
			ids[to] = ids[i];
			if (i + 1 < count &&
			    merges_rank(merges, (uint32_t)ids[i],
			        (uint32_t)ids[i + 1]) == lowest)
				ids[to] = (int32_t)merges->joined[lowest], i++;
		}
		count = to;
	}
}

static void make_vocabulary(
    struct vocabulary *vocabulary, const uint8_t **data, size_t *len)
{
	const uint32_t wanted = *len ? **data % 64 : 0;
	struct error err = ERROR_INIT;

	require(merges_init(&vocabulary->merges, wanted + 1, &err) == 0);
	for (uint32_t i = 0; i < BYTES; i++)
		vocabulary->byte_ids[i] = i;
	*data += *len > 0;
	*len -= *len > 0;
	for (uint32_t i = 0; i < wanted && *len >= MERGE_BYTES; i++) {
		const uint8_t *at = *data;
		const uint32_t all = BYTES + wanted;
		const uint32_t left = (at[0] | (uint32_t)at[1] << 8) % all;
		const uint32_t right = (at[2] | (uint32_t)at[3] << 8) % all;
		const uint32_t own = BYTES + vocabulary->merges.count;

		*data += MERGE_BYTES;
		*len -= MERGE_BYTES;
		if (left != own && right != own)
			merges_add(&vocabulary->merges, left, right, own);
	}
	vocabulary->tokens = BYTES + wanted;
	vocabulary->end_of_text = -1;
}

/* Twice: the second time, words are remembered. */
static void check(const struct vocabulary *vocabulary, struct span text)
{
	int32_t *want = malloc((text.len + 1) * sizeof(*want));
	struct error err = ERROR_INIT;
	struct bpe *bpe = bpe_new(vocabulary, false, &err);
	const unsigned char *end = text.data + text.len;
	const int32_t *ids;
	size_t count = 0, got;

	require(want && bpe);
	for (size_t at = 0; at < text.len;) {
		const size_t stop = plain_piece(vocabulary->unicode, text, at);
		const struct span piece = { text.data + at, stop - at };

		require(split_next(vocabulary->unicode, piece.data, end) ==
		        text.data + stop);
		count += plain_tokens(&vocabulary->merges, piece, want + count);
		at = stop;
	}
	for (int i = 0; i < 2; i++) {
		require(bpe_encode(bpe, text, &ids, &got, &err) == 0);
		require(got == count);
		require(!count || memcmp(ids, want, count * sizeof(*ids)) == 0);
	}
	bpe_free(bpe);
	free(want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct vocabulary vocabulary;
	struct error err = ERROR_INIT;

	if (len == 0 || len > TEXT_MOST)
		return 0;
	if (!vocabulary.unicode)
		vocabulary.unicode = unicode_take(&err);
	require(vocabulary.unicode != NULL);
	make_vocabulary(&vocabulary, &data, &len);
	if (len)
		check(&vocabulary, (struct span){ data, len });
	merges_release(&vocabulary.merges);
	return 0;
}
