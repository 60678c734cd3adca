/*
 * arrays_files.h - the files of a shard of arrays while they are written, part
 * by part; inside lib/stores only.
 */
#ifndef LIB_STORES_ARRAYS_FILES_H
#define LIB_STORES_ARRAYS_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/stores/index.h"

struct error;
struct hash_state;
struct medium_file;
struct shard_writer;

struct array_file {
	char *path;
	struct medium_file *file; /* that has its path later; NULL: dropped */
	struct buf raw;           /* the part that is being filled */
	struct buf first;         /* the first one, with the header */
	uint64_t stored, unpacked;
	uint32_t sum;            /* the codec's own */
	struct hash_state *hash; /* of all that was stored */
	bool is_changed;         /* the hash is not of what is there */
	bool published;
};

struct array_files {
	unsigned count;
	bool has_labels;
	uint64_t said; /* samples, in the headers */
	struct array_file files[PARTS_MAX];
};

/* The block becomes a part of each file. */
int arrays_flush(struct shard_writer *writer, struct error *err);
/* Writes the header of a part over the one that is in `rows`. */
void arrays_set_header(struct shard_writer *writer, unsigned part,
    uint64_t samples, struct buf *rows);
/* Changes the number of samples in all headers of files. */
int arrays_say(
    struct shard_writer *writer, uint64_t samples, struct error *err);
/* Writes what the codec wants at the end; syncs and lists it. */
int arrays_end_file(
    struct shard_writer *writer, unsigned part, struct error *err);

#endif
