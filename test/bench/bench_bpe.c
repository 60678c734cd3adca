/*
 * bench_bpe.c - text to tokens, and tokens to rows of a table.
 *
 * text/bpe: the step over articles of some kB, by a vocabulary learnt from
 * them, when most words came before.  Its limit is a bare loop that cuts the
 * same text into words and looks each up in a table in which all of them are
 * known: no word is ever joined from bytes.
 * text/bpe/new-words: the same with an encoder that is new for each pass.  Its
 * limit is the bare loop with what an encoder by ranks reads of a word that it
 * has not met in this pass: the ranks of all pairs of neighbours that come up
 * until nothing joins, from a list.  It does not look for the lowest of them,
 * joins nothing, and writes no word to the table.
 * text/embed: the step over the tokens, against copying the same rows of the
 * same table to the same memory.
 *
 * With $BENCH_TEXTS, a folder of texts, and $BENCH_VOCABULARY, one with the
 * files of a vocabulary, it is text/bpe/new-words alone, over these.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generators/article.h"
#include "datasets/generators/lexicon.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/bpe_train.h"
#include "lib/tokens/embedding.h"
#include "lib/tokens/split.h"
#include "lib/tokens/vocabulary.h"
#include "test/bench/bench.h"

enum {
	ARTICLES = 400,
	TOKENS = 8192,
	DIM = 768,
	WORDS_MAX = 1 << 17,
	PATH_ROOM = 1024,
	PIECE_MOST = 256, /* bytes; of pieces that are joined */
};

static void check(int rc, const struct error *err)
{
	if (rc)
		bench_die(err);
}

/* ---- the texts ---- */

struct texts {
	struct buf bytes;
	struct buf ends; /* of each text: size_t */
	size_t count;
	char dir[PATH_ROOM]; /* of the vocabulary */
};

static struct span text_at(const struct texts *texts, size_t i)
{
	const size_t *ends = (const size_t *)(const void *)texts->ends.data;
	const size_t from = i ? ends[i - 1] : 0;

	return (struct span){ texts->bytes.data + from, ends[i] - from };
}

static void end_text(struct texts *texts)
{
	struct error err = ERROR_INIT;

	check(buf_append(&texts->ends, &texts->bytes.len,
	          sizeof(texts->bytes.len), &err),
	    &err);
	texts->count++;
}

static int read_text(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct texts *texts = arg;
	char *path = path_join(getenv("BENCH_TEXTS"), name, err);
	const int rc =
	    path ? path_read(path, SIZE_MAX, &texts->bytes, err) : -1;

	UNUSED(bytes);
	end_text(texts);
	free(path);
	return rc;
}

/* Reads the user's texts; false if there are none. */
static bool read_texts(struct texts *texts)
{
	const char *dir = getenv("BENCH_TEXTS");
	const char *vocabulary = getenv("BENCH_VOCABULARY");
	struct error err = ERROR_INIT;

	if (!dir || !vocabulary)
		return false;
	snprintf(texts->dir, sizeof(texts->dir), "%s", vocabulary);
	check(path_each(dir, read_text, texts, &err), &err);
	return true;
}

static void make_texts(struct texts *texts, const char *work)
{
	struct error err = ERROR_INIT;
	struct lexicon *lexicon = lexicon_new(&err);
	struct bpe_trainer *trainer = bpe_trainer_new(&err);
	uint32_t made;

	check(lexicon && trainer ? 0 : -1, &err);
	for (size_t i = 0; i < ARTICLES; i++) {
		check(article_text(lexicon, 1, i, &texts->bytes, &err), &err);
		end_text(texts);
	}
	snprintf(texts->dir, sizeof(texts->dir), "%s/vocab", work);
	check(bpe_trainer_add(trainer, buf_span(&texts->bytes), &err), &err);
	check(bpe_trainer_run(trainer, TOKENS, &made, &err), &err);
	check(bpe_trainer_write(trainer, texts->dir, &err), &err);
	bpe_trainer_free(trainer);
	lexicon_free(lexicon);
}

/* ---- presto's step ---- */

struct tokenizer {
	const struct texts *texts;
	void *options, *priv;
	struct tensor out;
};

