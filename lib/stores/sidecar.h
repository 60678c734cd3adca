/*
 * sidecar.h - indexes for other readers, beside shards that are one
 * uncompressed file; inside lib/stores only.
 *
 *   shard-000000.idx   offset of each sample, in the format of DALI
 *                      (store_ops.idx_line)
 *   shardindex.json    the list of all shards (store_list), for wids; of MDS,
 *                      index.json
 *
 * They are written before the shard gets its name. presto does not read them.
 * It counts their bytes, and records their checksums in the shard's index and
 * in the manifest.
 */
#ifndef LIB_STORES_SIDECAR_H
#define LIB_STORES_SIDECAR_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/reader.h"
#include "lib/stores/layout.h"

struct error;
struct manifest;
struct stored;

/* Do shards have a .idx? Does the dataset have a list? */
bool sidecar_has_idx(const struct store_form *form);
bool sidecar_has_list(const struct store_form *form);

/* Owned by the caller. */
char *sidecar_idx_path(const char *dir, unsigned number, struct error *err);

/* Adds the line of a sample whose record is at `offset` of the shard. */
int sidecar_add(const struct store_form *form, struct span record,
    uint64_t offset, struct buf *lines, struct error *err);
/* Completes the text: puts the store's head in front of all lines. */
int sidecar_end(const struct store_form *form, uint64_t samples,
    struct buf *lines, struct error *err);

/* Makes the text of the list of all shards, which the dataset must have. */
int sidecar_print_list(const struct manifest *manifest, struct medium *medium,
    const char *dir, struct buf *text, struct error *err);

/*
 * Call `visit` for the .idx of a shard or for the list, if it exists.  Far ones
 * are taken from the manifest: looking would take a request for each.
 */
int sidecar_visit_idx(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err);
int sidecar_visit_list(const struct stored *stored, reader_visit *visit,
    void *arg, struct error *err);

#endif
