/*
 * manifest.h - what a folder of shards holds: presto.manifest, an INI file.
 *
 *	[manifest]
 *	version = 1		2 of data behind a filter (npy.h); in version 1
 *				that bore the names and forms of plain data
 *	store = tar
 *	codec = gzip:6
 *	samples = 1000
 *	shards = 2
 *	strategy = resized/tar/gzip:6
 *	fingerprint = 00112233aabbccdd
 *	shuffle = seed 7	the order of the samples; may be missing
 *	[fields]	NAME = DTYPE LAYOUT SHAPE, and a SUFFIX if known;
 *			before the codec's transform, if it has one
 *	data = uint8 hwc 256x?x3
 *	[shards]	NUMBER = SAMPLES STORED CHECKSUM, as its index
 *	000000 = 500 1048838 00112233aabbccdd
 *	000001 = 500 1048012 8899aabb44556677
 */
#ifndef LIB_STORES_MANIFEST_H
#define LIB_STORES_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/stores/store.h"

struct manifest_shard {
	uint64_t samples, stored, checksum;
};

struct manifest {
	struct store_form form;
	uint64_t version;
	char *strategy, *fingerprint; /* owned */
	char *shuffle; /* owned; NULL: not told, as by older versions */
	uint64_t samples;
	struct manifest_shard *shards;
	size_t count;
};

#define MANIFEST_INIT          \
	{                      \
		.shards = NULL \
	}

/*
 * Reads the text of the file `path`, which is only for messages: ERROR_DATA
 * with path and line.  Release it in any case.
 */
int manifest_parse(struct manifest *manifest, const char *path,
    struct span text, struct error *err);
/* That of a folder; ERROR_DATA where there is none: it is not complete. */
int manifest_read(
    struct manifest *manifest, const char *dir, struct error *err);
/* ERROR_DATA of a folder without its manifest, `path`. */
int manifest_missing(const char *path, struct error *err);
void manifest_release(struct manifest *manifest);

#endif