static void tokenizer_open(
    struct tokenizer *tokenizer, const struct texts *texts)
{
	static const struct type type = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	const struct step_ops *ops = step_find("bpe");
	struct error err = ERROR_INIT;
	struct type out;

	*tokenizer = (struct tokenizer){ .texts = texts };
	tokenizer->options = calloc(1, ops->options_size);
	tokenizer->priv = calloc(1, ops->priv_size);
	if (!tokenizer->options || !tokenizer->priv)
		exit(1);
	check(option_set(
	          ops->options, tokenizer->options, "vocab", texts->dir, &err),
	    &err);
	check(ops->bind(tokenizer->priv, tokenizer->options, &type, &out, &err),
	    &err);
}

static void tokenizer_close(struct tokenizer *tokenizer)
{
	step_find("bpe")->release(tokenizer->priv);
	free(tokenizer->priv);
	free(tokenizer->options);
	tensor_release(&tokenizer->out);
}

static double run_step(void *arg, unsigned times)
{
	struct tokenizer *tokenizer = arg;
	const struct texts *texts = tokenizer->texts;
	const struct step_ops *ops = step_find("bpe");
	struct random random = { .left = 0 };
	struct error err = ERROR_INIT;

	for (unsigned t = 0; t < times; t++)
		for (size_t i = 0; i < texts->count; i++) {
			const struct span text = text_at(texts, i);
			struct tensor in = TENSOR_INIT;

			tensor_view_encoded(&in, text.data, text.len, "txt");
			check(ops->run(tokenizer->priv, &random, &in,
			          &tokenizer->out, &err),
			    &err);
		}
	return (double)times * (double)texts->bytes.len;
}

static double run_new(void *arg, unsigned times)
{
	const struct texts *texts = arg;
	struct error err = ERROR_INIT;
	const struct vocabulary *vocabulary = vocabulary_take(texts->dir, &err);

	check(vocabulary ? 0 : -1, &err);
	for (unsigned t = 0; t < times; t++) {
		struct bpe *bpe = bpe_new(vocabulary, false, &err);

		check(bpe ? 0 : -1, &err);
		for (size_t i = 0; i < texts->count; i++) {
			const int32_t *ids;
			size_t count;

			check(bpe_encode(
			          bpe, text_at(texts, i), &ids, &count, &err),
			    &err);
		}
		bpe_free(bpe);
	}
	vocabulary_give(vocabulary);
	return (double)times * (double)texts->bytes.len;
}

/* ---- the bare loop ---- */

struct known_word {
	struct span bytes;
	uint32_t first, count; /* in the list of all tokens */
	uint32_t first_pair, pairs;
	uint32_t met; /* in which pass last */
};

struct pair {
	uint32_t left, right;
};

struct bare {
	const struct texts *texts;
	const struct vocabulary *vocabulary;
	struct known_word *words; /* by hash; WORDS_MAX */
	int32_t *ids, *out;
	size_t id_count;
	struct pair *pairs; /* of all words, whose ranks are needed */
	size_t pair_count;
	uint32_t pass;
	uint64_t ranks; /* so that they are read */
};

static struct known_word *look_up(const struct bare *bare, struct span bytes)
{
	size_t slot = hash_bytes(bytes.data, bytes.len, 0) % WORDS_MAX;

	while (bare->words[slot].count &&
	       !span_equal(bare->words[slot].bytes, bytes))
		slot = (slot + 1) % WORDS_MAX;
	return &bare->words[slot];
}

static struct span cut_word(const struct bare *bare, struct span *text)
{
	const unsigned char *next = split_next(
	    bare->vocabulary->unicode, text->data, text->data + text->len);
	const struct span word = { text->data, (size_t)(next - text->data) };

	text->data += word.len;
	text->len -= word.len;
	return word;
}

/* Notes the pair; its rank. */
static uint32_t need_pair(struct bare *bare, uint32_t left, uint32_t right)
{
	bare->pairs[bare->pair_count++] = (struct pair){ left, right };
	return merges_rank(&bare->vocabulary->merges, left, right);
}

/* One pair of the lowest rank becomes one; false when none has a rank. */
static bool join_lowest(
    struct bare *bare, uint32_t *ids, uint32_t *ranks, size_t *count)
{
	size_t at = 0;

