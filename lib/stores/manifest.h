/*
 * manifest.h - the manifest of a folder of shards, an INI file.
 *
 *   [manifest]
 *   version = 3      versions 1 and 2 end behind [shards]; in version 1,
 *                    data behind a filter (npy.h) had the names and
 *                    types of plain data; only a dataset that was
 *                    updated has version 4
 *   store = tar
 *   codec = gzip:6
 *   samples = 1000
 *   shards = 2
 *   strategy = resized/tar/gzip:6
 *   fingerprint = 00112233aabbccdd
 *   shuffle = seed 7    order of the samples; optional
 *   [fields]         NAME = DTYPE LAYOUT SHAPE, and SUFFIX if known;
 *                    before the codec's transform
 *   data = uint8 hwc 256x?x3
 *   [shards]         NUMBER = SAMPLES STORED CHECKSUM, as in its index
 *   000000 = 500 1048838 00112233aabbccdd
 *   000001 = 500 1048012 8899aabb44556677
 *   [left_out]       version 4: SHARD = PLACES, from 0: samples of the
 *   000000 = 9-11 17   shard that readers pass by (left_samples.h)
 *   [versions]       version 4: those of the dataset (history.h)
 *   1 = 2026-11-21T04:06:00Z shards 1 samples 500 added 500 ...
 *   2 = 2026-11-23T21:40:00Z shards 2 samples 996 added 500 ...
 *   [files]          NAME = BYTES CHECKSUM: XXH3 of the whole file
 *   README.md = 1207 00112233aabbccdd
 *   dataset.json = 2816 ...
 *   shard-000000.index = 192 ...
 *   ...
 *   [end]
 *   checksum = ...   XXH3 of all lines above [end]
 *
 * [files] lists every file of the folder except the manifest, sorted by name.
 * It leaves out the files in shards that are folders: the index lists these,
 * and the checksum in [shards] covers their bytes. So presto did not write what
 * differs from the manifest.
 *
 * An update replaces the manifest and keeps the one before: presto.manifest has
 * the newest version of the dataset, presto-1.manifest version 1, if there is a
 * newer one.
 */
#ifndef LIB_STORES_MANIFEST_H
#define LIB_STORES_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/file_list.h"
#include "lib/formats/history.h"
#include "lib/formats/left_samples.h"
#include "lib/stores/store.h"

struct medium;
struct sink;

struct manifest_shard {
	uint64_t samples, stored, checksum;
	struct file_sum index; /* since version 3 */
};

struct manifest {
	struct store_form form;
	uint64_t version;
	char *strategy, *fingerprint; /* owned */
	char *shuffle;    /* owned; NULL: not known (older versions) */
	uint64_t samples; /* without those that are left out */
	struct manifest_shard *shards;
	size_t count;
	struct left_samples left_out;
	struct history history;
	struct file_list files; /* sorted; empty before version 3 */
};

/*
 * The first version that lists all files, the one that is written, and the one
 * that an update writes.
 */
enum { MANIFEST_FILES = 3, MANIFEST_VERSION = 3, MANIFEST_UPDATED = 4 };

#define MANIFEST_INIT          \
	{                      \
		.shards = NULL \
	}

void manifest_release(struct manifest *manifest);
/* Reads a folder's manifest; ERROR_DATA without one: it is incomplete. */
int manifest_read(struct manifest *manifest, struct medium *medium,
    const char *dir, struct error *err);
/*
 * Reads that of a version of the dataset; 0: the newest. ERROR_USAGE if the
 * folder has no such version.
 */
int manifest_read_version(struct manifest *manifest, struct medium *medium,
    const char *dir, uint64_t version, struct error *err);
/* ERROR_USAGE unless the dataset of the newest manifest has this version. */
int manifest_check_version(const struct manifest *newest, const char *dir,
    uint64_t version, struct error *err);
/* Counts the samples of a shard that readers get. */
uint64_t manifest_shard_samples(const struct manifest *manifest, size_t shard);
/*
 * Is this the shard that the manifest lists?  Before version 3 the index has no
 * checksum to compare.
 */
bool manifest_has_shard(const struct manifest *manifest, size_t number,
    const struct manifest_shard *shard);
/* Sets ERROR_DATA for a folder whose manifest `path` is missing. */
int manifest_missing(const char *path, struct error *err);

/*
 * Adds the shards from the manifest's last one on, up to `end`, which are in
 * the folder: reads their indexes.
 */
int manifest_add_shards(struct manifest *manifest, struct medium *medium,
    const char *dir, size_t end, struct error *err);
/* Writes the list of all shards for other readers, if the store has one. */
int manifest_put_list(struct manifest *manifest, struct sink *sink,
    const char *dir, struct error *err);
/* Sorts the files, and appends the text of the manifest. */
int manifest_print(
    struct manifest *manifest, struct buf *text, struct error *err);

/*
 * Files that describe the folder are written before the manifest: one function
 * lists such a file with its text, the other writes the text into the folder.
 */
int manifest_list_file(struct manifest *manifest, const char *name,
    struct span text, struct error *err);
int manifest_put_file(struct manifest *manifest, struct sink *sink,
    const char *dir, const char *name, struct span text, struct error *err);
/*
 * ERROR_DATA unless this is the text of the listed file NAME. Manifests before
 * version 3 accept any text.
 */
int manifest_check_text(const struct manifest *manifest, const char *name,
    struct span text, struct error *err);

#endif
