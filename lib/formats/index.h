/*
 * index.h - the index of a shard, a text file beside it: what is where.
 *
 *   presto index 2
 *   samples 120
 *   stored 1048838      bytes of the shard, all files
 *   unpacked 3145728
 *   checksum 00112233aabbccdd   XXH3 of all stored bytes
 *   rows 256x341x3      for arrays: the shape of each field
 *   file BYTES CHECKSUM NAME    for each file of the shard
 *   blocks 3
 *   block OFFSET STORED UNPACKED SAMPLES CHECKSUM
 *   sample LABEL {STORED UNPACKED EXT}... STEM     folders only
 *   part OFFSET STORED UNPACKED CHECKSUM           arrays only
 *   ...
 *   end 00112233aabbccdd        XXH3 of the lines above
 *
 * `file` lines list the shard's file or its arrays, and the index for other
 * readers (sidecar.h). Shards that are folders list their files in `sample`
 * lines instead. The checksum of a file is XXH3 of all its bytes. Version 1 has
 * no `file` lines.
 *
 * A block is the unit of compression: records in one frame. In a folder it is a
 * group of files that are read together; `sample` lines follow it, with a file
 * STEM.EXT (name.h) for each field. A block's checksum is XXH3 of its stored
 * bytes; with several files, each continues from the one before as seed.
 *
 * In arrays a block is some rows: one part of each file of fields, of labels (0
 * 0 0 and checksum 0 when there is none) and of keys. The checksum of a block
 * is XXH3 of the checksums of its parts, 8 bytes each. The shard's is computed
 * from those of its blocks, each with the one before as seed. Offsets of blocks
 * count the bytes of parts only.
 */
#ifndef LIB_FORMATS_INDEX_H
#define LIB_FORMATS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/file_list.h"
#include "lib/sample/sample.h"

struct error;
struct sink;

struct index_block {
	uint64_t offset; /* in the shard; in a folder: in all its files */
	uint64_t stored, unpacked;
	uint64_t samples;
	uint64_t checksum;
	size_t lines, lines_len; /* sample lines, in the index's `lines` */
};

struct index_part {      /* a block's part of one array file */
	uint64_t offset; /* in the file */
	uint64_t stored, unpacked;
	uint64_t checksum;
};

/* Lines that an index has besides blocks; all 0: none. */
struct index_form {
	unsigned files;  /* files of a sample, in shards that are folders */
	unsigned arrays; /* arrays of a shard, one for each field */
	/* The format has a table in front of the blocks, or behind them. */
	bool has_table;
};

enum { PARTS_MAX = FIELDS_MAX + 2 };

/* Returns the number of array files, with labels and keys. */
static inline unsigned index_parts(const struct index_form *form)
{
	return form->arrays ? form->arrays + 2 : 0;
}

struct shard_index {
	uint64_t samples, stored, unpacked;
	uint64_t checksum;
	struct index_form form;
	struct file_list files; /* in the order of the lines */
	struct index_block *blocks;
	size_t count, capacity;
	struct buf lines;
	struct shape rows[PARTS_MAX]; /* shapes of fields; others: scalar */
	struct index_part *parts;     /* index_parts() entries for each block */
	size_t part_count, part_capacity;
};

#define SHARD_INDEX_INIT       \
	{                      \
		.blocks = NULL \
	}

struct index_file { /* one field of a sample */
	uint64_t stored, unpacked;
	struct span ext;
};

struct index_sample {
	int64_t label;
	struct span stem;
	struct index_file files[FIELDS_MAX];
};

void shard_index_release(struct shard_index *index);

/* Adds a block; `unpacked` and `samples` of the index grow with it. */
int shard_index_add(struct shard_index *index, const struct index_block *block,
    struct error *err);
/* Adds a part of the block that is added next. */
int shard_index_add_part(struct shard_index *index,
    const struct index_part *part, struct error *err);
/* Computes the checksum of a block from its parts, or of the shard. */
uint64_t shard_index_sum_parts(const struct shard_index *index, size_t block);
uint64_t shard_index_sum_blocks(const struct shard_index *index);
/* Appends the text of the file to `text`. */
int shard_index_print(
    const struct shard_index *index, struct buf *text, struct error *err);

/* Appends the line of a sample to `lines`. */
int index_sample_print(const struct index_sample *sample, unsigned fields,
    struct buf *lines, struct error *err);

#endif
