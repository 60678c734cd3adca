/*
 * reader.h - reads samples for the loader, from the dataset of a source or from
 * the shards of a store alike.
 *
 * A reader has a number of streams; a stream is a sequence of chunks; a chunk
 * is a run of whole records.  Fetchers (I/O threads) open streams and fetch
 * their chunks in order.  Workers (CPU threads) unpack a chunk and take its
 * samples as views into its memory.  Chunks are recycled.
 *
 * Threads: a reader is shared and constant after opening.  A stream belongs to
 * one fetcher, unless the reader has shared_streams.  A chunk belongs to the
 * thread that holds it, an unpacker to one worker.
 */
#ifndef LIB_SAMPLE_READER_H
#define LIB_SAMPLE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/files/late_read.h"
#include "lib/files/mapping.h"
#include "lib/sample/alike.h"
#include "lib/sample/key.h"
#include "lib/sample/sample.h"

struct classes;
struct codec;
struct error;
struct reader;

/* A part of a chunk; its meaning depends on the reader. */
struct chunk_part {
	size_t offset; /* offset in the chunk's bytes */
	size_t len;
	uint64_t item;
	size_t file; /* index of its file, if the reader has several */
};

struct chunk {
	struct buf stored; /* fetched bytes, if they are not mapped */
	struct mapping mappings[FIELDS_MAX]; /* mapped parts of files */
	/*
	 * Its holder lets unpack() read what is cached, which is noted here and
	 * not in `fetched`.  Set before stream_fetch.
	 */
	bool reads_late;
	struct late_read late[FIELDS_MAX];
	/*
	 * Its holder does no more with the fields than to copy them, and calls
	 * reader_judge before it hands them on.  So stream_fetch may map files
	 * that others might write to: code that parses fields is not made for
	 * bytes that change meanwhile.  Set before stream_fetch.
	 */
	bool is_judged;
	/*
	 * Its holder gives out views of mapped samples, and wants neighbours of
	 * so many bytes in one mapping; 0: it does not.
	 */
	size_t view_window;
	struct span fetched; /* the only mapping if there is one, or `stored` */
	/* The result of unpack; without unpack free for use by the reader. */
	struct buf unpacked;
	struct span bytes; /* input of next() */
	struct chunk_part *parts;
	size_t part_count;
	size_t part_capacity;
	size_t stream;    /* index of its stream, if not picked */
	bool picked;      /* its samples were fetched by number */
	uint64_t number;  /* number of its block in the shard; for stores */
	uint64_t samples; /* number of its samples, if known; else 0 */
	uint64_t left;    /* samples left for next(); for stores */
	uint64_t place;   /* in its shard, of what next() parses; for stores */
	size_t unpacked_len; /* size after unpacking; for stores with a codec */
	size_t at;           /* position of next() */
	struct alike alike;  /* a sample that next() parsed */
};

/*
 * Offset of a part that exceeds the reader's sample_most and is not fetched.
 * next() returns its field with its size and NULL as data, and the chain
 * refuses it because of the size.
 */
#define PART_WITHHELD SIZE_MAX

/* How far next() is in a chunk, for messages about its last sample. */
struct chunk_mark {
	size_t at;
	uint64_t left, item;
};

#define CHUNK_INIT              \
	{                       \
		.part_count = 0 \
	}

/* A sample to fetch by its number. */
struct pick {
	uint64_t number; /* index among reader->samples, stream by stream */
	size_t place;    /* order in the chunk: next() returns place 0 first */
};

/* Returns the bytes of a part; the pointer is NULL if it was withheld. */
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
/* Empties the chunk, keeps its memory, and releases its mappings. */
void chunk_reset(struct chunk *chunk);
int chunk_add_part(struct chunk *chunk, size_t offset, size_t len,
    uint64_t item, struct error *err);
/* Replaces the parts by `count` zeroed parts. */
int chunk_set_parts(struct chunk *chunk, size_t count, struct error *err);
/*
 * Returns `rc` if all files that are mapped for it are whole; else -1, and
 * `err` names one (mapping_check).
 */
