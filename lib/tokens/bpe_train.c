/*
 * bpe_train.c - see bpe_train.h.
 *
 * Each distinct piece is kept once, as a list of its tokens and a count.  A
 * merge changes only the counts of adjacent pairs: it costs time in proportion
 * to the places where it happens.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/tokens/bpe_train.h"
#include "lib/tokens/byte_letters.h"
#include "lib/tokens/merges.h"
#include "lib/tokens/pair_queue.h"
#include "lib/tokens/split.h"
#include "lib/tokens/token_map.h"
#include "lib/tokens/unicode.h"
#include "lib/tokens/vocabulary.h"

static const uint32_t nowhere = UINT32_MAX, gone_id = UINT32_MAX;

/* A token within a piece. */
struct place {
	uint32_t id; /* gone_id: merged into the token on its left */
	uint32_t left, right;
	uint32_t piece;
};

struct merge {
	uint32_t left, right, joined;
	uint64_t count;
};

struct bpe_trainer {
	const struct unicode *unicode;
	struct byte_letters letters;
	struct token_map pieces;
	uint64_t *counts; /* counts of the pieces */
	size_t count_capacity;
	struct place *places;
	struct pair_queue pairs;
	struct token_map tokens; /* by number, without <|endoftext|> */
	struct merge *merges;
	size_t merge_count, merge_capacity;
};

static int add_bytes(struct bpe_trainer *trainer, struct error *err)
{
	for (unsigned i = 0; i < BYTE_VALUES; i++) {
		const struct span byte = { &trainer->letters.order[i], 1 };
		uint32_t id;

		if (token_map_add(&trainer->tokens, byte, &id, err) < 0)
			return -1;
	}
	return 0;
}

struct bpe_trainer *bpe_trainer_new(struct error *err)
{
	struct bpe_trainer *trainer = memory_zeroed(sizeof(*trainer), err);

	if (!trainer)
		return NULL;
	byte_letters_fill(&trainer->letters);
	trainer->unicode = unicode_take(err);
	if (!trainer->unicode || add_bytes(trainer, err)) {
		bpe_trainer_free(trainer);
		return NULL;
	}
	return trainer;
}

void bpe_trainer_free(struct bpe_trainer *trainer)
{
	if (!trainer)
		return;
	unicode_give(trainer->unicode);
	token_map_release(&trainer->pieces);
	token_map_release(&trainer->tokens);
	pair_queue_release(&trainer->pairs);
	free(trainer->counts);
	free(trainer->places);
	free(trainer->merges);
	free(trainer);
}

static int add_piece(
    struct bpe_trainer *trainer, struct span piece, struct error *err)
{
	uint32_t entry;
	uint64_t *grown;
	const int rc = token_map_add(&trainer->pieces, piece, &entry, err);

	if (rc < 0)
		return -1;
	if (rc > 0) {
		grown = array_grow(trainer->counts, &trainer->count_capacity,
		    trainer->pieces.count, sizeof(*grown), err);
		if (!grown)
			return -1;
		trainer->counts = grown;
		grown[entry] = 0;
	}
	trainer->counts[entry]++;
	return 0;
}

int bpe_trainer_add(
    struct bpe_trainer *trainer, struct span text, struct error *err)
{
	const unsigned char *at = text.data;
	const unsigned char *end = text.len ? at + text.len : at;

	while (at < end) {
		const unsigned char *next =
		    split_next(trainer->unicode, at, end);

		if (add_piece(
		        trainer, (struct span){ at, (size_t)(next - at) }, err))
			return -1;
		at = next;
	}
	return 0;
}

/* ---- training ---- */

static int add_pair(struct bpe_trainer *trainer, uint32_t at, struct error *err)
{
	const struct place *place = &trainer->places[at];
	const uint32_t ids[2] = { place->id, trainer->places[place->right].id };

	return pair_queue_add(&trainer->pairs, ids,
	    (int64_t)trainer->counts[place->piece], at, err);
}

