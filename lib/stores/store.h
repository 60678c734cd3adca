/*
 * store.h - formats that samples are kept in, and folders of such shards.
 *
 * A stored dataset is a folder:
 *	shard-000000.tar      the shards (a folder each for `files`,
 *	                      or its arrays for `npy`)
 *	shard-000000.index    beside each: its samples, bytes, checksum, blocks
 *	shard-000000.idx      for other readers, and
 *	shardindex.json       of all shards; of some stores (sidecar.h)
 *	dataset.json          about it (lib/describe); of materialize
 *	README.md
 *	presto.manifest       schema, store, codec, all shards and files, with
 *	                      their checksums; written last
 * A shard gets its name when it is complete and synced, its index before it;
 * the manifest makes the folder complete.  What is unfinished has no such name
 * (temporary.h).
 * The bytes depend on the samples, the store and the codec only.
 *
 * A store is a `const struct store_ops` in a file of its own, listed in
 * lib/stores/stores.def.
 */
#ifndef LIB_STORES_STORE_H
#define LIB_STORES_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/codecs/codec.h"
#include "lib/sample/reader.h"
#include "lib/sample/sample.h"

struct classes;
struct error;
struct file_sum;
struct manifest;
struct manifest_shard;
struct medium;
struct sink;
struct frame_sums;
struct write_times;
struct shard_index;
struct store_layout;

/*
 * Bytes of records in a block, about: of those that become frames, and of
 * those that are stored as they are.
 */
enum { STORE_FRAME = 1 << 20, STORE_PIECE = 2 << 20 };

static inline size_t store_block(const struct codec *codec)
{
	return codec->ops->encode ? STORE_FRAME : STORE_PIECE;
}

struct store_ops {
	const char *name;
	const char *summary;
	const char *suffix; /* of shards: ".tar"; "" for folders */
	const struct store_layout *layout; /* how shards lie in the folder */

	/* Can it keep samples of this schema?  NULL: always. */
	int (*check)(const struct schema *schema, struct error *err);
	/*
	 * All samples of a shard must have the same shapes: known only from
	 * the data where the schema has dims that are not.
	 */
	bool one_shape;

	/*
	 * Records of one shard, in memory: append adds a sample's record to a
	 * block, end what the format wants behind the last.  Only of shards
	 * that are one file.
	 */
	int (*append)(const struct schema *schema, const struct sample *sample,
	    struct buf *block, struct error *err);
	int (*end)(struct buf *block, struct error *err);
	/*
	 * The index for other readers, shard-000000.idx, of shards that are
	 * not compressed (sidecar.h): the line of a sample, whose record is at
	 * this offset of the shard, and what comes before all lines.  NULL:
	 * none, nothing.
	 */
	int (*idx_line)(struct span record, uint64_t offset, struct buf *lines,
	    struct error *err);
	int (*idx_head)(uint64_t samples, struct buf *text, struct error *err);
	bool is_webdataset; /* and there is a list of all shards as well */
	/* The next record in a chunk, as reader_ops.next; views into it. */
	int (*next)(const struct schema *schema, struct chunk *chunk,
	    struct sample *sample, struct error *err);
};

#define STORE(name) extern const struct store_ops store_##name;
#include "lib/stores/stores.def"
#undef STORE

const struct store_ops *store_find(const char *name);
const struct store_ops *store_at(size_t i); /* NULL behind the last */
/* As store_find, or "unknown store 'tra'; did you mean 'tar'?". */
const struct store_ops *store_parse(const char *name, struct error *err);

/* What a stored dataset is, and where. */
struct store_form {
	const struct store_ops *ops;
	struct codec codec;
	struct schema schema;  /* of what is stored */
	struct schema decoded; /* the same, before the codec's transform */
};

/*
 * Samples of schema `decoded` in this store with this codec.  ERROR_USAGE
 * when the codec has nothing to do with them, or the store does not take them.
 */
int store_form_init(struct store_form *form, const struct store_ops *ops,
    const struct codec *codec, const struct schema *decoded, struct error *err);

/* ---- writing: one writer a shard, used by one thread ---- */

struct shard_writer;

/*
 * Begins shard `number` of a folder, which exists; leftovers of the same
 * shard that have no final name are overwritten.  `form` is borrowed until
 * the writer is freed.
 */
struct shard_writer *shard_writer_new(struct medium *medium, const char *dir,
    const struct store_form *form, unsigned number, struct error *err);
/*
 * How many samples there will be, as far as known: for formats that say it in
 * front.  Another number only costs time.
 */