int chunk_check(const struct chunk *chunk, int rc, struct error *err);
/* Returns a byte of the chunk's memory for its holder to change in place. */
unsigned char *chunk_writable(struct chunk *chunk, const unsigned char *at);

struct chunk_mark chunk_get_mark(const struct chunk *chunk);
void chunk_set_mark(struct chunk *chunk, struct chunk_mark mark);

/* Visits each chunk of the reader: its number in the stream, its samples. */
typedef int reader_visit_chunk(void *arg, size_t stream, uint64_t number,
    uint64_t samples, struct error *err);

/* Visits each file of the reader, for its size or to act on it. */
typedef int reader_visit(
    void *arg, const char *path, uint64_t bytes, struct error *err);

struct reader_ops {
	/* Several threads may call stream_fetch and chunk_fetch at once. */
	bool shared_streams;

	/* Opens stream number `stream` (< reader->streams). */
	void *(*stream_open)(
	    const struct reader *reader, size_t stream, struct error *err);
	/* Fetches the next chunk: 1, 0 at the end, -1.  `chunk` is reset. */
	int (*stream_fetch)(
	    void *stream, struct chunk *chunk, struct error *err);
	void (*stream_close)(void *stream); /* NULL is fine */

	/*
	 * For readers that know their chunks before they are fetched; NULL:
	 * they do not.  each_chunk visits all, in order; it may name any stream
	 * of the same file.  chunk_fetch fetches one of them, like
	 * stream_fetch, in any order.  The chunk may have more samples than
	 * each_chunk said: the first ones count.
	 */
	int (*each_chunk)(const struct reader *reader,
	    reader_visit_chunk *visit, void *arg, struct error *err);
	int (*chunk_fetch)(void *stream, uint64_t number, struct chunk *chunk,
	    struct error *err);

	/*
	 * Fetches samples by number, for an order chosen by the caller
	 * (strategies/plan/stored_order.h).  With a picker the whole reader can
	 * be permuted.  A reader that can only be read from front to back has
	 * none; there, only windows of neighbouring samples are permuted.
	 *
	 * picker_fetch fills one chunk, reset and marked as picked, with the
	 * samples of `picks`.  They are sorted by number, so that neighbours
	 * are read together. unpack() and next() then return them by place, 0
	 * to count - 1.  A picker belongs to one thread.
	 */
	void *(*picker_open)(const struct reader *reader, struct error *err);
	int (*picker_fetch)(void *picker, const struct pick *picks,
	    size_t count, struct chunk *chunk, struct error *err);
	void (*picker_close)(void *picker); /* NULL is fine */

	/* A worker's state, such as a decompressor; NULL: none needed. */
	void *(*unpacker_new)(const struct reader *reader, struct error *err);
	void (*unpacker_free)(void *unpacker);
	/*
	 * Checks that the fetched bytes are those stored, as unpack does when
	 * it sees the chunk for the first time.  NULL: nothing to check.
	 */
	int (*check)(const struct reader *reader, const struct chunk *chunk,
	    struct error *err);
	/* Sets chunk->bytes; NULL: they are chunk->stored. */
	int (*unpack)(const struct reader *reader, void *unpacker,
	    struct chunk *chunk, struct error *err);

	/*
	 * Returns the next sample of the chunk: 1, 0 at its end, -1 when the
	 * chunk cannot be parsed further.  Key and fields are views into the
	 * chunk or into memory of the reader, valid until the chunk is reset or
	 * released.  Elements may be unaligned.  Errors name the sample.
	 */
	int (*next)(const struct reader *reader, struct chunk *chunk,
	    struct sample *sample, struct error *err);

	/*
	 * Fails if what was mapped for chunks may have changed (is_judged);
	 * several threads may ask.  NULL: it maps nothing that others write to.
	 */
	int (*judge)(const struct reader *reader, struct error *err);