static void take_pair(struct bpe_trainer *trainer, uint32_t at)
{
	const struct place *place = &trainer->places[at];

	pair_queue_take(&trainer->pairs, place->id,
	    trainer->places[place->right].id,
	    (int64_t)trainer->counts[place->piece]);
}

/* Makes a place for each byte of each piece. */
static int begin(struct bpe_trainer *trainer, struct error *err)
{
	const struct buf *bytes = &trainer->pieces.bytes;
	uint32_t number[BYTE_VALUES], at = 0;

	if (bytes->len >= nowhere)
		return error_set(err, ERROR_LIMIT,
		    "the text has too many different words (%zu bytes)",
		    bytes->len);
	trainer->places = malloc((bytes->len + 1) * sizeof(struct place));
	if (!trainer->places)
		return error_memory(err, bytes->len * sizeof(struct place));
	for (unsigned i = 0; i < BYTE_VALUES; i++)
		number[trainer->letters.order[i]] = i;
	for (uint32_t p = 0; p < trainer->pieces.count; p++) {
		const struct span piece = token_map_bytes(&trainer->pieces, p);

		for (size_t i = 0; i < piece.len; i++, at++)
			trainer->places[at] = (struct place){
				.id = number[piece.data[i]],
				.left = i ? at - 1 : nowhere,
				.right = i + 1 < piece.len ? at + 1 : nowhere,
				.piece = p,
			};
	}
	for (uint32_t i = 0; i < at; i++)
		if (trainer->places[i].right != nowhere &&
		    add_pair(trainer, i, err))
			return -1;
	return 0;
}

/* Finds or adds the token of two tokens' joined bytes. */
static int join_tokens(struct bpe_trainer *trainer, const struct pair *pair,
    uint32_t *joined, struct error *err)
{
	const struct span left = token_map_bytes(&trainer->tokens, pair->left);
	const struct span right =
	    token_map_bytes(&trainer->tokens, pair->right);
	struct buf bytes = BUF_INIT;
	int rc = -1;

	if (buf_append(&bytes, left.data, left.len, err) == 0 &&
	    buf_append(&bytes, right.data, right.len, err) == 0)
		rc = token_map_add(
		    &trainer->tokens, buf_span(&bytes), joined, err);
	buf_release(&bytes);
	return rc < 0 ? -1 : 0;
}

/* Merges the token at `at` with the one on its right. */
static int join_at(struct bpe_trainer *trainer, uint32_t at, uint32_t joined,
    struct error *err)
{
	struct place *places = trainer->places, *place = &places[at];
	struct place *gone = &places[place->right];

	if (place->left != nowhere)
		take_pair(trainer, place->left);
	if (gone->right != nowhere)
		take_pair(trainer, place->right);
	take_pair(trainer, at);
	place->id = joined;
	place->right = gone->right;
	gone->id = gone_id;
	if (place->right != nowhere)
		places[place->right].left = at;
	if (place->left != nowhere && add_pair(trainer, place->left, err))
		return -1;
	return place->right != nowhere ? add_pair(trainer, at, err) : 0;
}

static int note_merge(struct bpe_trainer *trainer, const struct pair *pair,
    uint32_t joined, struct error *err)
{
	struct merge *grown =
	    array_grow(trainer->merges, &trainer->merge_capacity,
	        trainer->merge_count + 1, sizeof(*grown), err);

	if (!grown)
		return -1;
	trainer->merges = grown;
	grown[trainer->merge_count++] = (struct merge){
		.left = pair->left,
		.right = pair->right,
		.joined = joined,
		.count = (uint64_t)pair->count,
	};
	return 0;
}

/* Merges a pair everywhere; `pair` is a copy, since pairs are added here. */
static int join_pair(
    struct bpe_trainer *trainer, struct pair pair, struct error *err)
{
	uint32_t joined;

	if (join_tokens(trainer, &pair, &joined, err) ||
	    note_merge(trainer, &pair, joined, err))
		return -1;
	for (size_t i = 0; i < pair.place_count; i++) {
		const uint32_t at = pair.places[i];
		const struct place *place = &trainer->places[at];

		if (place->id != pair.left || place->right == nowhere ||
		    trainer->places[place->right].id != pair.right)
			continue;
		if (join_at(trainer, at, joined, err))
			return -1;
	}
	return 0;
}