	for (size_t i = 1; i + 1 < *count; i++)
		at = ranks[i] < ranks[at] ? i : at;
	if (*count < 2 || ranks[at] == MERGES_NONE)
		return false;
	ids[at] = bare->vocabulary->merges.joined[ranks[at]];
	--*count;
	for (size_t i = at + 1; i < *count; i++) {
		ids[i] = ids[i + 1];
		ranks[i] = ranks[i + 1];
	}
	if (at + 1 < *count)
		ranks[at] = need_pair(bare, ids[at], ids[at + 1]);
	if (at > 0)
		ranks[at - 1] = need_pair(bare, ids[at - 1], ids[at]);
	return true;
}

/* The pairs that come up while the word is joined; of long words, none. */
static void learn_pairs(struct bare *bare, struct known_word *word)
{
	const struct span bytes = word->bytes;
	uint32_t ids[PIECE_MOST + 1], ranks[PIECE_MOST + 1];
	size_t count = bytes.len;

	word->first_pair = (uint32_t)bare->pair_count;
	if (count > PIECE_MOST)
		return;
	for (size_t i = 0; i < count; i++)
		ids[i] = bare->vocabulary->byte_ids[bytes.data[i]];
	for (size_t i = 0; i + 1 < count; i++)
		ranks[i] = need_pair(bare, ids[i], ids[i + 1]);
	while (join_lowest(bare, ids, ranks, &count))
		;
	word->pairs = (uint32_t)bare->pair_count - word->first_pair;
}

static void learn_words(struct bare *bare)
{
	struct error err = ERROR_INIT;
	struct bpe *bpe = bpe_new(bare->vocabulary, false, &err);

	check(bpe ? 0 : -1, &err);
	for (size_t i = 0; i < bare->texts->count; i++) {
		struct span text = text_at(bare->texts, i);

		while (text.len) {
			const struct span bytes = cut_word(bare, &text);
			struct known_word *word = look_up(bare, bytes);
			const int32_t *ids;
			size_t count;

			if (word->count)
				continue;
			check(bpe_encode(bpe, bytes, &ids, &count, &err), &err);
			*word = (struct known_word){ .bytes = bytes,
				.first = (uint32_t)bare->id_count,
				.count = (uint32_t)count };
			learn_pairs(bare, word);
			memcpy(bare->ids + bare->id_count, ids,
			    count * sizeof(*ids));
			bare->id_count += count;
		}
	}
	bpe_free(bpe);
}

static void meet(struct bare *bare, struct known_word *word)
{
	const struct pair *pairs = bare->pairs + word->first_pair;

	for (uint32_t i = 0; i < word->pairs; i++)
		bare->ranks += merges_rank(
		    &bare->vocabulary->merges, pairs[i].left, pairs[i].right);
	word->met = bare->pass;
}

static void run_pass(struct bare *bare, bool meets)
{
	for (size_t i = 0; i < bare->texts->count; i++) {
		struct span text = text_at(bare->texts, i);
		int32_t *out = bare->out;

		while (text.len) {
			struct known_word *word =
			    look_up(bare, cut_word(bare, &text));

			if (meets && word->met != bare->pass)
				meet(bare, word);
			memcpy(out, bare->ids + word->first,
			    word->count * sizeof(*out));
			out += word->count;
		}
	}
}

static double run_bare(void *arg, unsigned times)
{
	struct bare *bare = arg;

	for (unsigned t = 0; t < times; t++)
		run_pass(bare, false);
	return (double)times * (double)bare->texts->bytes.len;
}

static double run_bare_new(void *arg, unsigned times)
{
	struct bare *bare = arg;

	for (unsigned t = 0; t < times; t++) {
		bare->pass++;
		run_pass(bare, true);
	}
	return (double)times * (double)bare->texts->bytes.len;
}

static void bare_open(struct bare *bare, const struct texts *texts)
{
	struct error err = ERROR_INIT;

	*bare = (struct bare){
		.texts = texts,
		.vocabulary = vocabulary_take(texts->dir, &err),
		.words = calloc(WORDS_MAX, sizeof(*bare->words)),
		.ids = bench_alloc(texts->bytes.len * sizeof(int32_t)),
		.out = bench_alloc(texts->bytes.len * sizeof(int32_t)),
		.pairs =
		    bench_alloc(texts->bytes.len * 3 * sizeof(struct pair)),
	};
	check(bare->vocabulary ? 0 : -1, &err);
	if (!bare->words)
		exit(1);
	learn_words(bare);
}