	/*
	 * Writes the location of the last sample of next() for messages:
	 * "DIR/a.jpg", "shard-000003.tar: a".  NULL: messages give its key.
	 */
	void (*locate)(const struct reader *reader, const struct chunk *chunk,
	    char *text, size_t size);

	/* Returns the number of samples in a stream without reading it. */
	uint64_t (*stream_samples)(const struct reader *reader, size_t stream);
	/* A file needed to find others comes after them. */
	int (*each_file)(const struct reader *reader, reader_visit *visit,
	    void *arg, struct error *err);
	void (*free)(struct reader *reader);
};

/* An each_file for readers without files. */
int reader_no_files(const struct reader *reader, reader_visit *visit, void *arg,
    struct error *err);

struct reader {
	const struct reader_ops *ops;
	void *priv;
	struct schema schema; /* the schema of its samples */
	/* Samples are transformed by this codec; NULL: they are not. */
	const struct codec *decode;
	/* Names of the labels, owned by the reader; NULL or empty: unknown. */
	const struct classes *classes;
	/* Notes to the user about the dataset, in lines; may be empty. */
	struct buf notes;
	/* Hash of labels from a separate file; 0: there is none. */
	uint64_t labels_hash;
	/* The schema before that codec; NULL: no codec. */
	const struct schema *decoded;
	size_t streams;
	uint64_t samples;       /* number of samples it will return */
	uint64_t total_samples; /* the whole dataset, selected or not */
	uint64_t bytes;         /* bytes of all files of the selected samples */
	uint64_t total_bytes;   /* bytes of the whole dataset; 0: unknown */
	/* Files per sample, as in each_file; 0: a file has several samples. */
	unsigned files_each;
	bool in_order_only; /* no picker, even if the ops have one */
	bool costly_picks;  /* to pick a sample, its neighbours are unpacked */
	bool costly_chunks; /* to find its chunks, very many files are read */
	/* Memory per sample fetched by number; 0: about bytes / samples. */
	uint64_t picked_bytes;
	bool is_far; /* its bytes come from a server, and no page cache has them
	              */
	/* `bytes` counts the encoded fields and nothing else. */
	bool bytes_are_fields;
	/* Name of the codec that unpack() applies; "": none. */
	char codec[32];
	/*
	 * Most bytes of a field (0: any), set when opened; see PART_WITHHELD.
	 */
	uint64_t sample_most;
};

/* Is a part of so many bytes too large to be fetched? */
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

/* Returns the schema after `decode`, if any, is undone: the steps get this. */
static inline const struct schema *reader_decoded(const struct reader *reader)
{
	return reader->decoded ? reader->decoded : &reader->schema;
}

/* For implementers: returns a reader with a zeroed `priv` of so many bytes. */
struct reader *reader_new(
    const struct reader_ops *ops, size_t priv_size, struct error *err);
/* Frees what reader_new allocated: the end of each ops->free. */
void reader_dispose(struct reader *reader);

/* Adds a note for the user about the dataset. */
int reader_add_note(struct reader *reader, const char *text, struct error *err);

/* Makes a worker's unpacker: 0 and *unpacker, NULL if none is needed. */
int reader_unpacker_new(
    const struct reader *reader, void **unpacker, struct error *err);
void reader_unpacker_free(
    const struct reader *reader, void *unpacker); /* NULL is fine */
/* Prepares a fetched chunk for next(): sets chunk->bytes. */
int reader_unpack(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err);

/*
 * Returns `rc` if all that was mapped for chunks since mapping_losses returned
 * `losses` is as it was.  Else returns -1, and `err` says what happened to
 * which file: whatever was made of the samples is not to be used.
 */
int reader_judge(
    const struct reader *reader, uint64_t losses, int rc, struct error *err);

/* Writes the location of the last sample of next(): by locate, or its key. */
void reader_where(const struct reader *reader, const struct chunk *chunk,
    const struct sample *sample, char where[KEY_TEXT]);
/* Puts "sample WHERE: " before a message about next()'s sample; returns -1. */
int reader_blame(const struct reader *reader, const struct chunk *chunk,
    const struct sample *sample, struct error *err);

#endif
