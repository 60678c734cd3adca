/*
 * writer.h - what a shard_writer is made of; inside lib/stores only.
 *
 * shard_writer.c begins, commits and discards shards; file_writer.c fills those
 * that are one file, folder_writer.c folders, arrays_writer.c arrays.
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
	char *path; /* of the shard, when it is done */
	char *index_path;
	void *codec;             /* its state, NULL when it has none */
	struct hash_state *hash; /* of all that was stored */
	struct shard_index index;
	struct index_block block; /* that is being filled */
	struct buf raw;           /* its records; or a file, before the codec */
	struct buf packed;
	bool failed;           /* what is there is not whole: no commit */
	bool committed;        /* nothing is to be removed */
	bool has_index;        /* it was written */
	struct buf index_text; /* of the index, once the shard is finished */

	/* Shards that are one file. */
	struct medium_file *file;
	uint32_t sum;            /* the codec's own */
	struct frame_sums *sums; /* of all codecs; borrowed, NULL: not asked */
	bool is_copied;          /* its frames are another's */
	struct buf idx;          /* its lines, then its text; sidecar.h */
	bool has_idx;            /* it was written */

	/* Shards that are folders. */
	char *temporary;      /* the folder until it is done */
	struct buf file_path; /* terminated */
	char *last_dir;       /* folder of the file before */

	struct array_files *arrays; /* shards that are arrays */
};

/* Compresses `bytes` behind what is in `packed`. */
int writer_encode(
    struct shard_writer *writer, struct span bytes, struct error *err);

/* Adds a file that is complete, but for its name, to the index. */
int writer_list_file(struct shard_writer *writer, const char *path,
    const struct file_sum *sum, struct error *err);

/* As store_layout has them. */
int file_begin(struct shard_writer *writer, struct error *err);
int file_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
/* All frames, and the checksum of what they hold, instead of samples. */
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

int arrays_begin(struct shard_writer *writer, struct error *err);
int arrays_add(struct shard_writer *writer, const struct sample *sample,
    struct error *err);
int arrays_finish(struct shard_writer *writer, struct error *err);
int arrays_rename(struct shard_writer *writer, struct error *err);
void arrays_discard(struct shard_writer *writer);
void arrays_release(struct shard_writer *writer);

#endif
