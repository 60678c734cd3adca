/*
 * store.h - stores are formats of shards; a stored dataset is a folder of them.
 *
 *   shard-000000.tar      the shards (a folder each for `files`,
 *                         arrays for `npy`)
 *   shard-000000.index    beside each: its samples, bytes, checksum, blocks
 *   shard-000000.idx      for other readers, with some stores (sidecar.h)
 *   shardindex.json       the same, for all shards
 *   dataset.json          description, by materialize (lib/folder)
 *   README.md
 *   presto.manifest       schema, store, codec, all shards and files with
 *                         their checksums; written last
 *
 * A shard gets its name when it is complete and synced, after its index. The
 * manifest makes the folder complete. Unfinished files have other names
 * (temporary.h). The bytes depend only on the samples, the store and the codec.
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
struct store_form;
struct store_packing;
struct store_layout;

/*
 * Approximate bytes of records in a block: compressed ones are frames, others
 * are stored as they are.
 */
enum { STORE_FRAME = 1 << 20, STORE_BLOCK = 2 << 20 };

static inline size_t store_block(const struct codec *codec)
{
	return codec->ops->encode ? STORE_FRAME : STORE_BLOCK;
}

struct store_ops {
	const char *name;
	const char *summary;
	const char *suffix; /* suffix of shards: ".tar"; "" for folders */
	const struct store_layout *layout; /* how shards lie in the folder */

	/* Refuses schemas that it cannot keep. NULL: it keeps all. */
	int (*check)(const struct schema *schema, struct error *err);
	/*
	 * All samples of a shard must have the same shapes. If the schema
	 * leaves dims open, only the data can tell.
	 */
	bool one_shape;
	/* Can shards have this compression? NULL: any; else these, in words. */
	bool (*takes)(const struct codec_ops *codec);
	const char *compressions;

	/*
	 * Records of shards that are one file: append adds a sample's record to
	 * a block, end adds the end of the format after the last one.
	 */
	int (*append)(const struct schema *schema, const struct sample *sample,
	    struct buf *block, struct error *err);
	int (*end)(struct buf *block, struct error *err);
	/*
	 * Formats with a table of their samples in front: appends it. `lengths`
	 * has the bytes of each record. NULL: only the length of the table
	 * matters, which depends on the number of samples alone.
	 */
	int (*front)(const struct store_form *form, const uint32_t *lengths,
	    uint64_t samples, struct buf *out, struct error *err);
	/*
	 * Formats with a form of their own for blocks: pack makes it of the
	 * records, unpack undoes its compression, and foot appends the end of
	 * the file. The file begins with `magic`. The codec makes parts of
	 * blocks, and no stream. NULL: a block is its records, compressed as a
	 * whole.
	 */
	const char *magic;
	int (*pack)(struct store_packing *packing, struct error *err);
	int (*unpack)(const struct store_form *form, void *codec,
	    struct span stored, struct buf *out, struct error *err);
	int (*foot)(const struct store_form *form,
	    const struct shard_index *index, struct span notes, struct buf *out,
	    struct error *err);
	/*
	 * The index for other readers (sidecar.h), shard-000000.idx, of
	 * uncompressed shards: the line of a sample whose record is at `offset`
	 * of the shard, and the head before all lines. NULL: none.
	 */
	int (*idx_line)(struct span record, uint64_t offset, struct buf *lines,
	    struct error *err);
	int (*idx_head)(uint64_t samples, struct buf *text, struct error *err);
	/* The list of all shards, for other readers; NULL: none. */
	const struct store_list *list;
	/* The next record of a chunk; like reader_ops.next. */
	int (*next)(const struct schema *schema, struct chunk *chunk,
	    struct sample *sample, struct error *err);
};

/* A block that is packed (store_ops.pack). */
struct store_packing {
	const struct store_form *form;
	void *codec; /* its state */
	struct span records;
	uint64_t samples;
	struct buf *out;
	struct buf *notes; /* gets what foot must know of the block */
	uint64_t unpacked; /* set: what unpack makes of it */
};

