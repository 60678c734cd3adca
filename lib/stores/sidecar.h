/*
 * sidecar.h - indexes for other readers, beside shards that are one file and
 * not compressed; inside lib/stores only.
 *
 *	shard-000000.idx   what the store says (store_ops.idx_line): where in
 *	                   the shard each sample is, as DALI has it
 *	shardindex.json    of WebDataset: the shards, as wids has them
 * They are there before what they tell of has its name.  presto does not read
 * them; it counts them, and their checksums stand in the index of the shard and
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
struct shard_index;

/* Do shards of this form have a .idx?  And the dataset a shardindex.json? */
bool sidecar_has_idx(const struct store_form *form);
bool sidecar_has_list(const struct store_form *form);

/* Owned by the caller. */
char *sidecar_idx_path(const char *dir, unsigned number, struct error *err);

/* Adds the line of a sample whose record is at `offset` of the shard. */
int sidecar_add(const struct store_form *form, struct span record,
    uint64_t offset, struct buf *lines, struct error *err);
/* Puts the head of the store in front of all lines: the text of the file. */
int sidecar_end(const struct store_form *form, uint64_t samples,
    struct buf *lines, struct error *err);

#define SIDECAR_LIST_NAME "shardindex.json"

/* The text of the list of all shards: begin, each in turn, end. */
int sidecar_list_begin(struct buf *text, struct error *err);
int sidecar_list_add(const struct shard_place *place,
    const struct shard_index *index, struct buf *text, struct error *err);
int sidecar_list_end(struct buf *text, struct error *err);

/* Calls `visit` for the .idx, or for the list, if it is there. */
int sidecar_visit_idx(const struct shard_place *place, reader_visit *visit,
    void *arg, struct error *err);
int sidecar_visit_list(const char *dir, const struct store_form *form,
    reader_visit *visit, void *arg, struct error *err);

#endif
