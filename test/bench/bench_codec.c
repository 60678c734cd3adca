/*
 * bench_codec.c - the codecs over blocks of 1 MiB, at their default levels,
 * against the libraries called directly (bare_codec.h), both ways.
 *
 * The blocks are the pixels of photographs and words that come as often as
 * those of a language do, by turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/codecs/codec.h"
#include "lib/loader/loader.h"
#include "test/bench/bare_codec.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum {
	BLOCK = 1 << 20,
	BLOCKS = 8, /* half of them pixels */
	WORDS = 4096,
	WORD_MOST = 12,
	ROOM = 2 << 20, /* for a block either way, also in what lz4 wants */
};

/* ---- blocks ---- */

/* The pixels of so many blocks; photographs come again if need be. */
static void fill_pixels(struct buf *blocks, const struct bench_args *args)
{
	const struct batch *batch = NULL;
	struct error err = ERROR_INIT;
	struct data data;
	struct load load;

	data_open_photos(&data, args->photos, "decoded = jpeg_decode\n");
	load_init(&load, &data, 1, 1);
	for (size_t i = 0; i < BLOCKS; i += 2)
		while (blocks[i].len < BLOCK) {
			const struct tensor *image;
			size_t len = BLOCK - blocks[i].len;

			if (!batch)
				loader_begin(load.loader, 0, false);
			batch = loader_next(load.loader);
			if (!batch) {
				if (loader_end(load.loader, &err))
					bench_die(&err);
				continue;
			}
			image = &batch->slots[0].fields[0];
			if (len > image->bytes)
				len = image->bytes;
			if (buf_append(&blocks[i], image->data, len, &err))
				bench_die(&err);
		}
	load_release(&load);
	data_close(&data);
}

static void make_words(char words[WORDS][WORD_MOST + 2], struct random *random)
{
	static const char letters[] = "eeeeeetttttaaaaooooiiiinnnnssshhhrrrddd"
	                              "lllcuumwfgypbvk";

	for (size_t i = 0; i < WORDS; i++) {
		const size_t len = 2 + random_below(random, WORD_MOST - 2);

		for (size_t c = 0; c < len; c++)
			words[i][c] = letters[random_below(
			    random, (uint32_t)sizeof(letters) - 1)];
		words[i][len] = ' ';
		words[i][len + 1] = '\0';
	}
}

/* Word n comes about n times as seldom as the first. */
static void fill_words(struct buf *blocks)
{
	struct random random = random_stream(1, 0, 0, 0);
	struct error err = ERROR_INIT;
	char words[WORDS][WORD_MOST + 2];

	make_words(words, &random);
	for (size_t i = 1; i < BLOCKS; i += 2) {
		while (blocks[i].len < BLOCK) {
			const uint32_t most = 1 + random_below(&random, WORDS);
			const char *word = words[random_below(&random, most)];

			if (buf_append(&blocks[i], word, strlen(word), &err))
				bench_die(&err);
		}
		blocks[i].len = BLOCK;
	}
}

/* ---- a codec and its limit ---- */

struct pair {
	const struct codec *codec;
	const struct bare_codec *bare;
	void *codec_state, *bare_state;
	const struct buf *blocks;
	struct buf frames[BLOCKS]; /* as the codec made them */
	struct buf whole[BLOCKS];  /* and as the library wants them */
	struct buf codec_out, bare_out;
};

static void check(size_t got, size_t wanted)
{
	if (got == wanted)
		return;
	fprintf(stderr, "bench: a library did not do its work\n");
	exit(1);
}

static double codec_encode(void *arg, unsigned times)
{
	struct pair *pair = arg;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < (size_t)times * BLOCKS; i++) {
		pair->codec_out.len = 0;
		if (pair->codec->ops->encode(pair->codec_state,
		        buf_span(&pair->blocks[i % BLOCKS]), &pair->codec_out,
		        &err))
			bench_die(&err);
	}
	return (double)times * BLOCKS * BLOCK;
}

