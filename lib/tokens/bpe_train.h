/*
 * bpe_train.h - a byte-level BPE vocabulary learnt from text: the pieces of
 * the text (split.h) are counted, and of their tokens the pair that is there
 * most often becomes a token, again and again.
 *
 * The same text in the same order gives the same vocabulary.  Of pairs that
 * are there equally often, that of the earlier tokens is taken.
 */
#ifndef LIB_TOKENS_BPE_TRAIN_H
#define LIB_TOKENS_BPE_TRAIN_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct bpe_trainer;
struct error;

/* 256 bytes and <|endoftext|>: no vocabulary is smaller. */
enum { BPE_TOKENS_LEAST = 257 };

struct bpe_trainer *bpe_trainer_new(struct error *err);
void bpe_trainer_free(struct bpe_trainer *trainer); /* NULL is fine */

/* Counts the pieces of a text. */
int bpe_trainer_add(
    struct bpe_trainer *trainer, struct span text, struct error *err);
/*
 * Learns merges until there are `tokens`, or no pair is there twice; to be
 * called once, after the last text.  *made is how many there are then.
 */
int bpe_trainer_run(struct bpe_trainer *trainer, uint32_t tokens,
    uint32_t *made, struct error *err);
/* How often the pair of a merge was there when it was joined. */
uint64_t bpe_trainer_count(const struct bpe_trainer *trainer, uint32_t rank);
/*
 * The two files of the vocabulary (vocabulary.h): bytes are numbered as GPT-2
 * numbers them, then come the merges, in order, then <|endoftext|>.
 */
int bpe_trainer_print(const struct bpe_trainer *trainer, struct buf *encoder,
    struct buf *merges, struct error *err);
/* The same into encoder.json and vocab.bpe of a folder, which is made. */
int bpe_trainer_write(
    const struct bpe_trainer *trainer, const char *dir, struct error *err);

#endif
