/*
 * stored.h - an open stored dataset; inside lib/stores only.
 *
 * store_open.c opens it, shard_reader.c reads shards that are files,
 * folder_reader.c folders, arrays_reader.c arrays.  Indexes are read when a
 * stream is opened and kept as long: memory does not grow with the dataset.
 *
 * Several fetchers can read one shard: each takes the block that is next.
 *
 * The first part of each chunk is its block: where it is in the shard, its
 * stored bytes, and as item its checksum.
 *
 * A block's checksum is verified when this reader meets the block for the
 * first time, and not again: in a trial that is the untimed epoch.
 */
#ifndef LIB_STORES_STORED_H
#define LIB_STORES_STORED_H

#include <stdatomic.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/index.h"
#include "lib/sample/classes.h"
#include "lib/sample/reader.h"
#include "lib/stores/manifest.h"

struct medium_file;

struct stored {
	struct reader reader;
	struct medium *medium;
	char *dir;
	struct manifest manifest;
	uint64_t manifest_bytes;
	uint64_t *index_bytes;                /* of each shard */
	_Atomic(struct verified *) *verified; /* of each shard, NULL at first */
	struct store_run *runs; /* its streams; NULL: a stream is a shard */
	bool *is_read; /* [shards], where there are runs: one is of it */
	struct classes classes; /* as store_set_classes said */
};

/* Which blocks of a shard were found to be as they were written. */
struct verified {
	size_t count;
	atomic_bool blocks[];
};

struct shard_stream {
	const struct stored *stored;
	size_t number; /* of the stream */
	size_t shard;
	char *path;
	struct shard_index index;
	atomic_size_t next;       /* block */
	size_t end;               /* behind the last */
	uint64_t last;            /* samples that are wanted of the last */
	struct medium_file *file; /* shards that are files */
	struct buf name;          /* shards that are folders: a path */
};

struct unpacker {
	const struct codec_ops *ops;
	void *codec;       /* its state */
	size_t head, tail; /* bytes of a file that are not its frame */
};

extern const struct reader_ops shard_reader, folder_reader;

/* Reads a shard's index, and checks it against the manifest. */
int stored_read_index(const struct stored *stored, size_t shard,
    struct shard_index *index, uint64_t *bytes, struct error *err);
/* Has the chunk's block been verified before?  And now it has. */
bool stored_is_verified(const struct reader *reader, const struct chunk *chunk);
void stored_set_verified(
    const struct reader *reader, const struct chunk *chunk);
/* "DIR/shard-000001.tar: block at byte 4096: " in front of a message. */
int stored_blame(
    const struct reader *reader, const struct chunk *chunk, struct error *err);

/* The shard that a stream is of. */
size_t stored_shard(const struct stored *stored, size_t stream);
/* A shard's index and its path, to look at; no streams are read from it. */
struct shard_stream *stored_index_open(
    const struct stored *stored, size_t shard, struct error *err);

/* What the readers have in common. */
/* The block to fetch next, in the chunk from now on; NULL at the end. */
const struct index_block *stored_next_block(
    struct shard_stream *stream, struct chunk *chunk);
struct shard_stream *stored_stream_open(
    const struct reader *reader, size_t stream, struct error *err);
void stored_stream_close(void *stream);
/* Sets how many bytes a codec has in front of frames and behind them. */
int stored_measure_ends(
    const struct codec *codec, struct unpacker *unpacker, struct error *err);
void *stored_unpacker_new(const struct reader *reader, struct error *err);
void stored_unpacker_free(void *unpacker);
int stored_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err);
uint64_t stored_stream_samples(const struct reader *reader, size_t stream);
int stored_each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err);
void stored_free(struct reader *reader);

/* Maps or reads bytes of a shard as the chunk's `fetched`. */
int stored_fetch(struct medium_file *file, uint64_t offset, size_t len,
    struct chunk *chunk, struct error *err);
/*
 * Decompresses a frame behind what is unpacked: that is where the part is then.
 * Its item was how long it would be.
 */
int stored_decode_part(const struct unpacker *unpacker, struct span frame,
    struct chunk *chunk, struct chunk_part *part, struct error *err);
/* Room in a recycled buffer, in large steps, so that it soon has enough. */
int stored_reserve(struct buf *buf, size_t bytes, struct error *err);

/* The folder's part of each_file: the files of one shard. */
int folder_each_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err);

#endif
