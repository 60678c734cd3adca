/*
 * writer.h - the struct shard_writer; inside lib/stores only.
 *
 * shard_writer.c begins, commits and discards shards. file_writer.c writes
 * shards that are one file, folder_writer.c folders, arrays_writer.c arrays.
 */
#ifndef LIB_STORES_WRITER_H
#define LIB_STORES_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/index.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"

struct array_files;
struct far_files;
struct frame_sums;
struct frames;
struct hash_state;
struct medium_file;

struct shard_writer {
	struct sink sink;
	const struct store_form *form;
	unsigned number;
	uint64_t expected; /* samples, a guess */
	char *dir;
	char *path; /* final path of the shard */
	char *index_path;
	void *codec;             /* state of the codec; NULL: it has none */
	struct hash_state *hash; /* hash of all stored bytes */
	struct shard_index index;
	struct index_block block; /* the block that is being filled */
	struct buf raw; /* records of the block, or a file, uncompressed */
	struct buf packed;
	bool failed;           /* the shard is incomplete: refuse to commit */
	bool committed;        /* keep everything */
	bool owns_index;       /* it was written, and replaced nothing */
	struct buf index_text; /* its text, once the shard is finished */

	/* Only for shards that are one file: */
	struct medium_file *file;
	uint32_t sum;            /* the codec's own checksum */
	struct frame_sums *sums; /* sums by codec; borrowed, or NULL */
	bool is_copied;     /* its frames were copied from another dataset */
	struct buf idx;     /* lines, later the text, of the .idx (sidecar.h) */
	bool owns_idx;      /* it was written, and replaced nothing */
	struct buf lengths; /* uint32_t: bytes of each record, for ops->front */
	struct buf notes;   /* notes by ops->pack for ops->foot */
	size_t front;       /* bytes that are kept for the table in front */

	/* Only for shards that are folders: */
	char *temporary;       /* path of the folder until it is complete */
	struct buf file_path;  /* terminated */
	char *last_dir;        /* folder of the previous file */
	struct far_files *far; /* in an object store; else NULL */

	struct array_files *arrays; /* only for shards that are arrays */
};

/* Compresses `bytes` to the end of `packed`. */
int writer_encode(
    struct shard_writer *writer, struct span bytes, struct error *err);

/* Adds a complete file, which may not have its final name yet, to the index. */
int writer_list_file(struct shard_writer *writer, const char *path,
    const struct file_sum *sum, struct error *err);

/*
 * Publishes a file of the shard under its path.  *is_ours: nothing had the path
 * before, so that the file may be removed if the shard is discarded.  An object
 * store tells; a local folder has no files of another process, since it is
 * locked.
 */
int writer_publish(struct shard_writer *writer, struct medium_file *file,
    const char *path, bool *is_ours, struct error *err);
/* Writes and publishes a whole file. */
int writer_put(struct shard_writer *writer, const char *path, struct span bytes,
    bool *is_ours, struct error *err);
/* Removes a file of a shard that is discarded, if it is there. */
void writer_remove(struct shard_writer *writer, const char *path);

/* Functions of struct store_layout. */
int file_begin(struct shard_writer *writer, struct error *err);
int file_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
/* Copies all frames and checks their checksum, in place of adding samples. */
int file_copy(struct shard_writer *writer, struct frames *frames,
    const struct frame_sums *sums, struct error *err);
int file_finish(struct shard_writer *writer, struct error *err);
int file_rename(struct shard_writer *writer, struct error *err);
void file_discard(struct shard_writer *writer);

int folder_begin(struct shard_writer *writer, struct error *err);
int folder_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
int folder_finish(struct shard_writer *writer, struct error *err);
int folder_rename(struct shard_writer *writer, struct error *err);
void folder_discard(struct shard_writer *writer);
void folder_release(struct shard_writer *writer);

int arrays_begin(struct shard_writer *writer, struct error *err);
int arrays_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
int arrays_finish(struct shard_writer *writer, struct error *err);
int arrays_rename(struct shard_writer *writer, struct error *err);
void arrays_discard(struct shard_writer *writer);
void arrays_release(struct shard_writer *writer);

#endif
