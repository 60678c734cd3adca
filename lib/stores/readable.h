/*
 * readable.h - the table of readers that training jobs use, and of the stores
 * and codecs that each can read: all samples, with the same values.
 *
 * The table holds for current releases on Python 3.11; scripts/check-formats
 * verifies it by reading. Only presto reads filtered data (delta, shuffle).
 */
#ifndef LIB_STORES_READABLE_H
#define LIB_STORES_READABLE_H

#include <stdbool.h>
#include <stddef.h>

struct codec;
struct error;
struct store_ops;

struct stock_reader {
	const char *name;    /* word of --readable-by */
	const char *summary; /* formats that it reads: a phrase, no full stop */
	/* NULL: no reader, but a word that allows everything. */
	bool (*takes)(const struct store_ops *store, const struct codec *codec);
};

const struct stock_reader *stock_reader_at(size_t i); /* NULL behind the last */
const struct stock_reader *stock_reader_find(const char *name);
/* Finds a reader, or sets an error with the nearest name. */
const struct stock_reader *stock_reader_parse(
    const char *name, struct error *err);

/* Can the reader read the store with this codec? NULL: can any but presto? */
bool readable_by(const struct stock_reader *reader,
    const struct store_ops *store, const struct codec *codec);
/* Does the same for NULL. */
bool readable_by_any_stock(
    const struct store_ops *store, const struct codec *codec);

#endif
