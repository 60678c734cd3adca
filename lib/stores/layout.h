/*
 * layout.h - how a store's shards lie in a folder: as one file, one folder, or
 * several arrays each; inside lib/stores only.
 */
#ifndef LIB_STORES_LAYOUT_H
#define LIB_STORES_LAYOUT_H

#include <stdbool.h>

#include "lib/formats/index.h"
#include "lib/sample/reader.h"
#include "lib/stores/store.h"

struct error;
struct shard_writer;
struct stored;

struct store_layout {
	const struct reader_ops *reader;
	struct index_form (*index_form)(const struct schema *schema);

	/* Writing; see writer.h. begin makes files without final names. */
	int (*begin)(struct shard_writer *writer, struct error *err);
	int (*add)(struct shard_writer *writer, const struct sample *sample,
	    struct error *err);
	/* Writes and syncs everything, and completes the index. */
	int (*finish)(struct shard_writer *writer, struct error *err);
	/* Gives the final names; the last one makes the shard complete. */
	int (*rename)(struct shard_writer *writer, struct error *err);
	/* Removes everything that begin made, even if it failed. */
	void (*discard)(struct shard_writer *writer);
	/* NULL: nothing to release */
	void (*release)(struct shard_writer *writer);

	/*
	 * Do the shard's files exist, with the sizes of its index? Checks a few
	 * of them, or each with `all`.
	 */
	int (*check)(const struct shard_place *place,
	    const struct shard_index *index, bool all, struct error *err);
	/* Calls `visit` for each file of the shard. */
	int (*each_file)(const struct stored *stored, size_t shard,
	    reader_visit *visit, void *arg, struct error *err);
};

extern const struct store_layout layout_file, layout_folder, layout_arrays;

/* Checks that a file exists and has this size. */
int layout_check_file(
    struct medium *medium, const char *path, uint64_t bytes, struct error *err);
/* Returns which lines an index of this form has besides blocks. */
struct index_form store_index_form(const struct store_form *form);

#endif
