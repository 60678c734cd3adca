/*
 * readable.h - which readers take stored data: one table of the readers that
 * training jobs use, and of the stores and codecs that each takes as they are,
 * with all samples and the same values.
 *
 * "Takes" is of the current release on Python 3.11, and scripts/check-formats
 * shows it by reading.  Nobody but presto undoes the filters (delta, shuffle).
 */
#ifndef LIB_STORES_READABLE_H
#define LIB_STORES_READABLE_H

#include <stdbool.h>
#include <stddef.h>

struct codec;
struct error;
struct store_ops;

struct stock_reader {
	const char *name;    /* the word of --readable-by */
	const char *summary; /* what it takes, one phrase, no full stop */
	/* NULL: no stock reader, but a word for the choice: everything. */
	bool (*takes)(const struct store_ops *store, const struct codec *codec);
};

const struct stock_reader *stock_reader_at(size_t i); /* NULL behind the last */
const struct stock_reader *stock_reader_find(const char *name);
/* As _find, or "unknown reader 'webdatset'; did you mean 'webdataset'?". */
const struct stock_reader *stock_reader_parse(
    const char *name, struct error *err);

/*
 * Does this reader take what the store keeps with this codec?  NULL: does at
 * least one reader other than presto?
 */
bool readable_by(const struct stock_reader *reader,
    const struct store_ops *store, const struct codec *codec);
/* The same of NULL. */
bool readable_by_any_stock(
    const struct store_ops *store, const struct codec *codec);

#endif