static double codec_decode(void *arg, unsigned times)
{
	struct pair *pair = arg;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < (size_t)times * BLOCKS; i++) {
		pair->codec_out.len = 0;
		if (pair->codec->ops->decode(pair->codec_state,
		        buf_span(&pair->frames[i % BLOCKS]), BLOCK,
		        &pair->codec_out, &err))
			bench_die(&err);
	}
	return (double)times * BLOCKS * BLOCK;
}

static double bare_encode(void *arg, unsigned times)
{
	struct pair *pair = arg;

	for (size_t i = 0; i < (size_t)times * BLOCKS; i++)
		check(pair->bare->encode(pair->bare_state,
		          buf_span(&pair->blocks[i % BLOCKS]),
		          &pair->bare_out) > 0,
		    true);
	return (double)times * BLOCKS * BLOCK;
}

static double bare_decode(void *arg, unsigned times)
{
	struct pair *pair = arg;

	for (size_t i = 0; i < (size_t)times * BLOCKS; i++)
		check(pair->bare->decode(pair->bare_state,
		          buf_span(&pair->whole[i % BLOCKS]), &pair->bare_out),
		    BLOCK);
	return (double)times * BLOCKS * BLOCK;
}

static void pair_init(struct pair *pair, const struct codec *codec,
    const struct bare_codec *bare, const struct buf *blocks)
{
	struct error err = ERROR_INIT;

	*pair = (struct pair){ .codec = codec, .bare = bare, .blocks = blocks };
	pair->bare_state = bare->state_new(codec->level);
	pair->codec_state = codec->ops->state_new(codec->level, &err);
	if (!pair->codec_state || buf_reserve(&pair->codec_out, ROOM, &err) ||
	    buf_reserve(&pair->bare_out, ROOM, &err))
		bench_die(&err);
	memset(pair->codec_out.data, 0, ROOM); /* the pages are there */
	memset(pair->bare_out.data, 0, ROOM);
	for (size_t i = 0; i < BLOCKS; i++) {
		struct buf *frame = &pair->frames[i], *whole = &pair->whole[i];

		if (codec->ops->encode(
		        pair->codec_state, buf_span(&blocks[i]), frame, &err) ||
		    buf_append(whole, frame->data, frame->len, &err) ||
		    buf_append(whole, bare->end.data, bare->end.len, &err))
			bench_die(&err);
	}
}

static void pair_release(struct pair *pair)
{
	pair->codec->ops->state_free(pair->codec_state);
	pair->bare->state_free(pair->bare_state);
	for (size_t i = 0; i < BLOCKS; i++) {
		buf_release(&pair->frames[i]);
		buf_release(&pair->whole[i]);
	}
	buf_release(&pair->codec_out);
	buf_release(&pair->bare_out);
}

static void bench_pair(const struct bare_codec *bare, const struct buf *blocks,
    const struct bench_args *args)
{
	char label[CODEC_LABEL], name[BENCH_NAME];
	const char *family = bare->library ? bare->library : "codec";
	struct error err = ERROR_INIT;
	struct codec codec;
	struct pair pair;

	if (codec_parse(bare->codec, &codec, &err))
		bench_die(&err);
	pair_init(&pair, &codec, bare, blocks);
	codec_label(&codec, label);
	snprintf(name, sizeof(name), "%s/%s/encode", family, label);
	bench_run(name, &bench_mb_per_s, args->rounds,
	    &(struct bench_side){ .run = codec_encode, .arg = &pair },
	    &(struct bench_side){
	        .run = bare_encode, .arg = &pair, .is_library = true });
	snprintf(name, sizeof(name), "%s/%s/decode", family, label);
	if (bare->decode)
		bench_run(name, &bench_mb_per_s, args->rounds,
		    &(struct bench_side){ .run = codec_decode, .arg = &pair },
		    &(struct bench_side){
		        .run = bare_decode, .arg = &pair, .is_library = true });
	pair_release(&pair);
}

int main(int argc, char **argv)
{
	struct buf blocks[BLOCKS] = { BUF_INIT };
	const struct bare_codec *bare;
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	fill_pixels(blocks, &args);
	fill_words(blocks);
	for (size_t i = 0; (bare = bare_codec_at(i)); i++)
		bench_pair(bare, blocks, &args);
	for (size_t i = 0; i < BLOCKS; i++)
		buf_release(&blocks[i]);
	return 0;
}
