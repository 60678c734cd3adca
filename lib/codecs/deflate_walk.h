/*
 * deflate_walk.h - where the last block of a deflate stream begins and ends,
 * found by going from code to code; nothing is inflated.
 *
 * Runs of literals are skipped several at a time, which is why it takes a
 * fraction of what inflating does.
 */
#ifndef LIB_CODECS_DEFLATE_WALK_H
#define LIB_CODECS_DEFLATE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

enum {
	WALK_BITS = 11, /* of codes that are looked up */
	WALK_DISTANCE_BITS = 9,
	WALK_CODE_MOST = 15, /* bits of a code */
	WALK_SYMBOLS = 288,
	WALK_DISTANCES = 32,
};

/* A prefix code: what the next bits are. */
struct walk_code {
	uint16_t counts[WALK_CODE_MOST + 1]; /* codes of each length */
	uint16_t symbols[WALK_SYMBOLS];      /* by code */
};

/* Memory of a walk; nothing in it lasts. */
struct deflate_walk {
	struct walk_code codes, distances;
	uint32_t steps[1 << WALK_BITS];
	uint16_t singles[1 << WALK_BITS];
	uint8_t distance_bits[1 << WALK_DISTANCE_BITS];
};

struct walked {
	uint64_t last; /* bit at which the last block begins: its BFINAL */
	uint64_t end;  /* bit behind it */
	uint64_t raw;  /* bytes that the stream holds */
};

/* 0, or -1 when the bytes are not a deflate stream that ends in them. */
int deflate_walk(
    struct deflate_walk *walk, struct span stream, struct walked *walked);

/*
 * The same of a stream that is known to hold `raw`: the last block is looked
 * for from the end on, which is much less to go over.  What looks like one is
 * only taken for it when it gives the last bytes of `raw`.
 */
int deflate_find_last(struct deflate_walk *walk, struct span stream,
    struct span raw, struct walked *walked);

#endif
