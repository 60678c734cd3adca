/*
 * reader.h - where samples come from, for the loader: a source's dataset or a
 * store's shards, told apart by nothing.
 *
 * A reader is a number of streams; a stream is a sequence of chunks; a chunk
 * is a run of whole records.  Fetchers (I/O threads) open streams and fetch
 * their chunks, in order; workers (CPU threads) unpack a chunk and take its
 * samples as views into its memory.  Chunks are recycled.
 *
 * Thread rules: a reader is shared and not changed after it was opened; a
 * stream belongs to one fetcher, unless the reader's streams can be shared; a
 * chunk to whoever holds it; an unpacker to one worker.
 */
#ifndef LIB_SAMPLE_READER_H
#define LIB_SAMPLE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/files/mapping.h"
#include "lib/sample/key.h"
#include "lib/sample/sample.h"

struct classes;
struct codec;
struct error;
struct reader;

/* A piece of a chunk: what it means is the reader's business. */
struct chunk_part {
	size_t offset; /* in the chunk's bytes */
	size_t len;
	uint64_t item;
	size_t file; /* of the reader's files, where it has several */
};

struct chunk {
	struct buf stored; /* as fetched, when it is not mapped */
	struct mapping mappings[FIELDS_MAX]; /* of parts of files */
	struct span fetched; /* where there is one mapping: it, or stored */
	/* What unpack makes; where there is none, the reader's to use. */
	struct buf unpacked;
	struct span bytes; /* what next() parses */
	struct chunk_part *parts;
	size_t part_count;
	size_t part_capacity;
	size_t stream;       /* it came from, unless it was picked */
	bool picked;         /* its samples were fetched by number */
	uint64_t number;     /* of its block in the shard; for stores */
	uint64_t samples;    /* in it, as far as known; else 0 */
	uint64_t left;       /* that next() still gives; for stores */
	size_t unpacked_len; /* bytes it will have; for stores with a codec */
	size_t at;           /* cursor of next() */
};

/*
 * The offset of a part that is larger than the reader's sample_most: it is not
 * fetched.  The sample that next() gives has a field of so many bytes at NULL,
 * which the chain refuses by its size.
 */
#define PART_WITHHELD SIZE_MAX

#define CHUNK_INIT              \
	{                       \
		.part_count = 0 \
	}

/* A sample to fetch by its number. */
struct pick {
	uint64_t number; /* of reader->samples, in the order of the streams */
	size_t place;    /* in the chunk: next() gives place 0 first */
};

/* The part's bytes in chunk->stored; at NULL when it was withheld. */
static inline struct span chunk_part_span(
    const struct chunk *chunk, const struct chunk_part *part)
{
	return (struct span){
		.data = part->offset == PART_WITHHELD
		            ? NULL
		            : chunk->stored.data + part->offset,
		.len = part->len,
	};
}

void chunk_release(struct chunk *chunk);
/* Empties it, keeping the memory; what was mapped is no longer. */
void chunk_reset(struct chunk *chunk);
int chunk_add_part(struct chunk *chunk, size_t offset, size_t len,
    uint64_t item, struct error *err);
/* `count` parts that are all 0, in place of those there were. */
int chunk_set_parts(struct chunk *chunk, size_t count, struct error *err);
/* A byte in its memory, for who holds the chunk, to change it in place. */
unsigned char *chunk_writable(struct chunk *chunk, const unsigned char *at);

/* Calls for each file that the reader reads: to size, drop, or look at it. */
typedef int reader_visit(
    void *arg, const char *path, uint64_t bytes, struct error *err);

struct reader_ops {
	/* stream_fetch may be called by several threads at once. */
	bool shared_streams;

	/* Opens stream number `stream` (< reader->streams). */
	void *(*stream_open)(
	    const struct reader *reader, size_t stream, struct error *err);
	/* The next chunk of it: 1, or 0 at the end, or -1.  `chunk` is reset.
	 */
	int (*stream_fetch)(
	    void *stream, struct chunk *chunk, struct error *err);
	void (*stream_close)(void *stream); /* NULL is fine */

	/*
	 * Samples by number, for who stores them in an order of their own
	 * (strategies/plan/stored_order.h).  A reader that offers this is
	 * permuted as a whole; one that does not, since it can be read from
	 * front to back only, in windows of neighbouring samples.
	 *
	 * picker_fetch fills one chunk, which is reset and marked as picked,
	 * with the samples of `picks`.  They are sorted by number, so that what
	 * lies together is read together; unpack() and next() then give them by
	 * place.  Places are 0 to count - 1.  A picker belongs to one thread.
	 */
	void *(*picker_open)(const struct reader *reader, struct error *err);
	int (*picker_fetch)(void *picker, const struct pick *picks,
	    size_t count, struct chunk *chunk, struct error *err);
	void (*picker_close)(void *picker); /* NULL is fine */