static void bare_close(struct bare *bare)
{
	vocabulary_give(bare->vocabulary);
	free(bare->words);
	free(bare->ids);
	free(bare->out);
	free(bare->pairs);
}

/* ---- rows ---- */

struct gather {
	const struct embedding *embedding;
	void *priv;
	struct tensor ids, out;
};

static double run_embed(void *arg, unsigned times)
{
	struct gather *gather = arg;
	struct random random = { .left = 0 };
	struct error err = ERROR_INIT;

	for (unsigned t = 0; t < times; t++)
		check(step_find("embed")->run(gather->priv, &random,
		          &gather->ids, &gather->out, &err),
		    &err);
	return (double)times * (double)gather->out.bytes;
}

static double run_copy(void *arg, unsigned times)
{
	const struct gather *gather = arg;
	const size_t count = gather->ids.bytes / sizeof(int32_t);
	const size_t bytes = gather->embedding->row_bytes;
	const int32_t *ids = gather->ids.data;
	unsigned char *to = gather->out.data;

	for (unsigned t = 0; t < times; t++)
		for (size_t i = 0; i < count; i++)
			memcpy(to + i * bytes,
			    gather->embedding->rows + (size_t)ids[i] * bytes,
			    bytes);
	return (double)times * (double)(count * bytes);
}

/* The tokens of the last article. */
static void bench_embed(
    const struct bench_args *args, struct tokenizer *tokenizer)
{
	const struct step_ops *ops = step_find("embed");
	const struct type type = { .dtype = DTYPE_I32, .shape = { 1, { -1 } } };
	const struct embedding_plan plan = { .tokens = TOKENS,
		.dim = DIM,
		.dtype = DTYPE_F32,
		.any_dtype = true };
	struct gather gather = { .priv = calloc(1, ops->priv_size) };
	void *options = calloc(1, ops->options_size);
	struct error err = ERROR_INIT;
	struct type out;

	if (!gather.priv || !options)
		exit(1);
	memcpy(options, ops->defaults, ops->options_size);
	check(option_set(ops->options, options, "tokens", "8192", &err), &err);
	check(option_set(ops->options, options, "dim", "768", &err), &err);
	check(ops->bind(gather.priv, options, &type, &out, &err), &err);
	gather.embedding = embedding_take(&plan, &err);
	check(gather.embedding ? 0 : -1, &err);
	run_step(tokenizer, 1);
	gather.ids = tokenizer->out;
	run_embed(&gather, 1);
	bench_run("text/embed", &bench_mb_per_s, args->rounds,
	    &(struct bench_side){ .run = run_embed, .arg = &gather },
	    &(struct bench_side){ .run = run_copy, .arg = &gather });
	embedding_give(gather.embedding);
	ops->release(gather.priv);
	free(gather.priv);
	free(options);
	tensor_release(&gather.out);
}

static void bench_new_words(
    const struct bench_args *args, struct texts *texts, struct bare *bare)
{
	bench_run("text/bpe/new-words", &bench_mb_per_s, args->rounds,
	    &(struct bench_side){ .run = run_new, .arg = texts },
	    &(struct bench_side){ .run = run_bare_new, .arg = bare });
}

int main(int argc, char **argv)
{
	struct texts texts = { .bytes = BUF_INIT, .ends = BUF_INIT };
	struct tokenizer tokenizer;
	struct bench_args args;
	struct bare bare;
	bool given;

	bench_args_read(&args, argc, argv);
	given = read_texts(&texts);
	if (!given)
		make_texts(&texts, args.work);
	bare_open(&bare, &texts);
	if (!given) {
		tokenizer_open(&tokenizer, &texts);
		bench_run("text/bpe", &bench_mb_per_s, args.rounds,
		    &(struct bench_side){ .run = run_step, .arg = &tokenizer },
		    &(struct bench_side){ .run = run_bare, .arg = &bare });
	}
	bench_new_words(&args, &texts, &bare);
	if (!given) {
		bench_embed(&args, &tokenizer);
		tokenizer_close(&tokenizer);
	}
	bare_close(&bare);
	buf_release(&texts.bytes);
	buf_release(&texts.ends);
	return 0;
}
