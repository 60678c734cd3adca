/*
 * codec.h - how stored data is made smaller: compression of blocks of bytes,
 * with or without a transform of the tensors in front (transform.h).
 *
 * A shard is a head, a series of independent frames of about 1 MiB, and a
 * tail, which together are one ordinary stream of the codec's format: any
 * standard tool reads it whole, presto reads its frames in any order.
 *
 * A codec is a `const struct codec_ops` in a file of its own, listed in
 * lib/codecs/codecs.def.  `none` has no ops but its name: callers skip it.
 */
#ifndef LIB_CODECS_CODEC_H
#define LIB_CODECS_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct transform_ops;

struct codec_ops {
	const char *name;
	const char *summary;
	const char *suits;  /* which data, in words */
	const char *suffix; /* of file names: ".gz", "" for none */
	int level_min, level_max, level_default; /* all 0: it has no levels */

	/* One state a thread; both directions.  NULL: none needed. */
	void *(*state_new)(int level, struct error *err);
	void (*state_free)(void *state);

	/* The most bytes that a frame of `len` bytes can take. */
	size_t (*bound)(size_t len);
	/* Appends one frame to `out`. */
	int (*encode)(
	    void *state, struct span in, struct buf *out, struct error *err);
	/*
	 * Appends what the frame holds to `out`: exactly `len` bytes, or it
	 * is ERROR_DATA.
	 */
	int (*decode)(void *state, struct span frame, size_t len,
	    struct buf *out, struct error *err);

	/*
	 * Bytes in front of the first frame and behind the last, where the
	 * format has them outside of frames.  `sum` is the codec's checksum
	 * of all that was encoded, `len` bytes: sum_start, and then sum() of
	 * it with more bytes.  NULL: nothing.
	 */
	int (*head)(int level, struct buf *out, struct error *err);
	int (*tail)(
	    uint32_t sum, uint64_t len, struct buf *out, struct error *err);
	uint32_t (*sum)(uint32_t sum, struct span bytes);
	uint32_t sum_start;
};

#define CODEC(name) extern const struct codec_ops codec_##name;
#include "lib/codecs/codecs.def"
#undef CODEC

const struct codec_ops *codec_find(const char *name);
const struct codec_ops *codec_at(size_t i); /* NULL behind the last */

/* A codec with its level, as "zstd:1", "delta+zstd:1" or "jpeg:90" names it. */
struct codec {
	const struct codec_ops *ops; /* &codec_none behind jpeg and png */
	int level;
	const struct transform_ops *transform; /* in front of it; NULL: none */
	int quality;                           /* the level of the transform */
};

enum { CODEC_LABEL = 32 };

/*
 * "gzip" is gzip at its default level.  Errors: "unknown codec 'gzp'; did you
 * mean 'gzip'?", "zstd takes levels 1 to 19, got 99" (ERROR_USAGE).
 */
int codec_parse(const char *text, struct codec *codec, struct error *err);
/* The stable label, with its level where it has levels: "gzip:6". */
const char *codec_label(const struct codec *codec, char label[CODEC_LABEL]);
/* What it is without its level: "gzip", "delta+zstd". */
const char *codec_name(const struct codec *codec, char name[CODEC_LABEL]);
bool codec_equal(const struct codec *a, const struct codec *b);
bool codec_is_lossy(const struct codec *codec);

#endif