	/* A worker's state, such as a decompressor; NULL ops: none needed. */
	void *(*unpacker_new)(const struct reader *reader, struct error *err);
	void (*unpacker_free)(void *unpacker);
	/*
	 * Looks whether what was fetched is what was stored: what unpack does
	 * besides, when it meets the chunk for the first time.  NULL: nothing.
	 */
	int (*check)(const struct reader *reader, const struct chunk *chunk,
	    struct error *err);
	/* Sets chunk->bytes; NULL: they are chunk->stored. */
	int (*unpack)(const struct reader *reader, void *unpacker,
	    struct chunk *chunk, struct error *err);

	/*
	 * The next sample of the chunk: 1, 0 at its end, -1 when the chunk
	 * cannot be parsed further.  Key and fields are views into the chunk,
	 * or into memory of the reader; elements may lie unaligned.  The
	 * message names file or sample.  Views stay good until the chunk is
	 * reset or released.
	 */
	int (*next)(const struct reader *reader, struct chunk *chunk,
	    struct sample *sample, struct error *err);

	/*
	 * Where the sample that next() gave last comes from, for messages:
	 * "DIR/a.jpg", "shard-000003.tar: a".  NULL: its key is told.
	 */
	void (*locate)(const struct reader *reader, const struct chunk *chunk,
	    char *text, size_t size);

	/* Samples of one stream, known without reading it. */
	uint64_t (*stream_samples)(const struct reader *reader, size_t stream);
	/* A file that must be read to know others comes after them. */
	int (*each_file)(const struct reader *reader, reader_visit *visit,
	    void *arg, struct error *err);
	void (*free)(struct reader *reader);
};

/* each_file of readers that read none. */
int reader_no_files(const struct reader *reader, reader_visit *visit, void *arg,
    struct error *err);

struct reader {
	const struct reader_ops *ops;
	void *priv;
	struct schema schema; /* of the samples that it gives */
	/* They are as this codec transformed them; NULL: as they were. */
	const struct codec *decode;
	/* The names of the labels; of the reader; NULL or empty: none known. */
	const struct classes *classes;
	/* What the user should know of the dataset: lines; or empty. */
	struct buf notes;
	/* Of labels from a file beside the samples; 0: there is none. */
	uint64_t labels_hash;
	/* Of the samples before that codec; NULL: there is none. */
	const struct schema *decoded;
	size_t streams;
	uint64_t samples;       /* that it will give */
	uint64_t total_samples; /* of the whole dataset, selected or not */
	uint64_t bytes;         /* of all files of the selected samples */
	uint64_t total_bytes;   /* of the whole dataset; 0: not known */
	/* Files of a sample, as each_file has them in order; 0: several samples
	 * are in a file. */
	unsigned files_each;
	bool in_order_only; /* there is no picker, whatever the ops say */
	/* Memory of a sample fetched by number; 0: about bytes / samples. */
	uint64_t picked_bytes;
	/* `bytes` are those of the encoded fields, and nothing besides. */
	bool bytes_are_fields;
	/* The name of a codec whose work unpack() is; "" when there is none. */
	char codec[32];
	/*
	 * Bytes of a field at most (0: any); see PART_WITHHELD.  Set by who
	 * opened it.
	 */
	uint64_t sample_most;
};

/* Is a part of so many bytes not to be fetched? */
static inline bool reader_withholds(const struct reader *reader, uint64_t bytes)
{
	return reader->sample_most && bytes > reader->sample_most;
}

/* Can samples be fetched by number? */
static inline bool reader_can_pick(const struct reader *reader)
{
	return reader->ops->picker_open && !reader->in_order_only;
}

void reader_free(struct reader *reader); /* NULL is fine */

/* What the samples are once `decode` was undone: the steps take these. */
static inline const struct schema *reader_decoded(const struct reader *reader)
{
	return reader->decoded ? reader->decoded : &reader->schema;
}

/* For who makes a reader: one with a `priv` of so many bytes, all 0. */
struct reader *reader_new(
    const struct reader_ops *ops, size_t priv_size, struct error *err);
/* What reader_new took: how an ops->free ends. */
void reader_dispose(struct reader *reader);

/* Adds to what the user should know of the dataset. */
int reader_add_note(struct reader *reader, const char *text, struct error *err);

/* A worker's unpacker: 0 and *unpacker, which is NULL where none is needed. */
int reader_unpacker_new(
    const struct reader *reader, void **unpacker, struct error *err);
void reader_unpacker_free(
    const struct reader *reader, void *unpacker); /* NULL is fine */
/* Makes what was fetched ready for next(): chunk->bytes is set. */
int reader_unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err);

/* Where the sample that next() gave last comes from: by locate or its key. */
void reader_where(const struct reader *reader, const struct chunk *chunk,
    const struct sample *sample, char where[KEY_TEXT]);
/*
 * "sample WHERE: " in front of a message about the sample that next() gave
 * last; returns -1.
 */
int reader_blame(const struct reader *reader, const struct chunk *chunk,
    const struct sample *sample, struct error *err);

#endif
