/*
 * stored_order.h - the order in which samples are stored: the dataset's own, or
 * a random one, which depends on its seed only.
 *
 * The default is random.  Class folders are listed one after the other, so
 * shards in the dataset's order hold one class each, and training fails
 * silently.
 *
 * If a source gives samples by number, all of them are permuted: shard i gets
 * the i-th part of a permutation of all numbers (permutation.h). A shard is
 * made in blocks of about ORDER_BLOCK bytes: the samples of a block are read in
 * the dataset's order and stored in the random one. For 999,000 lines of 190
 * bytes this takes 3.4 s of CPU time, reading them one by one 7.0 s, and the
 * dataset's order 1.9 s. Scattering samples into files first would write and
 * read all bytes once more.
 *
 * If a source can only be read from front to back, its streams are permuted,
 * and their samples within windows of about ORDER_WINDOW bytes.
 */
#ifndef STRATEGIES_PLAN_STORED_ORDER_H
#define STRATEGIES_PLAN_STORED_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct reader;

enum {
	ORDER_BLOCK = 32 << 20,  /* bytes that a thread reads at a time */
	ORDER_WINDOW = 64 << 20, /* bytes that a thread shuffles at a time */
	ORDER_MEMBER = 192,      /* bytes of bookkeeping a sample in a window */
	ORDER_TEXT = 96,
};

struct stored_order { /* all 0: the dataset's order */
	bool shuffled;
	uint64_t seed;
};

enum order_way {
	ORDER_GIVEN,  /* the dataset's order */
	ORDER_WHOLE,  /* a permutation of all samples */
	ORDER_WINDOWS /* streams are permuted, and samples within windows */
};

/* Each use of an order's seed draws its own permutation. */
enum { ORDER_USE_ALL = 0, ORDER_USE_WINDOWS = 1 };

/*
 * Is the order computed in place of being held in memory (permutation.h)? Such
 * an order is another one.
 */
bool stored_order_is_computed(
    const struct stored_order *order, const struct reader *source);
/* Parses "yes" (the seed is then `seed`), "no", or a seed. */
int stored_order_parse(struct stored_order *order, const char *text,
    uint64_t seed, struct error *err);
enum order_way stored_order_way(
    const struct stored_order *order, const struct reader *source);
/* Writes the order for the manifest: "no", "seed 7, in windows of 64 MiB". */
const char *stored_order_text(const struct stored_order *order,
    const struct reader *source, char text[ORDER_TEXT]);
/* Returns how many samples of the source fill so many bytes; at least 1. */
uint64_t stored_order_samples(const struct reader *source, uint64_t bytes);

#endif
