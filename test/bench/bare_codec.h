/*
 * bare_codec.h - the compression libraries called directly, as a program would
 * that needs nothing of a shard: the limits of the codecs.
 *
 * The settings are those of the codecs, contexts are made once.
 */
#ifndef TEST_BENCH_BARE_CODEC_H
#define TEST_BENCH_BARE_CODEC_H

#include "lib/base/bytes.h"

struct bare_codec {
	const char *codec;   /* whose limit it is */
	const char *library; /* where there is more than one; else NULL */
	/* Both directions; ends the program when there is no memory. */
	void *(*state_new)(int level);
	void (*state_free)(void *state);
	/* Bytes written to `out`, which has room; 0: it failed. */
	size_t (*encode)(void *state, struct span in, struct buf *out);
	/* `frame` is whole for the library: it has its end. */
	size_t (*decode)(void *state, struct span frame, struct buf *out);
	/* What is put behind a frame of the codec to make it whole. */
	struct span end;
};

/* The table: NULL behind the last. */
const struct bare_codec *bare_codec_at(size_t i);

#endif