/* A shard in the list of all shards. */
struct store_listed {
	const char *file; /* its name */
	unsigned number;
	uint64_t samples, stored;
	uint64_t unpacked; /* bytes of its records, if it is compressed */
};

/*
 * The list of all shards in a file beside them. Shards without compression have
 * it; with a compression, formats that say so (`is_packed`).
 */
struct store_list {
	const char *name;
	bool is_packed;
	/* Append what is before the shards, a shard, and what is behind. */
	int (*begin)(struct buf *text, struct error *err);
	int (*add)(const struct store_form *form,
	    const struct store_listed *shard, struct buf *text,
	    struct error *err);
	int (*end)(struct buf *text, struct error *err);
};

#define STORE(name) extern const struct store_ops store_##name;
#include "lib/stores/stores.def"
#undef STORE

const struct store_ops *store_find(const char *name);
const struct store_ops *store_at(size_t i); /* NULL behind the last */
/* Finds a store, or says "unknown store 'tra'; did you mean 'tar'?". */
const struct store_ops *store_parse(const char *name, struct error *err);

/* The form of a stored dataset. */
struct store_form {
	const struct store_ops *ops;
	struct codec codec;
	struct schema schema;  /* types as they are stored */
	struct schema decoded; /* types before the codec's transform */
};

/*
 * Sets the form of samples of schema `decoded`. ERROR_USAGE when the codec
 * takes none of the fields, or the store refuses them.
 */
int store_form_init(struct store_form *form, const struct store_ops *ops,
    const struct codec *codec, const struct schema *decoded, struct error *err);

/* ---- writing: one writer for each shard, used by one thread ---- */

struct shard_writer;

/*
 * Begins shard `number` in an existing folder. Leftovers of the same shard
 * without a final name are overwritten. `form` is borrowed by the writer.
 */
struct shard_writer *shard_writer_new(struct medium *medium, const char *dir,
    const struct store_form *form, unsigned number, struct error *err);
/*
 * Tells the expected number of samples, for formats that write it first. A
 * wrong number only costs time.
 */
void shard_writer_expect(struct shard_writer *writer, uint64_t samples);
/*
 * Sums up the content of this shard for codecs with shared frames (frames.h).
 * Call it before the first sample; `sums` is borrowed.
 */
void shard_writer_sum(struct shard_writer *writer, struct frame_sums *sums);
/*
 * Copies frames instead of adding samples: those of the shard with the same
 * number in another dataset, whose content has these sums. Sets *samples.
 */
int shard_writer_copy(struct shard_writer *writer, const struct reader *stored,
    const struct frame_sums *sums, uint64_t *samples, struct error *err);
int shard_writer_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
/* Writes and syncs everything; sets *made (or NULL) for the manifest. */
int shard_writer_finish(struct shard_writer *writer,
    struct manifest_shard *made, struct error *err);
/* Finishes the shard, writes its index and renames. Errors name the sample. */
int shard_writer_commit(struct shard_writer *writer, struct error *err);
/* Times so far (sink.h); valid as long as the writer. */
const struct write_times *shard_writer_times(const struct shard_writer *writer);
/* Removes the shard unless it was committed; NULL is fine. */
void shard_writer_free(struct shard_writer *writer);

/* A shard of the folder `dir`. */
struct shard_place {
	struct medium *medium;
	const char *dir;
	const struct store_form *form;
	unsigned number;
};

/* Is a shard complete, by its index and sizes? `index`: expected, or NULL. */
bool shard_is_complete(
    const struct shard_place *place, const struct file_sum *index);
/*
 * Compares shards with the manifest by sizes and indexes. ERROR_DATA with the
 * number of missing or different shards, and the first of them.
 */
int store_check_shards(struct medium *medium, const char *dir,
    const struct manifest *manifest, struct error *err);

/* ---- the manifest ---- */

