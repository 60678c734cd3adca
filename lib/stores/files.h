/*
 * files.h - the chunks of shards that are folders; inside lib/stores only.
 *
 * A chunk is a group of samples.  Its parts: first the block (see
 * shard_reader.h), then for each sample its line of the index and its files,
 * which begin at multiples of 64 bytes.  The lines are in chunk->stored; so are
 * the files until they are unpacked.  chunk->at counts samples.
 */
#ifndef LIB_STORES_FILES_H
#define LIB_STORES_FILES_H

enum {
	FILES_GROUP = 16, /* samples of a chunk, at most */
	FILES_ALIGN = 64,
};

#endif
