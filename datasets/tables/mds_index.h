/*
 * mds_index.h - the index.json of MDS shards: their columns, which must be the
 * same in all shards, and their files. The shards become files of the table's
 * listing.
 */
#ifndef DATASETS_TABLES_MDS_INDEX_H
#define DATASETS_TABLES_MDS_INDEX_H

#include <stdint.h>

#include "lib/codecs/packed.h"
#include "lib/formats/mds.h"

struct error;
struct reader;

struct mds_shard {
	uint64_t raw; /* bytes, uncompressed */
	uint64_t samples;
	enum packed_kind packed;
};

struct mds { /* table->own of the source */
	struct mds_column columns[MDS_COLUMNS];
	unsigned count;
	struct mds_shard *shards; /* owned */
	size_t shard_count, capacity;
	char *dir; /* owned */
};

/* Reads index.json at `path`, of shards in mds->dir. */
int mds_index_read(struct reader *reader, const char *path, struct error *err);

#endif