void shard_writer_expect(struct shard_writer *writer, uint64_t samples);
/*
 * What it stores, of a codec with frames that are shared (frames.h), is summed
 * up meanwhile.  Before the first sample; `sums` is borrowed.
 */
void shard_writer_sum(struct shard_writer *writer, struct frame_sums *sums);
/*
 * Instead of samples: the frames of the shard of the same number of another
 * dataset, which are the same, and sum up to `sums`.  Sets how many samples
 * they hold.
 */
int shard_writer_copy(struct shard_writer *writer, const struct reader *stored,
    const struct frame_sums *sums, uint64_t *samples, struct error *err);
int shard_writer_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
/*
 * All is written and synced; then `made`, unless it is NULL, is what the
 * manifest will say of the shard.
 */
int shard_writer_finish(struct shard_writer *writer,
    struct manifest_shard *made, struct error *err);
/* Finishes it, writes the index, renames.  Sample errors name the sample. */
int shard_writer_commit(struct shard_writer *writer, struct error *err);
/* How long that took so far, see sink.h; lives as long as the writer. */
const struct write_times *shard_writer_times(const struct shard_writer *writer);
/* What was not committed is removed; NULL is fine. */
void shard_writer_free(struct shard_writer *writer);

/*
 * Is shard `number` complete in the folder, as far as its index and sizes tell,
 * and is that the index?  NULL: any.
 */
bool shard_is_complete(const char *dir, const struct store_form *form,
    unsigned number, const struct file_sum *index);
/*
 * ERROR_DATA with the number of shards that are missing, or not what the
 * manifest says, and the first of them; by sizes and indexes.
 */
int store_check_shards(
    const char *dir, const struct manifest *manifest, struct error *err);

/* ---- the manifest ---- */

struct manifest_note {           /* what made it, for people and for resuming */
	const char *strategy;    /* "resized/tar/none" */
	const char *fingerprint; /* of pipeline, dataset and strategy */
	/* As an earlier presto would have computed it; NULL: none. */
	const char *early_fingerprint;
	const char *shuffle; /* "no", or "seed 7"; NULL: not told */
	/*
	 * Writes files about all that the manifest will say, and lists them in
	 * it (manifest_put_file); NULL: none.
	 */
	int (*describe)(void *arg, struct sink *sink, struct manifest *manifest,
	    struct error *err);
	void *arg;
	/* Of a folder that an earlier presto wrote, to be kept; 0: newest. */
	uint64_t version;
};

/*
 * Collects the indexes of `shards` shards, has them described, and writes the
 * manifest, last.
 */
int manifest_write(struct sink *sink, const char *dir,
    const struct store_form *form, unsigned shards,
    const struct manifest_note *note, struct error *err);

/* What the user does about a folder of `materialize` that is damaged. */
#define STORE_MEND "run the presto materialize that wrote the folder again"

/* ---- reading ---- */

/* Is there a manifest in the folder? */
bool store_is_written(const char *dir);

/*
 * Opens a complete stored dataset.  The manifest and every size in the
 * indexes are checked before use; the checksum of each block when it is read
 * for the first time (a flipped bit is ERROR_DATA with the shard's name and
 * the block's offset).  The medium must outlive the reader.
 */
struct reader *store_open(
    struct medium *medium, const char *dir, struct error *err);
/* store and codec of an open store. */
const struct store_form *store_form(const struct reader *reader);

/* Names the classes that the labels of an open store stand for; copies. */
int store_set_classes(
    struct reader *reader, const struct classes *classes, struct error *err);

/* Neighbouring blocks of a shard. */
struct store_run {
	size_t shard;
	size_t first, count; /* blocks */
	uint64_t samples;    /* that are wanted of them */
	uint64_t last;       /* of those: in the last block, its first ones */
	uint64_t bytes;      /* stored */
};

/* Calls `visit` with each block of each shard, in order, as a run of its own.
 */
typedef int store_run_visit(
    void *arg, const struct store_run *block, struct error *err);
int store_each_block(const struct reader *reader, store_run_visit *visit,
    void *arg, struct error *err);
/*
 * Makes these runs the streams of an open store, in place of its shards: it
 * has their samples only.  They are sorted, and none has a block of another.
 * Before the first stream is opened; takes the array over, also on failure.
 */
int store_set_runs(struct reader *reader, struct store_run *runs, size_t count,
    struct error *err);

/*
 * 1 when the folder's manifest is there and has this fingerprint, 0 when there
 * is no manifest, -1 with a message when it is something else: what differs,
 * as far as strategy and number of shards tell.
 */
int manifest_matches(const char *dir, const struct manifest_note *wanted,
    unsigned shards, struct error *err);

#endif
