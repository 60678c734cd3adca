/*
 * bpe.c - text to tokens, by the vocabulary of a GPT-2 model.
 * in:  a text: the bytes of a file, or uint8 [n]
 * out: int32 [tokens]
 *
 * The vocabulary is read when the step is bound, and shared by all workers.
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/vocabulary.h"

struct options {
	bool special;
	const char *vocab;
};

static const struct option options[] = {
	OPTION(FLAG, "special", 0, struct options, special, "yes|no",
	    "take <|endoftext|> in the text for one token"),
	OPTION(PATH, "vocab", 0, struct options, vocab, "DIR",
	    "folder with encoder.json and vocab.bpe"),
	OPTION_TABLE_END,
};

struct tokenizer {
	const struct vocabulary *vocabulary;
	struct bpe *bpe;
};

static int bpe_check(const void *given, struct error *err)
{
	const struct options *want = given;

	if (want->vocab && *want->vocab)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "vocab must be given: a folder with encoder.json and vocab.bpe");
}

static bool is_text(const struct type *type)
{
	return type->layout == LAYOUT_ENCODED ||
	       (type->layout == LAYOUT_PLAIN && type->dtype == DTYPE_U8 &&
	           type->shape.count == 1);
}

static int bpe_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	struct tokenizer *tokenizer = priv;

	if (!is_text(in))
		return type_refuse(in, "the bytes of a text", err);
	tokenizer->vocabulary = vocabulary_take(want->vocab, err);
	if (!tokenizer->vocabulary)
		return error_prefix(err, "vocab");
	tokenizer->bpe = bpe_new(tokenizer->vocabulary, want->special, err);
	if (!tokenizer->bpe)
		return -1;
	*out = (struct type){
		.dtype = DTYPE_I32,
		.layout = LAYOUT_PLAIN,
		.shape = { 1, { -1 } },
	};
	return 0;
}

static int bpe_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct tokenizer *tokenizer = priv;
	const struct span text = { .data = in->data, .len = in->bytes };
	struct shape shape = { .count = 1 };
	const int32_t *ids;
	size_t count;

	UNUSED(random);
	if (bpe_encode(tokenizer->bpe, text, &ids, &count, err))
		return -1;
	shape.dims[0] = (int64_t)count;
	if (tensor_reshape(out, DTYPE_I32, &shape, err))
		return -1;
	if (count)
		memcpy(out->data, ids, count * sizeof(*ids));
	return 0;
}

static void bpe_release(void *priv)
{
	struct tokenizer *tokenizer = priv;

	bpe_free(tokenizer->bpe);
	vocabulary_give(tokenizer->vocabulary);
}

const struct step_ops step_bpe = {
	.name = "bpe",
	.summary = "split a text into tokens and number them, as GPT-2 does",
	.in = "text bytes",
	.out = "int32 [n]",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.check = bpe_check,
	.priv_size = sizeof(struct tokenizer),
	.bind = bpe_bind,
	.run = bpe_run,
	.release = bpe_release,
};
