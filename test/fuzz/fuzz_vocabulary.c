/*
 * fuzz_vocabulary.c - any bytes as the two files of a vocabulary, with a NUL
 * between: an error in words, or a vocabulary by which anything is encoded.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/unicode.h"
#include "lib/tokens/vocabulary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void encode(const struct vocabulary *vocabulary, struct span text)
{
	struct error err = ERROR_INIT;
	struct bpe *bpe = bpe_new(vocabulary, false, &err);
	const int32_t *ids;
	size_t count;

	require(bpe != NULL);
	require(bpe_encode(bpe, text, &ids, &count, &err) == 0);
	require(count <= text.len);
	for (size_t i = 0; i < count; i++)
		require(ids[i] >= 0 && (uint32_t)ids[i] < vocabulary->tokens);
	bpe_free(bpe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct unicode *unicode; /* made once */
	const uint8_t *cut = len ? memchr(data, 0, len) : NULL;
	struct span encoder = { .data = data, .len = len };
	struct span merges = { .len = 0 };
	struct error err = ERROR_INIT;
	struct vocabulary *vocabulary;

	if (!unicode)
		unicode = unicode_take(&err);
	require(unicode != NULL);
	if (cut) {
		encoder.len = (size_t)(cut - data);
		merges.data = cut + 1;
		merges.len = len - encoder.len - 1;
	}
	vocabulary = vocabulary_parse(encoder, merges, &err);
	if (!vocabulary) {
		require(err.code == ERROR_DATA && err.text[0]);
		return 0;
	}
	encode(vocabulary, (struct span){ data, len });
	vocabulary_free(vocabulary);
	return 0;
}
