/*
 * layout.h - how a store's shards lie in a folder: one file each, a folder
 * each, or some arrays each; inside lib/stores only.
 */
#ifndef LIB_STORES_LAYOUT_H
#define LIB_STORES_LAYOUT_H

#include <stdbool.h>

#include "lib/sample/reader.h"
#include "lib/stores/index.h"
#include "lib/stores/store.h"

struct error;
struct shard_writer;
struct stored;

/* A shard, complete or not. */
struct shard_place {
	const char *dir;
	const struct store_form *form;
	unsigned number;
};

struct store_layout {
	const struct reader_ops *reader;
	struct index_form (*index_form)(const struct schema *schema);

	/* Writing: see writer.h.  What is begun has no name yet. */
	int (*begin)(struct shard_writer *writer, struct error *err);
	int (*add)(struct shard_writer *writer, const struct sample *sample,
	    struct error *err);
	/* All is there and synced; the index is as it will be written. */
	int (*finish)(struct shard_writer *writer, struct error *err);
	/* The names, the last of which makes the shard complete. */
	int (*rename)(struct shard_writer *writer, struct error *err);
	/* Removes what begin made, or half of it. */
	void (*discard)(struct shard_writer *writer);
	void (*release)(struct shard_writer *writer); /* NULL: nothing */

	/*
	 * Are the shard's files there, as large as its index says?  As far as
	 * a few looks can tell; with `all`, each of them.
	 */
	int (*check)(const struct shard_place *place,
	    const struct shard_index *index, bool all, struct error *err);
	/* Calls `visit` for each of them. */
	int (*each_file)(const struct stored *stored, size_t shard,
	    reader_visit *visit, void *arg, struct error *err);
};

extern const struct store_layout layout_file, layout_folder, layout_arrays;

/* A file is there, and has so many bytes. */
int layout_check_file(const char *path, uint64_t bytes, struct error *err);
/* What the indexes of this form have besides blocks. */
struct index_form store_index_form(const struct store_form *form);

#endif
