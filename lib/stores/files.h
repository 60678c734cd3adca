/*
 * files.h - chunks of shards that are folders; inside lib/stores only.
 *
 * A chunk is a group of samples. Its first part is the block (stored.h). Then
 * each sample has one part for its line of the index, and one for each of its
 * files, at multiples of 64 bytes. Lines are in chunk->stored, and so are files
 * until they are unpacked. chunk->at counts samples.
 */
#ifndef LIB_STORES_FILES_H
#define LIB_STORES_FILES_H

enum {
	FILES_GROUP = 16, /* most samples of a chunk */
	FILES_ALIGN = 64,
};

#endif
