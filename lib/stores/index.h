/*
 * index.h - what is in a shard, and where: the text file beside it.
 *
 *	presto index 2
 *	samples 120
 *	stored 1048838		bytes of the shard, all of its files
 *	unpacked 3145728
 *	checksum 00112233aabbccdd	XXH3 of all stored bytes
 *	rows 256x341x3			of arrays: the shape of a field, each
 *	file BYTES CHECKSUM NAME	each of the shard, with what is beside
 *it blocks 3 block OFFSET STORED UNPACKED SAMPLES CHECKSUM sample LABEL {STORED
 *UNPACKED EXT}... STEM part OFFSET STORED UNPACKED CHECKSUM
 *	...
 *	end 00112233aabbccdd		XXH3 of the lines above
 *
 * The files are those that the shard is, or its arrays; of a folder none, since
 * they are in its lines; and the index for other readers (sidecar.h).  Their
 * checksums are XXH3 of all bytes of the file.  An index 1 has none of them.
 *
 * A block is what is compressed as one: records, one frame.  In a folder it is
 * a group of files, which are read together; only there the lines of its
 * samples follow, with a file for each field, STEM.EXT (name.h).  A block's
 * checksum is XXH3 of its stored bytes; of several files, each with the one
 * before as seed.
 *
 * Of arrays a block is some rows, which are a part of every file: of a file a
 * field, of that of the labels (0 0 0 and a checksum of 0 when there is none),
 * and of that of the keys.  The checksum of the block is XXH3 of those of its
 * parts, 8 bytes each; that of the shard, of those of its blocks, each with
 * the one before as seed.  The offsets of blocks count what is in parts only.
 */
#ifndef LIB_STORES_INDEX_H
#define LIB_STORES_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"
#include "lib/stores/file_list.h"

struct error;
struct sink;

struct index_block {
	uint64_t offset; /* in the shard; of a folder's files one by one */
	uint64_t stored, unpacked;
	uint64_t samples;
	uint64_t checksum;
	size_t lines, lines_len; /* of its samples, in the index's `lines` */
};

struct index_part {      /* of a file of arrays, in a block */
	uint64_t offset; /* in the file */
	uint64_t stored, unpacked;
	uint64_t checksum;
};

/* What the indexes of a store have besides blocks; all 0: nothing. */
struct index_form {
	unsigned files;  /* of a sample: of shards that are folders */
	unsigned arrays; /* of a shard: one a field */
};

enum { PARTS_MAX = FIELDS_MAX + 2 };

/* The files that are arrays, and what is beside them. */
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
	struct shape rows[PARTS_MAX]; /* of fields; the others are scalars */
	struct index_part *parts; /* index_parts() of each block, in a row */
	size_t part_count, part_capacity;
};

#define SHARD_INDEX_INIT       \
	{                      \
		.blocks = NULL \
	}

struct index_file { /* of one field of a sample */
	uint64_t stored, unpacked;
	struct span ext;
};

struct index_sample {
	int64_t label;
	struct span stem;
	struct index_file files[FIELDS_MAX];
};

void shard_index_release(struct shard_index *index);

/* Adds a block, and its numbers to `unpacked` and `samples`. */
int shard_index_add(struct shard_index *index, const struct index_block *block,
    struct error *err);
/* Adds a part of the block that is added next. */
int shard_index_add_part(struct shard_index *index,
    const struct index_part *part, struct error *err);
/* The checksum of a block of arrays, by its parts; of the shard, by blocks. */
uint64_t shard_index_sum_parts(const struct shard_index *index, size_t block);
uint64_t shard_index_sum_blocks(const struct shard_index *index);
/* The text of the file, behind what is in `text`. */
int shard_index_print(
    const struct shard_index *index, struct buf *text, struct error *err);

/*
 * Reads an index back, which must be empty.  Every number is checked: blocks
 * follow each other and end within the shard, sums agree.  ERROR_DATA "line
 * 7: ...".
 */
int shard_index_parse(struct shard_index *index, struct span text,
    const struct index_form *form, struct error *err);

/* The line of a sample, to be added to the lines of a block. */
int index_sample_print(const struct index_sample *sample, unsigned fields,
    struct buf *lines, struct error *err);
/*
 * Takes the next sample's line from `lines`: 1, 0 when there is none, or -1.
 * Views into the lines.
 */
int index_sample_next(struct span *lines, unsigned fields,
    struct index_sample *sample, struct error *err);

#endif
