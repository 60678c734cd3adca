/*
 * stored.h - an open stored dataset; inside lib/stores only.
 *
 * store_open.c opens it; shard_reader.c reads shards that are files,
 * folder_reader.c folders, arrays_reader.c arrays.  An index is read when a
 * stream is opened and freed when it is closed: memory stays bounded.
 *
 * Several fetchers can read one shard: each takes the next block. The first
 * part of each chunk is its block: the offset in the shard, the stored bytes,
 * and the checksum as item.
 *
 * A block's checksum is verified once, when this reader first reads the block.
 * In a trial that is the untimed epoch.
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
	uint64_t version; /* the dataset's; 0: the newest */
	uint64_t manifest_bytes;
	uint64_t *index_bytes;                /* [shards] */
	_Atomic(struct verified *) *verified; /* [shards], NULL at first */
	struct store_run *runs; /* its streams; NULL: a stream is a shard */
	bool *is_read; /* [shards]; with runs: one of them is in the shard */
	struct classes classes; /* set by store_set_classes */
};

/* Which blocks of a shard have been verified. */
struct verified {
	size_t count;
	atomic_bool blocks[];
};

struct shard_stream {
	const struct stored *stored;
	size_t number; /* number of the stream */
	size_t shard;
	char *path;
	struct shard_index index;
	atomic_size_t next;       /* number of the next block */
	size_t end;               /* number behind the last block */
	uint64_t last;            /* wanted samples of the last block */
	struct medium_file *file; /* shards that are files */
	struct buf name;          /* shards that are folders: a path */
};

struct unpacker {
	const struct codec_ops *ops;
	void *codec;       /* state of the codec */
	size_t head, tail; /* bytes of a file outside its frame */
};

extern const struct reader_ops shard_reader, folder_reader;

/* Reads a shard's index, and checks it against the manifest. */
int stored_read_index(const struct stored *stored, size_t shard,
    struct shard_index *index, uint64_t *bytes, struct error *err);
/* Has the chunk's block been verified? The second function says that it has. */
bool stored_is_verified(const struct reader *reader, const struct chunk *chunk);
void stored_set_verified(
    const struct reader *reader, const struct chunk *chunk);
/* Prefixes an error with "DIR/shard-000001.tar: block at byte 4096: ". */
int stored_blame(
    const struct reader *reader, const struct chunk *chunk, struct error *err);

/* Is the sample at chunk->place left out?  Goes on to the next place. */
bool stored_pass(const struct stored *stored, struct chunk *chunk);

/*
 * The same, asked for each sample: only an updated dataset leaves samples out
 * (left_samples.h).
 */
static inline bool stored_leaves_out(
    const struct reader *reader, struct chunk *chunk)
{
	const struct stored *stored = reader->priv;

	return stored->manifest.left_out.count && stored_pass(stored, chunk);
}

/* Counts the samples of a block of a shard that readers get. */
uint64_t stored_block_samples(const struct stored *stored, size_t shard,
    const struct shard_index *index, size_t block);

/* Returns the shard of a stream. */
size_t stored_shard(const struct stored *stored, size_t stream);
/* Opens a shard's index and path for inspection, not for reading. */
struct shard_stream *stored_index_open(
    const struct stored *stored, size_t shard, struct error *err);

/* Functions that the readers share. */
/* Takes the number of the next block of the stream; false at the end. */
bool stored_take_block(struct shard_stream *stream, uint64_t *number);
/* Puts a block into the chunk; NULL: there is none with this number. */
const struct index_block *stored_block(struct shard_stream *stream,
    uint64_t number, struct chunk *chunk, struct error *err);
int stored_each_chunk(const struct reader *reader, reader_visit_chunk *visit,
    void *arg, struct error *err);
struct shard_stream *stored_stream_open(
    const struct reader *reader, size_t stream, struct error *err);
void stored_stream_close(void *stream);
/* Sets how many bytes the codec puts before and after its frames. */
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

/* Maps, notes or reads bytes of a shard into the chunk's `fetched`. */
int stored_fetch(struct medium_file *file, uint64_t offset, size_t len,
    struct chunk *chunk, struct error *err);
/*
 * Decompresses a frame to the end of chunk->unpacked, and points the part
 * there. The part's item is the expected length.
 */
int stored_decode_part(const struct unpacker *unpacker, struct span frame,
    struct chunk *chunk, struct chunk_part *part, struct error *err);
/* Makes room in a recycled buffer, in large steps: it soon stops growing. */
int stored_reserve(struct buf *buf, size_t bytes, struct error *err);

/* each_file of shards that are folders. */
int folder_each_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err);

#endif
