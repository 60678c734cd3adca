/* arrays_files.h - writes the files of a shard of arrays, part by part. */
#ifndef LIB_STORES_ARRAYS_FILES_H
#define LIB_STORES_ARRAYS_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/index.h"

struct error;
struct hash_state;
struct medium_file;
struct shard_writer;

struct array_file {
	char *path;
	struct medium_file *file; /* gets `path` in the end; NULL: dropped */
	struct buf raw;           /* the part that is being filled */
	struct buf first;         /* the first part, with the header */
	uint64_t stored, unpacked;
	uint32_t sum;            /* the codec's own checksum */
	struct hash_state *hash; /* hash of all stored bytes */
	bool is_changed; /* the file was rewritten: `hash` is outdated */
	bool is_ours;    /* published, and it replaced nothing */
};

struct array_files {
	unsigned count;
	bool has_labels;
	uint64_t said; /* number of samples in the headers */
	struct array_file files[PARTS_MAX];
};

/* Writes the block as one part of each file. */
int arrays_flush(struct shard_writer *writer, struct error *err);
/* Overwrites the header at the start of `rows`. */
void arrays_set_header(struct shard_writer *writer, unsigned part,
    uint64_t samples, struct buf *rows);
/* Changes the number of samples in the headers of all files. */
int arrays_say(
    struct shard_writer *writer, uint64_t samples, struct error *err);
/* Writes the codec's last bytes, syncs the file and lists it in the index. */
int arrays_end_file(
    struct shard_writer *writer, unsigned part, struct error *err);

#endif
