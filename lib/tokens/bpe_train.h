/*
 * bpe_train.h - learns a byte-level BPE vocabulary from text.  The pieces of
 * the text (split.h) are counted; then the most frequent pair of adjacent
 * tokens becomes a new token, again and again.
 *
 * The same text in the same order gives the same vocabulary.  Among equally
 * frequent pairs, the one of earlier tokens is taken.
 */
#ifndef LIB_TOKENS_BPE_TRAIN_H
#define LIB_TOKENS_BPE_TRAIN_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct bpe_trainer;
struct error;

/* 256 bytes and <|endoftext|>: the smallest vocabulary. */
enum { BPE_TOKENS_LEAST = 257 };

struct bpe_trainer *bpe_trainer_new(struct error *err);
void bpe_trainer_free(struct bpe_trainer *trainer); /* NULL is fine */

/* Counts the pieces of a text. */
int bpe_trainer_add(
    struct bpe_trainer *trainer, struct span text, struct error *err);
/*
 * Learns merges until there are `tokens` tokens, or no pair occurs twice.  Call
 * it once, after the last text.  *made is the number of tokens then.
 */
int bpe_trainer_run(struct bpe_trainer *trainer, uint32_t tokens,
    uint32_t *made, struct error *err);
/* Returns how often the pair of a merge occurred when it was merged. */
uint64_t bpe_trainer_count(const struct bpe_trainer *trainer, uint32_t rank);
/*
 * Appends the two files of the vocabulary (vocabulary.h): bytes are numbered as
 * in GPT-2, then come the merges in order, then <|endoftext|>.
 */
int bpe_trainer_print(const struct bpe_trainer *trainer, struct buf *encoder,
    struct buf *merges, struct error *err);
/* Writes encoder.json and vocab.bpe into a folder, which is created. */
int bpe_trainer_write(
    const struct bpe_trainer *trainer, const char *dir, struct error *err);

#endif
