/*
 * codec.h - codecs make stored data smaller: they compress blocks of bytes, and
 * may first transform the tensors (transform.h).
 *
 * A shard is a head, a series of independent frames of about 1 MiB, and a tail.
 * Together these are one ordinary stream of the codec's format: any standard
 * tool reads it whole, and presto reads its frames in any order.
 *
 * A codec is a `const struct codec_ops` in a file of its own, listed in
 * lib/codecs/codecs.def. `none` has no functions: callers skip it.
 */
#ifndef LIB_CODECS_CODEC_H
#define LIB_CODECS_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct transform_ops;

/* A level that `codec = auto` tries, on these kinds of data (data_kind.h). */
struct codec_trial {
	int level;
	unsigned kinds;
};

enum { CODEC_TRIALS = 4 };

struct codec_ops {
	const char *name;
	const char *summary;
	const char *suits;  /* the data that it suits, in words */
	const char *suffix; /* suffix of file names: ".gz"; "" for none */
	const char *unpack; /* writes a file unpacked: "gzip -dc"; NULL: none */
	/* TFRecordDataset's compression_type; NULL: it cannot unpack this. */
	const char *tensorflow;
	bool python_tar; /* Python's tarfile, and so webdataset, unpacks this */
	int level_min, level_max, level_default; /* all 0: no levels */
	struct codec_trial trials[CODEC_TRIALS]; /* end with kinds 0 */

	/* State of one thread, for both directions. NULL: none needed. */
	void *(*state_new)(int level, struct error *err);
	void (*state_free)(void *state);

	/* The largest size in bytes of a frame that holds `len` bytes. */
	size_t (*bound)(size_t len);
	/* Appends one frame to `out`. */
	int (*encode)(
	    void *state, struct span in, struct buf *out, struct error *err);
	/* Appends a frame's content; ERROR_DATA unless it is `len` bytes. */
	int (*decode)(void *state, struct span frame, size_t len,
	    struct buf *out, struct error *err);

	/*
	 * head and tail append the bytes in front of the first frame and behind
	 * the last one, where the format has them. sum() is the format's
	 * checksum: it starts as sum_start and takes all `len` bytes that were
	 * encoded, in any number of calls. NULL: the format has none.
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

/* A codec with its level: "zstd:1", "delta+zstd:1" or "jpeg:90". */
struct codec {
	const struct codec_ops *ops; /* &codec_none for jpeg and png */
	int level;
	const struct transform_ops *transform; /* before ops, or NULL */
	int quality;                           /* level of the transform */
};

enum { CODEC_LABEL = 32 };

/*
 * Parses a label. "gzip" is gzip at its default level. Errors: "unknown codec
 * 'gzp'; did you mean 'gzip'?", "zstd takes levels 1 to 19, got 99"
 * (ERROR_USAGE).
 */
int codec_parse(const char *text, struct codec *codec, struct error *err);
/* Writes the label, with the level where the codec has levels: "gzip:6". */
const char *codec_label(const struct codec *codec, char label[CODEC_LABEL]);
/* Writes the name without the level: "gzip", "delta+zstd". */
const char *codec_name(const struct codec *codec, char name[CODEC_LABEL]);
bool codec_equal(const struct codec *a, const struct codec *b);
/*
 * Do both compress to the same frames, as gzip and zlib do at one level, and
 * decompress them by the same code?
 */
bool codec_shares_frames(const struct codec *a, const struct codec *b);
bool codec_is_lossy(const struct codec *codec);

#endif