struct manifest_note {           /* for people and for resuming */
	const char *strategy;    /* "resized/tar/none" */
	const char *fingerprint; /* hash of pipeline, dataset and strategy */
	/* The fingerprint that an earlier presto computed; NULL: none. */
	const char *early_fingerprint;
	const char *shuffle; /* "no", or "seed 7"; NULL: not known */
	/*
	 * Writes files that describe the finished manifest, and lists them in
	 * it (manifest_put_file). NULL: none.
	 */
	int (*describe)(void *arg, struct sink *sink, struct manifest *manifest,
	    struct error *err);
	void *arg;
	/* Version of an existing folder that is kept; 0: the newest. */
	uint64_t version;
};

/* Collects all indexes, calls describe, and writes the manifest last. */
int manifest_write(struct sink *sink, const char *dir,
    const struct store_form *form, unsigned shards,
    const struct manifest_note *note, struct error *err);

/* Advice to the user about a damaged folder of `materialize`. */
#define STORE_MEND "run the presto materialize that wrote the folder again"

/* ---- reading ---- */

/* Does the folder have a manifest?  1, 0, or -1: it cannot be known. */
int store_is_written(struct medium *medium, const char *dir, struct error *err);

/*
 * Opens a complete stored dataset. The manifest and all sizes in the indexes
 * are checked before use. The checksum of each block is verified when it is
 * first read; a flipped bit is ERROR_DATA with the shard and the block's
 * offset. The medium must outlive the reader.
 */
struct reader *store_open(
    struct medium *medium, const char *dir, struct error *err);
/*
 * Opens some shards of a folder that has no manifest yet: those that `which`,
 * [shards], marks. Their indexes are the truth.
 */
struct reader *store_open_shards(struct medium *medium, const char *dir,
    const struct store_form *form, const bool *which, unsigned shards,
    struct error *err);
/*
 * Opens a version of a dataset that was updated; 0: the newest. Samples that
 * this version leaves out are passed by (left_samples.h).
 */
struct reader *store_open_version(struct medium *medium, const char *dir,
    uint64_t version, struct error *err);
/* Opens what this manifest lists; takes it over, also on failure. */
struct reader *store_open_listed(struct medium *medium, const char *dir,
    struct manifest *manifest, struct error *err);
/*
 * With more shards than this, the index of each is read when the shard is first
 * opened, not when the dataset is.
 */
enum { STORE_MANY = 4096 };
/* Returns the version of an open dataset, from 1 (history.h). */
uint64_t store_version(const struct reader *reader);
/* Returns store and codec of an open dataset. */
const struct store_form *store_form(const struct reader *reader);

/* Sets the names of the classes that labels stand for; copies them. */
int store_set_classes(
    struct reader *reader, const struct classes *classes, struct error *err);

/* Consecutive blocks of a shard. */
struct store_run {
	size_t shard;
	size_t first, count; /* numbers of blocks */
	uint64_t samples;    /* wanted samples in them */
	uint64_t last;  /* wanted samples of the last block: its first ones */
	uint64_t bytes; /* stored bytes */
};

/*
 * Called with each block of each shard, in order, as a run of one block; of
 * more than STORE_MANY shards, with those of so many, evenly spaced.
 */
typedef int store_run_visit(
    void *arg, const struct store_run *block, struct error *err);
int store_each_block(const struct reader *reader, store_run_visit *visit,
    void *arg, struct error *err);
/*
 * Makes these runs the streams of an open dataset, in place of its shards, so
 * that it has only their samples. The runs are sorted and disjoint. Call it
 * before the first stream is opened. It takes the array over, also on failure.
 */
int store_set_runs(struct reader *reader, struct store_run *runs, size_t count,
    struct error *err);

/*
 * Returns 1 when the folder's manifest has the wanted fingerprint, 0 when there
 * is no manifest, -1 with a message when it is another dataset: the message
 * says how strategy or number of shards differ.
 */
int manifest_matches(struct medium *medium, const char *dir,
    const struct manifest_note *wanted, unsigned shards, struct error *err);

#endif
