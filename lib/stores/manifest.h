/*
 * manifest.h - what a folder of shards holds: presto.manifest, an INI file.
 *
 *	[manifest]
 *	version = 3		earlier ones end behind [shards]; and in
 *				version 1 data behind a filter (npy.h) bore the
 *				names and forms of plain data
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
 *	[files]		NAME = BYTES CHECKSUM: XXH3 of the whole file
 *	README.md = 1207 00112233aabbccdd
 *	dataset.json = 2816 ...
 *	shard-000000.index = 192 ...
 *	...
 *	[end]
 *	checksum = ...	XXH3 of all that stands above [end]
 *
 * [files] has every file of the folder but this one, sorted by name.  Shards
 * that are folders are not in it: the checksum in [shards] is that of all their
 * bytes, and the index has the files.  So whatever differs from the manifest is
 * not what presto wrote.
 */
#ifndef LIB_STORES_MANIFEST_H
#define LIB_STORES_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/stores/file_list.h"
#include "lib/stores/store.h"

struct manifest_shard {
	uint64_t samples, stored, checksum;
	struct file_sum index; /* of the version 3 */
};

struct manifest {
	struct store_form form;
	uint64_t version;
	char *strategy, *fingerprint; /* owned */
	char *shuffle; /* owned; NULL: not told, as by older versions */
	uint64_t samples;
	struct manifest_shard *shards;
	size_t count;
	struct file_list files; /* sorted; empty before version 3 */
};

/* The first version that lists all files, and the one that is written. */
enum { MANIFEST_FILES = 3, MANIFEST_VERSION = 3 };

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

/*
 * While a manifest is written, what describes the folder is written before it:
 * lists a file with this text, and puts that into the folder.
 */
int manifest_list_file(struct manifest *manifest, const char *name,
    struct span text, struct error *err);
int manifest_put_file(struct manifest *manifest, struct sink *sink,
    const char *dir, const char *name, struct span text, struct error *err);
/*
 * ERROR_DATA when the text is not that of the file of this name.  Manifests of
 * earlier versions do not know.
 */
int manifest_check_text(const struct manifest *manifest, const char *name,
    struct span text, struct error *err);

#endif