int bpe_trainer_run(struct bpe_trainer *trainer, uint32_t tokens,
    uint32_t *made, struct error *err)
{
	struct error none = ERROR_INIT;
	int rc = begin(trainer, err);

	if (tokens > MERGES_MAX)
		tokens = MERGES_MAX;
	while (rc == 0 && trainer->tokens.count + 1 < tokens) {
		struct pair *first = pair_queue_first(&trainer->pairs, &none);
		struct pair pair;

		if (none.code != ERROR_NONE) {
			*err = none;
			return -1;
		}
		if (!first || first->count < 2)
			break;
		pair = *first;
		first->places = NULL; /* this pair does not occur any more */
		first->place_count = first->place_capacity = 0;
		rc = join_pair(trainer, pair, err);
		free(pair.places);
	}
	*made = (uint32_t)trainer->tokens.count + 1;
	return rc;
}

uint64_t bpe_trainer_count(const struct bpe_trainer *trainer, uint32_t rank)
{
	return trainer->merges[rank].count;
}

/* ---- the files ---- */

static int print_token(const struct bpe_trainer *trainer, struct buf *out,
    uint32_t id, struct error *err)
{
	return byte_letters_append(
	    &trainer->letters, out, token_map_bytes(&trainer->tokens, id), err);
}

/* Writes a token as JSON; only two of the byte letters need escapes. */
static int print_entry(const struct bpe_trainer *trainer, struct buf *out,
    uint32_t id, struct error *err)
{
	const struct span bytes = token_map_bytes(&trainer->tokens, id);

	if (buf_printf(out, err, id ? ", \"" : "{\""))
		return -1;
	for (size_t i = 0; i < bytes.len; i++) {
		const unsigned char byte = bytes.data[i];

		if ((byte == '"' || byte == '\\') &&
		    buf_append(out, "\\", 1, err))
			return -1;
		if (byte_letters_append(
		        &trainer->letters, out, (struct span){ &byte, 1 }, err))
			return -1;
	}
	return buf_printf(out, err, "\": %u", id);
}

int bpe_trainer_print(const struct bpe_trainer *trainer, struct buf *encoder,
    struct buf *merges, struct error *err)
{
	const uint32_t count = (uint32_t)trainer->tokens.count;

	for (uint32_t id = 0; id < count; id++)
		if (print_entry(trainer, encoder, id, err))
			return -1;
	if (buf_printf(encoder, err, ", \"%s\": %u}\n", VOCABULARY_END_OF_TEXT,
	        count) ||
	    buf_printf(merges, err, "#version: 0.2\n"))
		return -1;
	for (size_t i = 0; i < trainer->merge_count; i++)
		if (print_token(
		        trainer, merges, trainer->merges[i].left, err) ||
		    buf_append(merges, " ", 1, err) ||
		    print_token(
		        trainer, merges, trainer->merges[i].right, err) ||
		    buf_append(merges, "\n", 1, err))
			return -1;
	return 0;
}

static int write_file(
    const char *dir, const char *name, struct span bytes, struct error *err)
{
	char *path = path_join(dir, name, err);
	const int rc = path ? path_write(path, bytes, err) : -1;

	free(path);
	return rc;
}

int bpe_trainer_write(
    const struct bpe_trainer *trainer, const char *dir, struct error *err)
{
	struct buf encoder = BUF_INIT, merges = BUF_INIT;
	int rc = -1;

	if (bpe_trainer_print(trainer, &encoder, &merges, err) == 0 &&
	    path_make_dirs(dir, err) == 0 &&
	    write_file(dir, "encoder.json", buf_span(&encoder), err) == 0)
		rc = write_file(dir, "vocab.bpe", buf_span(&merges), err);
	buf_release(&encoder);
	buf_release(&merges);
	return rc;
}
